package fastpath

import (
	"time"

	"pwpipe/handlers/browser"
)

// InjectedScript exports Playwright's injected script for a comparing test.
var InjectedScript = injectedScript

// The tests of this package ask whether the page or the driver has answered. On a slow
// machine the page gets the time that it needs, within a quarter of a call's.
func init() { maxPatience = time.Minute }

// Counted is the number of reads that a page's document has answered, and of messages
// for them.
func Counted(p *browser.Page) (answers, messages int64) {
	r := readers.Of(p)
	return r.answered.Load(), r.sent.Load()
}

// Quiet is the number of direct clicks of a page that awaited no frame.
func Quiet(p *browser.Page) int64 {
	m := pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.quiet
}

// Clicked is the number of direct clicks of a page.
func Clicked(p *browser.Page) int64 {
	m := pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.made
}
