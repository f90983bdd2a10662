package fastpath

import (
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/pwerrors"
)

// ahead records that a page answered past the driver. Its answer may be newer than the
// driver's events, such as a script's console lines.
var ahead browser.State[*browser.Page, atomic.Bool]

// catchUpTime bounds the wait for the driver's events.
const catchUpTime = time.Second

// catchUp waits, for a moment at most, until the driver has reported everything that it
// knew about the page before now: its answers and events come in one order.
func catchUp(p *browser.Page) {
	ahead.Of(p).Store(false)
	launch.Within(catchUpTime, func() (err error) {
		for range 3 { // the driver may be about to report that the document has gone, and then that another came
			if _, err = p.PW.Title(); !pwerrors.IsGone(err) && !pwerrors.IsLeft(err) {
				break
			}
		}
		return err
	})
}

// CatchUp waits for the driver's events of pages that are ahead. Tools that answer from
// events call it.
func CatchUp(pages ...*browser.Page) {
	for _, p := range pages {
		if ahead.Of(p).Load() && !p.IsPaused() {
			catchUp(p)
		}
	}
}

// Ahead marks a session's pages as ahead: a script works on them past the driver.
func Ahead(s *browser.Session) {
	for _, p := range s.OpenPages() {
		ahead.Of(p).Store(true)
	}
}
