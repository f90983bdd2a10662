package browser

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pwpipe/handlers/launch"
)

// probeTime is how long a page has to answer a trivial question before it
// counts as hung.
const probeTime = 1500 * time.Millisecond

// check finds out, in the background, why a call was late: whether the page
// still answers, and if not whether the browser does. Requests on the page
// wait for the outcome. What hangs is mended or replaced.
func (e *Engine) check(p *Page) {
	if p == nil {
		go func() {
			if !e.Answers() {
				e.Hung()
			}
		}()
		return
	}
	p.check(func() { e.mend(p) })
}

// Late has a page looked at that was late by Playwright's word, which comes before the
// deadline itself. It does not wait for that; the next request does.
func (p *Page) Late() { p.Engine.check(p) }

// mend makes the page answer again, or gives it up.
func (e *Engine) mend(p *Page) {
	if p.heldBy() != nil || p.answers() || p.heldBy() != nil {
		return
	}
	// Where nothing at all comes from the browser no script is at fault, and one that
	// is stopped for it is somebody's who waits for its end.
	asked := time.Now()
	if !e.Answers() {
		e.Hung()
		return
	}
	if time.Since(asked) > probeTime/6 && p.answers() { // it stood still
		return
	}
	// Until a navigation has its response Chromium holds back what the document is
	// asked: a server that is late, and no page that hangs. The document stays.
	if p.command("Page.stopLoading") && p.answers() {
		return
	}
	// An endless script can be stopped without losing the page.
	p.command("Runtime.terminateExecution")
	if p.answers() {
		return
	}
	given := givenUp.Of(p.Session)
	given.mu.Lock()
	given.names = append(given.names, p.Name)
	given.mu.Unlock()
	p.Session.DropPage(p, hung)
	launch.Within(probeTime, func() error { return p.PW.Close() })
}

const hung = "it hung and was closed"

// givenUp has the pages of a session that hung, until somebody is told.
var givenUp State[*Session, hungPages]

type hungPages struct {
	mu    sync.Mutex
	names []string
}

// TakeHung says, once, which pages hung: a call that names no page goes on with another, without an error.
func (s *Session) TakeHung() (lines []string) {
	given := givenUp.Of(s)
	given.mu.Lock()
	defer given.mu.Unlock()
	for _, name := range given.names {
		lines = append(lines, "page "+name+" is gone: "+hung)
	}
	given.names = nil
	return lines
}

// answers reports whether the page runs a script.
func (p *Page) answers() bool {
	return launch.Within(probeTime, func() error {
		_, err := p.PW.Evaluate("1")
		return err
	})
}

// command gives the page's DevTools session a command, and reports whether it was
// carried out in time. A busy renderer hears of it only through a session that was
// there before.
func (p *Page) command(method string) bool {
	return launch.Within(probeTime, func() error {
		_, err := p.DevTools(method, nil)
		return err
	})
}

// Check reports whether the browser works, and starts one if there is none. Of a
// grid, whose places are for sessions, it asks instead.
func (b *Browser) Check(ctx context.Context) error {
	if from := b.Config.Source; from != nil && from.Ready != nil && !b.Up() {
		return from.Ready(ctx)
	}
	e, err := b.ensure(ctx)
	if err != nil {
		return err
	}
	answered := make(chan bool, 1)
	go func() { answered <- e.Answers() }()
	select {
	case ok := <-answered:
		if !ok {
			e.check(nil)
			return fmt.Errorf("the browser does not answer")
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
