package handlers

import (
	"context"
	"fmt"
	"time"
)

// probeTime is how long a page has to answer a trivial question before it
// counts as hung.
const probeTime = 1500 * time.Millisecond

// check finds out, in the background, why a call was late: whether the page
// still answers, and if not whether the browser does. Requests on the page
// wait for the outcome. What hangs is mended or replaced.
func (e *engine) check(p *page) {
	if p == nil {
		go func() {
			if !e.answers() {
				e.lost("the browser or its driver hung and was ended")
			}
		}()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.checking != nil {
		return
	}
	done := make(chan struct{})
	p.checking = done
	go func() {
		e.mend(p)
		p.mu.Lock()
		p.checking = nil
		p.mu.Unlock()
		close(done)
	}()
}

// mend sees to it that the page answers again, or is gone.
func (e *engine) mend(p *page) {
	if p.heldBy() != nil || p.answers() || p.heldBy() != nil {
		return
	}
	// An endless script can be stopped without losing the page.
	if p.interrupt() && p.answers() {
		return
	}
	if !e.answers() {
		e.lost("the browser or its driver hung and was ended")
		return
	}
	p.session.dropPage(p, "it hung and was closed")
	within(probeTime, func() error { return p.pw.Close() })
}

// answers reports whether the page runs a script.
func (p *page) answers() bool {
	return within(probeTime, func() error {
		_, err := p.pw.Evaluate("1")
		return err
	})
}

// interrupt stops the script that the page runs: CDP's
// Runtime.terminateExecution. It reaches a busy renderer only through a
// session that was there before.
func (p *page) interrupt() bool {
	return within(probeTime, func() error {
		_, err := p.devtools("Runtime.terminateExecution", nil)
		return err
	})
}

// Check reports whether the browser works, and starts one if there is none.
func (b *Browser) Check(ctx context.Context) error {
	e, err := b.ensure(ctx)
	if err != nil {
		return err
	}
	answered := make(chan bool, 1)
	go func() { answered <- e.answers() }()
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
