package tool

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/loadstate"
	"pwpipe/provider"
)

// A guess is told at once: a call that nobody gave a time, for an element that is not there,
// ends when its page has been at rest for a while. At rest is one that loads nothing, asks for
// nothing and changes nothing. Scripts have the same: features/scripts/scripthost/js/patience.cjs.

const (
	restTime  = time.Second
	lockTime  = 3 * time.Second        // for one that is disabled, covered or hidden: the page may be waiting
	firstLook = 100 * time.Millisecond // after which most elements have been found
	maxLook   = 200 * time.Millisecond // for one frame
	maxFrames = 20
)

// Guess watches whether a page is at rest while a call waits.
type Guess struct {
	c     *Call
	timer *time.Timer

	mu   sync.Mutex
	seen string // how the page looked last, "" where it was not at rest
	from time.Time
}

// Guess begins to watch, for requests of models and of the command line that say no time; it
// is nil for others, and for tools that are made to wait. The caller calls Done.
func (c *Call) Guess() *Guess {
	spec := provider.SpecFrom(c.Ctx)
	if !provider.RequestFrom(c.Ctx).Tell || spec.Effect == provider.Waits || spec.Scripts || provider.TimeGiven(c.Ctx) {
		return nil
	}
	g := &Guess{c: c}
	g.timer = time.AfterFunc(firstLook, func() { g.Rests() })
	return g
}

// Done ends it.
func (g *Guess) Done() {
	if g != nil {
		g.timer.Stop()
	}
}

// slice is how long the first attempt may take.
func (g *Guess) slice() time.Duration {
	if g == nil {
		return browser.Slice
	}
	return max(browser.Slice, restTime+2*firstLook)
}

// Rests looks at the page, and reports whether it has been at rest for a second.
func (g *Guess) Rests() bool { return g.restsFor() >= restTime }

// restsFor looks at the page, and returns how long it has been at rest.
func (g *Guess) restsFor() time.Duration {
	if g == nil {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.look()
	if now == "" || now != g.seen {
		g.seen, g.from = now, time.Now()
		return 0
	}
	return time.Since(g.from)
}

// look is how the page is, "" for one that is not at rest.
func (g *Guess) look() string {
	p := g.c.Page
	last, open := loadstate.Busy.Of(p).Open()
	if open || len(p.PW.Frames()) > maxFrames || p.IsPaused() {
		return ""
	}
	text := last.String()
	for _, f := range Documents(p) {
		timeout := playwright.Float(float64(maxLook.Milliseconds()))
		changes, err := f.TextContent("ref=!resting", playwright.FrameTextContentOptions{Timeout: timeout})
		if err != nil || changes == "" {
			return ""
		}
		text += " " + changes
	}
	return text
}

// over returns the error of a call that has nothing to wait for: the page is at rest, and nothing
// matches, or what matches is disabled, covered or hidden.
func (g *Guess) over(err error, sel string) error {
	if sel == "" || !errors.Is(err, playwright.ErrTimeout) {
		return nil
	}
	rested := g.restsFor()
	if rested < restTime {
		return nil
	}
	why, hint, err := g.c.why(sel)
	at := g.c.Where()
	e := &provider.Error{Kind: provider.KindFailed, Page: at.Page, URL: at.URL}
	switch {
	case err == nil && why == absent:
		e.Msg = fmt.Sprintf("nothing matches %q on %s, and %s", sel, at, Rested) +
			nearNames(Frame(g.c.Page), sel, browser.LateGrace/2, g.c.Short)
	case err == nil && why != ready && rested >= lockTime:
		e.Msg = fmt.Sprintf("%q %s on %s, and %s%s", sel, why, at, restedFor(lockTime), hint)
	default:
		return nil
	}
	return e
}

// Rested is what errors say of a page at rest.
var Rested = restedFor(restTime)

func restedFor(d time.Duration) string {
	return fmt.Sprintf("nothing has changed there for %g s (a timeout waits longer)", d.Seconds())
}
