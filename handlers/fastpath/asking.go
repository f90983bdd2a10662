package fastpath

import (
	"encoding/json"
	"sync"

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
}

var asking browser.State[*browser.Page, requests]

// acts records that an act of ours begins. It answers how many there were when the act before
// began, or -1 where s did not report then. s may be nil.
func (r *requests) acts(s *cdp.Session) (before int64) {
	r.mu.Lock()
	reported := s == r.session
	r.mu.Unlock()
	now := r.follow(s)
	r.mu.Lock()
	defer r.mu.Unlock()
	if before = r.before; !reported {
		before = -1
	}
	r.before, r.led = now, false
	return before
}

// follow counts what s reports, and answers how many there were. s may be nil.
func (r *requests) follow(s *cdp.Session) (made int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s != nil && s != r.session && !tricks.Off(tricks.QuietClicks) {
		r.session = s
		for _, event := range []string{"Network.requestWillBeSent", "Network.webSocketFrameSent", "Page.windowOpen"} {
			s.On(event, func(json.RawMessage) { r.count() })
		}
		for _, event := range []string{"Page.navigatedWithinDocument", "Page.frameRequestedNavigation", "Page.downloadWillBegin"} {
			s.On(event, func(json.RawMessage) { r.leads() })
		}
		// No body is kept for this session, which asks for none.
		s.Send("Network.enable", map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}, nil)
	}
	return r.made
}

func (r *requests) count() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made++
}

func (r *requests) leads() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.led = true
}

// acted ends an act of ours. Where the page asked for nothing and went nowhere, the driver has
// nothing to report that the next act must know, so only a tool that answers from its events
// waits for them. Elsewhere the act waits.
func acted(p *browser.Page, s *cdp.Session) {
	r := asking.Of(p)
	r.mu.Lock()
	nothing := s == r.session && r.made == r.before && !r.led
	r.mu.Unlock()
	if nothing && p.Session.Room() >= fewPages && !evaluators.Of(p).far() {
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
	return s == r.session && r.made == before && p.Workers() == 0
}
