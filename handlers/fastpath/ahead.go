package fastpath

import (
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/pwerrors"
)

// ahead says that a page answered past the driver: what it answered may be newer
// than what the driver has told of it, such as what a script wrote to the
// console.
var ahead browser.State[*browser.Page, atomic.Bool]

// catchUpTime bounds the wait for the driver's events.
const catchUpTime = time.Second

// catchUp waits, a moment at the most, until the driver has told what it knew of
// the page before now: its answers and its events come in one order.
func catchUp(p *browser.Page) {
	ahead.Of(p).Store(false)
	launch.Within(catchUpTime, func() (err error) {
		for range 3 { // the driver may just be told that the document it asked is gone, and then of the one that came
			if _, err = p.PW.Title(); !pwerrors.IsGone(err) && !pwerrors.IsLeft(err) {
				break
			}
		}
		return err
	})
}

// CatchUp is for who answers by events: it waits for those of pages that are
// ahead.
func CatchUp(pages ...*browser.Page) {
	for _, p := range pages {
		if ahead.Of(p).Load() && !p.IsPaused() {
			catchUp(p)
		}
	}
}

// Ahead says so of a session's pages, on which a script works past the driver.
func Ahead(s *browser.Session) {
	for _, p := range s.OpenPages() {
		ahead.Of(p).Store(true)
	}
}
