// Package crew runs functions in goroutines that stay for the next. A new
// goroutine has a small stack, which is copied each time that it grows: for a
// call that is answered at once that was a tenth of the work.
package crew

import "sync/atomic"

// most is how many wait for something to do.
const most = 8

var (
	tasks   = make(chan func())
	waiting atomic.Int32
)

// Go is the go statement: fn runs in a goroutine of its own.
func Go(fn func()) {
	select {
	case tasks <- fn:
	default:
		go work(fn)
	}
}

func work(fn func()) {
	for {
		fn()
		fn = nil // what it held is not kept
		if waiting.Add(1) > most {
			waiting.Add(-1)
			return
		}
		fn = <-tasks
		waiting.Add(-1)
	}
}
