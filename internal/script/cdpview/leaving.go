package cdpview

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
)

// A page that a person takes to where the client may not see it is gone for the
// client before the new document is: its sessions have ended, and with them the
// scripts, breakpoints and bindings that they would have had it begin with. What is
// fetched (files among it) waits for that, held by a session of ours; of the
// browser's own pages, which no interception sees, we hear as they are gone to.

// watches has the watching session hold documents, for [browser.paused] to let go.
var watches = map[string]any{"patterns": []any{map[string]any{"urlPattern": "*", "resourceType": "Document"}}}

// paused lets a document be fetched, once the client has lost the page that it is
// not to see in it. The browser does what it is asked in this order.
func (b *browser) paused(params json.RawMessage) {
	r, ok := pausedOf(params)
	if !ok {
		return
	}
	b.goes(r.Frame, r.Request.URL)
	b.mu.Lock()
	barred := b.barred[r.Frame]
	delete(b.barred, r.Frame)
	b.mu.Unlock()
	if barred {
		b.watch.Send("Fetch.failRequest", map[string]any{"requestId": r.ID, "errorReason": "AccessDenied"}, nil)
		return
	}
	b.watch.Send("Fetch.continueRequest", map[string]any{"requestId": r.ID}, nil)
}

// paused is a request that waits for who intercepts it.
type paused struct {
	ID      string               `json:"requestId"`
	Frame   string               `json:"frameId"`
	Type    string               `json:"resourceType"`
	Request struct{ URL string } `json:"request"`
}

func pausedOf(params json.RawMessage) (r paused, ok bool) {
	err := json.Unmarshal(params, &r)
	return r, err == nil && r.ID != ""
}

// goes hears that a frame is on its way to a URL. It reports whether that is a page
// that is gone for the client now.
func (b *browser) goes(frame, url string) bool {
	if b.o.Theirs.Shows(url) {
		return false
	}
	b.mu.Lock()
	_, page := b.there[frame]
	if page {
		b.leaving[frame], b.hidden[frame] = "", true
	}
	b.mu.Unlock()
	if page {
		b.lose(frame)
		b.escort(frame)
	}
	return page
}

// fetched are the schemes of which [browser.paused] hears, after those who may
// have other plans with them.
var fetched = regexp.MustCompile("^(?:https?|file):")

// course is what a page says of where it goes.
type course struct {
	FrameID, URL, LoaderID, NavigationType, Reason string
	Frame                                          struct{ ID, LoaderID, URL string }
}

// escort has a session of ours tell where a page goes to that the client has one
// with. It runs where the connection is read.
func (b *browser) escort(target string) {
	if b.watch == nil {
		return
	}
	b.mu.Lock()
	_, has := b.escorts[target]
	b.escorts[target] = nil
	b.mu.Unlock()
	if has {
		return
	}
	b.watch.Send("Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}, func(result json.RawMessage, err error) {
		var got struct{ SessionID string }
		if err != nil || json.Unmarshal(result, &got) != nil {
			return
		}
		own := b.watch.Adopt(got.SessionID)
		own.On("Page.frameStartedNavigating", func(params json.RawMessage) { b.embeds(target, params) })
		own.On("Page.frameStartedNavigating", b.sets)
		own.On("Page.frameNavigated", b.arrives)
		own.On("Page.frameDetached", b.removed)
		b.mu.Lock()
		b.escorts[target] = own
		b.mu.Unlock()
		own.Send("Page.enable", nil, nil)
		b.locate(target) // it may have been on its way
	})
}

// embeds hears where the frames of a page go. None that the client has embeds files: a
// page of the web can't, and one without an address of its own could that came of a file.
func (b *browser) embeds(page string, params json.RawMessage) {
	var e course
	if json.Unmarshal(params, &e) != nil || e.FrameID == page {
		return
	}
	own := !b.o.Theirs.hides() || b.inWeb(e.URL)
	b.mu.Lock()
	defer b.mu.Unlock()
	if delete(b.foreign, e.FrameID); !own {
		b.foreign[e.FrameID] = true
	}
	if strings.HasPrefix(e.URL, "file:") && !b.o.Theirs.Shows(e.URL) && !b.hidden[page] {
		b.barred[e.FrameID] = true
	}
}

// removed hears that a frame is no more, or is a target of its own now.
func (b *browser) removed(params json.RawMessage) {
	var e course
	if json.Unmarshal(params, &e) != nil || e.Reason == "swap" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.foreign, e.FrameID)
	delete(b.barred, e.FrameID)
}

