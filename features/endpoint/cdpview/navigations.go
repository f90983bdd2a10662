package cdpview

import (
	"encoding/json"
	"regexp"
	"strings"
)

// A page that a person takes to where the client may not see it is gone for the client
// before the new document is there: the client's sessions have ended, and with them the
// scripts, breakpoints and bindings that the document would have begun with. Whatever is
// fetched (files among it) waits for that, held by a session of ours. The browser's own
// pages pass no interception; of them we hear when the navigation starts.

// requestPaused releases a document, once the client has lost the page that it may not
// see in it. The browser does what it is asked in this order.
func (v *visibility) requestPaused(params json.RawMessage) {
	r, ok := requestOf(params)
	if !ok {
		return
	}
	v.leaves(r.Frame, r.Request.URL)
	if v.barred.remove(r.Frame) {
		v.watch.Send("Fetch.failRequest", map[string]any{"requestId": r.ID, "errorReason": "AccessDenied"}, nil)
		return
	}
	v.watch.Send("Fetch.continueRequest", map[string]any{"requestId": r.ID}, nil)
}

// leaves takes a page from the client that is on its way to where the client may not see
// it. It reports whether that is so.
func (v *visibility) leaves(frame, url string) bool {
	if v.shared.Shows(url) {
		return false
	}
	v.mu.Lock()
	_, page := v.urls[frame]
	if page {
		v.leaving[frame], v.hidden[frame] = "", true
	}
	v.mu.Unlock()
	if page {
		v.client.lose(frame)
		v.follow(frame)
	}
	return page
}

// fetched are the schemes whose documents requestPaused holds. It hears of a document
// after those who may redirect it.
var fetched = regexp.MustCompile("^(?:https?|file):")

// navigation is what a page reports about its frames.
type navigation struct {
	FrameID, URL, LoaderID, NavigationType, Reason string
	Frame                                          struct{ ID, LoaderID, URL string }
}

// read is a listener that decodes events. It drops those that can't be decoded.
func read[T any](hear func(e T)) func(params json.RawMessage) {
	return func(params json.RawMessage) {
		var e T
		if json.Unmarshal(params, &e) == nil {
			hear(e)
		}
	}
}

// follow has a session of ours report where a page goes that the client has a session
// with. It runs where the connection is read.
func (v *visibility) follow(page string) {
	if v.watch == nil {
		return
	}
	v.mu.Lock()
	_, has := v.followed[page]
	if !has {
		v.followed[page] = nil
	}
	v.mu.Unlock()
	if has {
		return
	}
	attach := map[string]any{"targetId": page, "flatten": true}
	v.watch.Send("Target.attachToTarget", attach, func(result json.RawMessage, err error) {
		var got struct{ SessionID string }
		if err != nil || json.Unmarshal(result, &got) != nil {
			return
		}
		own := v.watch.Adopt(got.SessionID)
		own.On("Page.frameStartedNavigating", read(func(e navigation) { v.frameStarts(page, e) }))
		own.On("Page.frameStartedNavigating", read(v.pageStarts))
		own.On("Page.frameNavigated", read(v.frameNavigated))
		own.On("Page.frameDetached", read(v.frameDetached))
		v.mu.Lock()
		v.followed[page] = own
		v.mu.Unlock()
		own.Send("Page.enable", nil, nil)
		v.locate(page) // it may have been on its way
	})
}

// frameStarts follows where the frames of a page go. No page of the client's embeds
// files: a page of the web can't, but a page without an address could if a file made it.
func (v *visibility) frameStarts(page string, e navigation) {
	if e.FrameID == page {
		return
	}
	if !v.shared.hidesOwnPages() || v.inWeb(e.URL) {
		v.foreign.remove(e.FrameID)
	} else {
		v.foreign.add(e.FrameID)
	}
	v.mu.Lock()
	hidden := v.hidden[page]
	v.mu.Unlock()
	if !hidden && strings.HasPrefix(e.URL, "file:") && !v.shared.Shows(e.URL) {
		v.barred.add(e.FrameID)
	}
}

// frameDetached forgets a frame, unless it has become a target of its own.
func (v *visibility) frameDetached(e navigation) {
	if e.Reason == "swap" {
		return
	}
	v.foreign.remove(e.FrameID)
	v.barred.remove(e.FrameID)
}

// pageStarts takes a page from the client whose new document is not fetched: one of the
// browser's own, or one of the history, which may be kept. A page that turns round is the
// client's again when it arrives.
func (v *visibility) pageStarts(e navigation) {
	if !fetched.MatchString(e.URL) || e.NavigationType == "historyDifferentDocument" {
		if v.leaves(e.FrameID, e.URL) {
			return
		}
	}
	shown := v.shared.Shows(e.URL)
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, leaving := v.leaving[e.FrameID]; leaving && shown {
		v.leaving[e.FrameID] = e.LoaderID
	}
}

func (v *visibility) frameNavigated(e navigation) {
	v.mu.Lock()
	own := v.followed[e.Frame.ID]
	turned := e.Frame.LoaderID != "" && v.leaving[e.Frame.ID] == e.Frame.LoaderID
	if turned {
		delete(v.leaving, e.Frame.ID)
	}
	v.mu.Unlock()
	if turned {
		v.locate(e.Frame.ID)
	}
	if own != nil && nowhere(e.Frame.URL) {
		v.checkOrigin(own, e.Frame.ID, nil)
	}
}

func (v *visibility) locate(target string) {
	v.watch.Send("Target.getTargetInfo", map[string]any{"targetId": target}, func(result json.RawMessage, err error) {
		if err == nil {
			v.targetChanged(result)
		}
	})
}
