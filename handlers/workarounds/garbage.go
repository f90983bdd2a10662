package workarounds

import (
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
)

// documentsKept is the number of documents after which a page's renderer is asked to
// collect garbage. Chromium keeps past documents until memory is short, which at 2 MB a
// document is more than a gigabyte.
const documentsKept = 25

// garbage counts what a page may have left behind.
type garbage struct {
	calls      atomic.Int32 // running on the page
	documents  atomic.Int32 // since the last collection
	collecting atomic.Bool
}

var remains = browser.State[*browser.Page, garbage]{New: func(p *browser.Page) *garbage {
	g := &garbage{}
	p.PW.OnDOMContentLoaded(func(playwright.Page) { g.documents.Add(1) })
	return g
}}

// Busy records that a call on the page begins; a late call is [Drawn]. done records
// that it has ended, and whether another waits for that. If none does, and it is time,
// the renderer collects its garbage: page.requestGC, without a wait.
func Busy(p *browser.Page) (done func(awaited bool)) {
	g := remains.Of(p)
	g.calls.Add(1)
	drawn := Drawn(p)
	return func(awaited bool) {
		drawn()
		if g.calls.Add(-1) > 0 || awaited || g.documents.Load() < documentsKept || p.IsPaused() || !g.collecting.CompareAndSwap(false, true) {
			return
		}
		g.documents.Store(0)
		go func() {
			defer g.collecting.Store(false)
			p.Session.Browser.Log.Debug("a renderer is to collect its garbage", "page", p.Name)
			_, _ = p.DevTools("HeapProfiler.collectGarbage", nil) // a page that is gone has none
		}()
	}
}