// sets hears that a frame sets out. A document of its history may be kept, and is not
// fetched then.
func (b *browser) sets(params json.RawMessage) {
	var e course
	if json.Unmarshal(params, &e) != nil || (!fetched.MatchString(e.URL) || e.NavigationType == "historyDifferentDocument") && b.goes(e.FrameID, e.URL) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, leaves := b.leaving[e.FrameID]; leaves && b.o.Theirs.Shows(e.URL) {
		b.leaving[e.FrameID] = e.LoaderID // it has been turned round
	}
}

// arrives hears that a frame has another document.
func (b *browser) arrives(params json.RawMessage) {
	var e course
	if json.Unmarshal(params, &e) != nil {
		return
	}
	b.mu.Lock()
	own := b.escorts[e.Frame.ID]
	turned := e.Frame.LoaderID != "" && b.leaving[e.Frame.ID] == e.Frame.LoaderID
	if turned {
		delete(b.leaving, e.Frame.ID)
	}
	b.mu.Unlock()
	if turned {
		b.locate(e.Frame.ID)
	}
	if own != nil && nowhere(e.Frame.URL) {
		b.origin(own, e.Frame.ID, nil)
	}
}

// locate asks where a page is.
func (b *browser) locate(target string) {
	b.watch.Send("Target.getTargetInfo", map[string]any{"targetId": target}, func(result json.RawMessage, err error) {
		if err == nil {
			b.moved(result)
		}
	})
}

// goneTarget forgets a target.
func (b *browser) goneTarget(params json.RawMessage) {
	var e struct{ TargetID string }
	if json.Unmarshal(params, &e) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.leaving, e.TargetID)
	delete(b.there, e.TargetID)
	delete(b.escorts, e.TargetID)
	for _, m := range []map[string]bool{b.hidden, b.foreign, b.barred} {
		delete(m, e.TargetID)
	}
}

// secret says whether an event tells that a page is on its way to where the client
// may not see it.
func (b *browser) secret(method string, params json.RawMessage) bool {
	if b.o.Theirs == nil {
		return false
	}
	var e struct {
		URL, DocumentURL, Type string
	}
	switch method {
	case "Page.frameStartedNavigating", "Page.frameRequestedNavigation", "Page.frameScheduledNavigation", "Network.requestWillBeSent":
		return json.Unmarshal(params, &e) != nil || (e.Type == "Document" || e.DocumentURL == "") && !b.o.Theirs.Shows(cmp.Or(e.URL, e.DocumentURL))
	}
	return false
}

// asks says whether a request that a client holds is its to answer: the document of
// a page that it is not to see is nobody's, and its page is gone for it.
func (b *browser) asks(s *session, params json.RawMessage) bool {
	if b.o.Theirs == nil {
		return true
	}
	r, ok := pausedOf(params)
	if !ok || r.Type == "Document" && b.goes(cmp.Or(r.Frame, s.of), r.Request.URL) {
		return false
	}
	s.held.addBounded(r.ID, maxCalls) // requests that were given up end without an event
	return true
}

// heldRequest: one that the client was told of. Their ids could be guessed.
func heldRequest(c *command) error {
	if c.o.Theirs == nil && !c.session.root {
		return nil
	}
	id, err := param[string](c, "requestId")
	if err != nil {
		return err
	}
	body := c.method == "Fetch.getResponseBody" || c.method == "Fetch.takeResponseBodyAsStream"
	if body && c.session.held.contains(id) {
		return nil
	}
	if !c.session.held.remove(id) { // if it waits again for its response, another event says so
		return chromiums("Invalid InterceptionId.")
	}
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		if err != nil {
			c.session.held.add(id)
		}
		return result
	}
	return nil
}

// heldGoing is heldRequest for one that may go elsewhere, heldStream for one whose
// body is a stream. One that may not go there fails: its client has let it go, and
// would leave its page waiting for it.
func heldGoing(c *command) error {
	if err := heldRequest(c); err != nil {
		return err
	}
	err := maybeURL(c)
	if id, unnamed := param[string](c, "requestId"); err != nil && unnamed == nil {
		c.session.Send("Fetch.failRequest", map[string]any{"requestId": id, "errorReason": "BlockedByClient"}, nil)
	}
	return err
}

func heldStream(c *command) error {
	if err := heldRequest(c); err != nil {
		return err
	}
	return streams(c)
}
