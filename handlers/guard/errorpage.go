package guard

import (
	"context"
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
)

// errorPage is which of the documents that a page shows is to be the error page
// of a navigation that failed.
var errorPage browser.State[*browser.Page, atomic.Int64]

// errorPageDue notes that a navigation failed: Chromium will show an error page,
// unless the failure was that there is nothing to show.
func errorPageDue(p *browser.Page, why error) {
	if !pwerrors.IsAborted(why) {
		errorPage.Of(p).Store(p.Documents.Load() + 1)
	}
}

// errorPageTime is how long the error page may take to come.
const errorPageTime = 1500 * time.Millisecond

// AwaitErrorPage waits, a moment at the most, for the error page of a navigation
// that failed, to have come to the browser's own process too: one that comes between
// would leave the next in the air.
func AwaitErrorPage(ctx context.Context, p *browser.Page) {
	due := errorPage.Of(p)
	for end := time.Now().Add(errorPageTime); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if p.Arrived() >= due.Load() || ctx.Err() != nil {
			return
		}
	}
	due.Store(0) // there is none
}

// Leaves is for a navigation that somebody begins past our tools, and [AwaitErrorPage]
// for where it fails: it has failed once shown is called. The page may be nil.
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
