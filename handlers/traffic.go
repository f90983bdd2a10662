package handlers

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// idleTime is how long a page must be without traffic to count as idle.
const idleTime = 500 * time.Millisecond

// traffic counts a page's requests under way. Playwright's own "networkidle" is
// about the document's loading and has nothing to say of what a click fetches
// later.
type traffic struct {
	mu       sync.Mutex
	underWay map[playwright.Request]bool
	last     time.Time // of the last beginning or end
}

// watch follows a page. Its callbacks run in event callbacks and do not block.
func (t *traffic) watch(pw playwright.Page) {
	t.underWay, t.last = map[playwright.Request]bool{}, time.Now()
	note := func(r playwright.Request, begins bool) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.last = time.Now()
		if begins {
			t.underWay[r] = true
		} else {
			delete(t.underWay, r)
		}
	}
	pw.OnRequest(func(r playwright.Request) { note(r, true) })
	pw.OnRequestFinished(func(r playwright.Request) { note(r, false) })
	pw.OnRequestFailed(func(r playwright.Request) { note(r, false) })
}

// busy says how long it will take at least until the page is idle; 0: it is.
func (t *traffic) busy() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.underWay) > 0 {
		return idleTime
	}
	return max(0, idleTime-time.Since(t.last))
}

// touch starts the count anew: what an action sets off may come a little later.
func (t *traffic) touch() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = time.Now()
}

// idle waits until the page is idle, for limit at most, and reports whether it
// is.
func (t *traffic) idle(ctx context.Context, limit time.Duration) (bool, error) {
	end := time.NewTimer(limit)
	defer end.Stop()
	for {
		wait := t.busy()
		if wait == 0 {
			return true, nil
		}
		select {
		case <-time.After(min(wait, 50*time.Millisecond)):
		case <-end.C:
			return t.busy() == 0, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}
