package fastpath

import (
	"encoding/json"
	"sync"
	"sync/atomic"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/machine/tricks"
)

// requests counts what a page asks servers for. After an act of ours it may change the page
// when they answer, so a click that follows waits until the page stands still.
type requests struct {
	mu      sync.Mutex
	session *cdp.Session // that reports them
	made    int64        // requests, messages through web sockets, and windows
	before  int64        // how many of them the last act of ours found
	led     bool         // since that act the page went elsewhere, or began a download

	asked   string          // the document that was asked for last, by its loader
	arrived bool            // it is the page's, and
	loaded  bool            // has been loaded
	more    bool            // a script in it asked for something, or it did after it was loaded
	open    map[string]bool // requests without an end
}

var asking browser.State[*browser.Page, requests]

var noQuietClicks = tricks.Off(tricks.QuietClicks)

// beginAct records that an act of ours begins. It answers how many there were when the act before
// began, or -1 where s did not report then. s may be nil.
func (r *requests) beginAct(s *cdp.Session) (before int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before = r.before; s != r.session {
		before = -1
	}
	r.before, r.led = r.count(s), false
	return before
}

// follow counts what s reports, and answers how many there were. s may be nil.
func (r *requests) follow(s *cdp.Session) (made int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count(s)
}

// count is follow with the lock held.
func (r *requests) count(s *cdp.Session) (made int64) {
	if s != nil && s != r.session && !noQuietClicks {
		r.session, r.arrived, r.open = s, false, map[string]bool{}
		asks, leads := func(json.RawMessage) { r.made++ }, func(json.RawMessage) { r.led = true }
		for event, note := range map[string]func(json.RawMessage){
			"Network.webSocketFrameSent": asks, "Page.windowOpen": asks, "Network.requestWillBeSent": r.noteRequest,
			"Network.loadingFinished": r.noteEnd, "Network.loadingFailed": r.noteEnd,
			"Network.webSocketCreated":     func(json.RawMessage) { r.more = true },
			"Page.frameNavigated":          r.noteDocument,
			"Page.loadEventFired":          func(json.RawMessage) { r.loaded = true },
			"Page.navigatedWithinDocument": leads, "Page.frameRequestedNavigation": leads, "Page.downloadWillBegin": leads,
		} {
			s.On(event, func(params json.RawMessage) {
				r.mu.Lock()
				defer r.mu.Unlock()
				note(params)
			})
		}
		s.Send("Page.enable", nil, nil)
		// No body is kept for this session, which asks for none.
		s.Send("Network.enable", map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}, nil)
	}
	return r.made
}

// loading are the requests that a document waits for until it is loaded.
var loading = map[string]bool{"Document": true, "Stylesheet": true, "Image": true, "Font": true, "Script": true}

// noteRequest notes a request. Like the notes of other events it is called with the lock held.
func (r *requests) noteRequest(raw json.RawMessage) {
	var e struct{ RequestID, LoaderID, Type string }
	err := json.Unmarshal(raw, &e)
	r.made++
	if e.Type == "Document" && e.RequestID == e.LoaderID {
		r.asked, r.open = e.LoaderID, map[string]bool{}
	}
	r.more = r.more || err != nil || r.loaded || !loading[e.Type] || len(r.open) == maxOpen
	if !r.more {
		r.open[e.RequestID] = true
	}
}

// maxOpen bounds the requests that a page may have under way and be followed.
const maxOpen = 1000

func (r *requests) noteEnd(raw json.RawMessage) {
	var e struct{ RequestID string }
	_ = json.Unmarshal(raw, &e)
	delete(r.open, e.RequestID)
}

// noteDocument begins anew with a page's document.
func (r *requests) noteDocument(raw json.RawMessage) {
	var e struct {
		Frame struct{ LoaderID, ParentID string }
	}
	if json.Unmarshal(raw, &e) != nil || e.Frame.ParentID != "" {
		return
	}
	r.arrived, r.loaded, r.more = e.Frame.LoaderID == r.asked, false, false
}

// hasLoaded reports whether the page's document is loaded, and has asked for nothing more.
func (r *requests) hasLoaded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.arrived && r.loaded && !r.more && len(r.open) == 0
}

// fewPages: if a session has room for at most this many pages, it must be known at once
// when a page exceeds the limit.
const fewPages = 10

// maxAhead is the number of scripts and acts before a wait for the driver. Scripts with much
// output would otherwise leave it so far behind that it seems hung.
const maxAhead = 10

var aheadBy browser.State[*browser.Page, atomic.Int64]

// isFarAhead counts a script or an act, and reports whether to wait for the driver.
func isFarAhead(p *browser.Page) bool { return aheadBy.Of(p).Add(1)%maxAhead == 0 }

// endAct ends an act of ours. If the page asked for nothing and went nowhere, the next act needs
// nothing that the driver reports; then only tools that answer from its events wait for them.
// Otherwise the act waits.
func endAct(p *browser.Page, s *cdp.Session) {
	r := asking.Of(p)
	r.mu.Lock()
	nothing := s == r.session && r.made == r.before && !r.led
	r.mu.Unlock()
	if nothing && p.Session.Room() >= fewPages && !isFarAhead(p) {
		ahead.Of(p).Store(true)
		return
	}
	catchUp(p)
}

// aloneSince reports whether the page has asked for nothing since there were so many requests,
// and has no worker, whose requests and answers are not seen. The browser reports a request of an
// act's events on the same session as their end, and before it.
func (r *requests) aloneSince(before int64, s *cdp.Session, p *browser.Page) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s == r.session && r.made == before && p.Workers.Load() == 0
}
