package devtools

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// pauses know whether the page is paused, and whether it is about to.
type pauses struct {
	mu       sync.Mutex
	current  *pause        // nil while the page runs
	changed  chan struct{} // closed and replaced when that changes
	armed    bool          // the page is to pause at the next statement
	stepping atomic.Bool   // a step is under way
}

type pause struct {
	Reason         string
	HitBreakpoints []string
	CallFrames     []callFrame
	Data           remoteObject

	asked, stepped bool // by Pause, by Step
}

// set notes that the page paused, or runs with nil. It reports whether that is new.
func (s *pauses) set(p *pause) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p == nil && s.current == nil {
		return false
	}
	if p != nil {
		p.asked, p.stepped = s.armed, s.stepping.Load()
	}
	s.current, s.armed = p, false
	close(s.changed)
	s.changed = make(chan struct{})
	return true
}

// state is the pause, nil while the page runs, whether the page is to pause at the next
// statement, and a channel that is closed when the page pauses or goes on.
func (s *pauses) state() (p *pause, armed bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current, s.armed, s.changed
}

// wait waits until the page is paused, or ctx ends.
func (s *pauses) wait(ctx context.Context) error {
	for {
		p, _, changed := s.state()
		if p != nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// arm notes whether the page is to pause at the next statement. It reports whether it was.
func (s *pauses) arm(on bool) (was bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, s.armed = s.armed, on
	return was
}

// Pause pauses the page at the next statement: Debugger.pause. An idle page pauses when
// it next runs something; until then its state is "pausing".
func (d *Debugger) Pause(ctx context.Context) (*Where, error) {
	if d.Paused() {
		return d.Location(ctx)
	}
	d.pauses.arm(true)
	return d.move(ctx, "Debugger.pause")
}

// Resume resumes the page: Debugger.resume. It answers where the page paused again, if
// it did so at once. It cancels a requested pause that has not happened.
func (d *Debugger) Resume(ctx context.Context) (*Where, error) {
	if !d.Paused() {
		if d.pauses.arm(false) {
			d.calm(ctx)
			return d.Location(ctx)
		}
		return nil, ErrRunning
	}
	return d.move(ctx, "Debugger.resume")
}

var steps = map[string]string{"over": "Debugger.stepOver", "into": "Debugger.stepInto", "out": "Debugger.stepOut"}

// Step runs the next statement (over), enters the next call (into) or runs to the end
// of the function (out): Debugger.stepOver and similar commands. It answers where the
// page is then.
func (d *Debugger) Step(ctx context.Context, kind string) (*Where, error) {
	method := steps[kind]
	if method == "" {
		return nil, fmt.Errorf("expected over, into or out, got %q", kind)
	}
	if !d.Paused() {
		return nil, ErrRunning
	}
	d.pauses.stepping.Store(true)
	defer d.pauses.stepping.Store(false)
	w, err := d.move(ctx, method)
	if err == nil && w.State != "paused" {
		d.calm(ctx)
		return d.Location(ctx)
	}
	return w, err
}

// catchUp waits until the page is paused or has nothing left to run, and every
// event before that has come: a command that is served in order
// (Runtime.getHeapUsage) is answered then. It runs no script, into which a step
// could go.
func (p *Page) catchUp(ctx context.Context) { _ = p.call(ctx, "Runtime.getHeapUsage", nil, nil) }

// eventTime is how long the wait for events lasts if a busy page sends none.
const eventTime = 500 * time.Millisecond

// Settle waits for pending events.
func (p *Page) Settle(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() { p.catchUp(ctx); close(done) }()
	for heard := int64(-1); heard != p.heard.Load(); {
		heard = p.heard.Load()
		select {
		case <-done:
			return
		case <-time.After(eventTime):
		}
	}
}

// busyTime is how long a resumed page may be busy before it counts as running.
const busyTime = 3 * time.Second

// move sends a command that resumes the page, and answers where it is then: paused
// again, or idle.
func (d *Debugger) move(ctx context.Context, method string) (*Where, error) {
	if err := d.page.call(ctx, method, nil, nil); err != nil {
		return nil, err
	}
	short, cancel := context.WithTimeout(ctx, busyTime)
	defer cancel()
	d.page.catchUp(short)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.Location(ctx)
}

// calmURL is the name of calm's expression.
const calmURL = "pwpipe:calm"

// calm cancels a step out of the last function, which would pause the page in whatever
// it runs next, as a requested pause would. There is no command for that. So pauses are
// skipped while the page runs an expression in which it would have paused.
func (d *Debugger) calm(ctx context.Context) {
	short, cancel := context.WithTimeout(ctx, busyTime)
	defer cancel()
	skip := func(on bool) { _ = d.page.call(short, "Debugger.setSkipAllPauses", map[string]any{"skip": on}, nil) }
	skip(true)
	defer skip(false)
	_ = d.page.call(short, "Runtime.evaluate", map[string]any{"expression": "(() => 0)()\n//# sourceURL=" + calmURL}, nil)
}
