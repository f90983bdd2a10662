package fastpath

import "pwpipe/handlers/browser"

// Counted is what has gone straight to a page, past the driver.
type Counted struct {
	Answers  int64 // reads that its document has answered
	Messages int64 // that were sent for them
	Clicks   int64
	Quiet    int64 // of these clicks, those that awaited no frame
}

// Counts counts since the page was opened. It is how a test tells which way a call went.
func Counts(p *browser.Page) Counted {
	r, m := readers.Of(p), pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	return Counted{r.answered.Load(), r.sent.Load(), m.made, m.quiet}
}
