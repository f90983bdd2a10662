// Package loadstate tracks load states: how far a page has loaded, and whether its
// network is idle.
package loadstate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
)

// Loaded waits until a page's document has reached a load state: page.waitForLoadState.
func Loaded(ctx context.Context, p *browser.Page, state playwright.LoadState, within time.Duration) error {
	f, end := p.PW.MainFrame(), time.Now().Add(within)
	idle := state == *playwright.LoadStateNetworkidle
	if idle {
		if knownLoaded(f, state, time.Millisecond) == nil {
			return nil
		}
		state = *playwright.LoadStateDomcontentloaded
	}
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	err := reached(ctx, f, state, end)
	if err == nil && idle {
		err = Busy.Of(p).Idle(ctx, time.Time{}, false)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", playwright.ErrTimeout,
			&playwright.Error{Name: "TimeoutError", Message: fmt.Sprintf("Timeout %dms exceeded.", within.Milliseconds())})
	}
	return err
}

// reached waits for a load state. playwright-go learns load states only from events. It
// knows none for a document that existed before it attached (about:blank of a fresh
// page, a pop-up's, a tab of an attached Chrome), and would wait for ever. So this asks
// the document itself at intervals.
func reached(ctx context.Context, f playwright.Frame, state playwright.LoadState, end time.Time) error {
	for wait := time.Millisecond; state != "commit"; wait = browser.Slice {
		left := time.Until(end)
		if err := knownLoaded(f, state, min(wait, max(left, time.Millisecond))); !errors.Is(err, playwright.ErrTimeout) {
			return err
		}
		switch has, err := saysLoaded(f, min(browser.Slice, max(left, time.Millisecond))); {
		case has == "load" || has == string(state):
			return nil
		case err != nil && (pwerrors.IsClosed(err) || f.IsDetached()):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
	return nil
}

// knownLoaded waits until playwright-go knows a load state.
func knownLoaded(f playwright.Frame, state playwright.LoadState, within time.Duration) error {
	return f.WaitForLoadState(playwright.FrameWaitForLoadStateOptions{State: &state, Timeout: inMilliseconds(within)})
}

// saysLoaded is the load state that a frame's document reports: "load",
// "domcontentloaded", or "" if it has reached neither or does not answer.
func saysLoaded(f playwright.Frame, within time.Duration) (string, error) {
	return f.TextContent("ref=!state", playwright.FrameTextContentOptions{Timeout: inMilliseconds(within)})
}

func inMilliseconds(d time.Duration) *float64 {
	return playwright.Float(float64(d.Microseconds()) / 1000)
}

// A page's network is idle if it has had no pending request for idleTime, or if every
// request has had its response and nothing has happened for quiet. The second rule is
// needed because Chromium does not end a response whose body the page never reads, and
// streams do not end.
const (
	idleTime = 500 * time.Millisecond
	quiet    = time.Second
)

// maxOpen bounds the requests that are tracked, since some never end.
const maxOpen = 1000

// traffic is a page's pending requests. Playwright's own "networkidle" is about the
// document's loading. It does not cover what a click fetches later, nor a document that
// existed before playwright-go attached.
type traffic struct {
	mu   sync.Mutex
	open map[playwright.Request]bool // true: its response's head has come
	last time.Time                   // when something happened last
}

// Busy has the pending requests of pages.
var Busy = browser.State[*browser.Page, traffic]{New: func(*browser.Page) *traffic { return newTraffic() }}

func newTraffic() *traffic {
	return &traffic{open: map[playwright.Request]bool{}, last: time.Now()}
}

// Hooks follows the requests and responses of pages.
var Hooks = browser.Hooks{Context: func(s *browser.Session, o *browser.Opened) error {
	note := func(r playwright.Request, open, answered bool) {
		if f := r.Frame(); f != nil {
			if p := s.Find(f.Page()); p != nil {
				Busy.Of(p).note(r, open, answered)
			}
		}
	}
	o.OnRequest(func(r playwright.Request) { note(r, true, false) })
	o.OnResponse(func(r playwright.Response) { note(r.Request(), true, true) })
	o.OnRequestFinished(func(r playwright.Request) { note(r, false, true) })
	o.OnRequestFailed(func(r playwright.Request) { note(r, false, true) })
	return nil
}}

// note follows a request. It runs in event callbacks and does not block.
func (n *traffic) note(r playwright.Request, open, answered bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = time.Now()
	switch {
	case !open:
		delete(n.open, r)
		return
	case answered && isOfPage(r):
		clear(n.open) // of the document before
	case len(n.open) >= maxOpen:
		maps.DeleteFunc(n.open, func(_ playwright.Request, answered bool) bool { return answered })
	}
	n.open[r] = answered
}

// rest is the minimal time until the network has been idle since a time; 0 or less: it
// is idle. streams: a body that has not ended counts as traffic.
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

// Idle waits until the network has been idle since a time, as rest defines it.
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

// Open says when something happened last, and whether a request has no response yet.
func (n *traffic) Open() (last time.Time, open bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, answered := range n.open {
		open = open || !answered
	}
	return n.last, open
}

// Waiting is a URL without a response yet, "" for none.
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

// Leaving reports whether the page navigates to a document without a response yet. The
// current document stays until then, and answers nothing.
func (n *traffic) Leaving() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for r, answered := range n.open {
		if !answered && isOfPage(r) {
			return true
		}
	}
	return false
}

// isOfPage reports whether a request is for the page's own document.
func isOfPage(r playwright.Request) bool {
	return r.IsNavigationRequest() && r.Frame() != nil && r.Frame().ParentFrame() == nil
}
