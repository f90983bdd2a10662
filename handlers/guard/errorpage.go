package guard

import (
	"context"
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
)

// errorPage records which of the page's documents will be the error page of a failed
// navigation.
var errorPage browser.State[*browser.Page, atomic.Int64]

// errorPageDue records that a navigation failed. Chromium will show an error page,
// unless the navigation failed because there is nothing to show.
func errorPageDue(p *browser.Page, why error) {
	if !pwerrors.IsAborted(why) {
		errorPage.Of(p).Store(p.Documents.Load() + 1)
	}
}

// errorPageTime bounds the wait for the error page.
const errorPageTime = 1500 * time.Millisecond

// AwaitErrorPage waits, for a moment at most, for the error page of a failed
// navigation, until the browser's own process has it too. A navigation that begins
// before could be lost.
func AwaitErrorPage(ctx context.Context, p *browser.Page) {
	due := errorPage.Of(p)
	for end := time.Now().Add(errorPageTime); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if p.Arrived() >= due.Load() || ctx.Err() != nil {
			return
		}
	}
	due.Store(0) // there is none
}

// Leaves records a navigation that somebody begins past our tools. If it fails, call
// [AwaitErrorPage]; it has failed once shown is called. The page may be nil.
func Leaves(p *browser.Page) (shown func()) {
	if p == nil {
		return func() {}
	}
	last := p.Documents.Load()
	return func() {
		for end := time.Now().Add(errorPageTime); time.Now().Before(end) && p.Arrived() <= last && p.Lost() == nil; time.Sleep(5 * time.Millisecond) {
		}
	}
}
