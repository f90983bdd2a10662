package loadstate

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
)

// A page's network is idle when no request has been under way for idleTime, or
// when every request has had its response and nothing has happened for quiet.
// The second is needed since Chromium does not end a response whose body the
// page never reads, nor does a stream end.
const (
	idleTime = 500 * time.Millisecond
	quiet    = time.Second
)

// mostOpen bounds the requests that are remembered: those that never end.
const mostOpen = 1000

// traffic is what a page has under way. Playwright's own "networkidle" is about
// the document's loading, and has nothing to say of what a click fetches later,
// nor of a document that was there before playwright-go.
type traffic struct {
	mu   sync.Mutex
	open map[playwright.Request]bool // true: its response's head has come
	last time.Time                   // when something happened
}

// Busy is what pages have under way.
var Busy = browser.State[*browser.Page, traffic]{New: func(*browser.Page) *traffic { return newTraffic() }}

// Hooks follows what pages send and get.
var Hooks = browser.Hooks{Context: func(s *browser.Session, o *browser.Opened) error {
	follow(o.BrowserContext, func(r playwright.Request) *traffic {
		if f := r.Frame(); f != nil {
			if p := s.Find(f.Page()); p != nil {
				return Busy.Of(p)
			}
		}
		return nil
	})
	return nil
}}

func newTraffic() *traffic {
	return &traffic{open: map[playwright.Request]bool{}, last: time.Now()}
}

// follow notes what a page, or a context, sends and gets.
func follow(on interface {
	OnRequest(func(playwright.Request))
	OnResponse(func(playwright.Response))
	OnRequestFinished(func(playwright.Request))
	OnRequestFailed(func(playwright.Request))
}, of func(playwright.Request) *traffic) {
	on.OnRequest(func(r playwright.Request) { of(r).note(r, true, false) })
	on.OnResponse(func(r playwright.Response) { of(r.Request()).note(r.Request(), true, true) })
	on.OnRequestFinished(func(r playwright.Request) { of(r).note(r, false, true) })
	on.OnRequestFailed(func(r playwright.Request) { of(r).note(r, false, true) })
}

// note follows a request; n may be nil. It runs in event callbacks and does not
// block.
func (n *traffic) note(r playwright.Request, open, answered bool) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = time.Now()
	switch {
	case !open:
		delete(n.open, r)
		return
	case answered && r.IsNavigationRequest() && r.Frame() != nil && r.Frame().ParentFrame() == nil:
		clear(n.open) // of the document before
	case len(n.open) >= mostOpen:
		maps.DeleteFunc(n.open, func(_ playwright.Request, answered bool) bool { return answered })
	}
	n.open[r] = answered
}

// rest says how long it will take at least until the network has been idle
// since a time; 0 or less: it is. streams tells whether a body that has not
// ended counts as traffic for as long as it lasts.
func (n *traffic) rest(since time.Time, streams bool) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	if since.Before(n.last) {
		since = n.last
	}
	if len(n.open) == 0 {
		return idleTime - time.Since(since)
	}
	for _, answered := range n.open {
		if !answered || streams {
			return idleTime
		}
	}
	return quiet - time.Since(since)
}

// Idle waits until the network has been idle since a time, as rest tells it.
func (n *traffic) Idle(ctx context.Context, since time.Time, streams bool) error {
	for {
		wait := n.rest(since, streams)
		if wait <= 0 {
			return nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Waiting is a URL that there is no response from yet, "" for none.
func (n *traffic) Waiting() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	for r, answered := range n.open {
		if !answered {
			return r.URL()
		}
	}
	return ""
}

// Leaving reports whether the page is on its way to a document that there is no
// response from yet. The one before stays until then, and answers nothing.
func (n *traffic) Leaving() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for r, answered := range n.open {
		if !answered && r.IsNavigationRequest() && r.Frame() != nil && r.Frame().ParentFrame() == nil {
			return true
		}
	}
	return false
}
