package devtools

import (
	"context"
	"fmt"
	"time"
)

// Pause stops the page at the next statement that it runs: Debugger.pause. A
// page that runs nothing pauses when it next does; until then its state is
// "pausing".
func (d *Debugger) Pause(ctx context.Context) (*Where, error) {
	if d.Paused() {
		return d.Location(ctx)
	}
	d.pauses.arm(true)
	return d.move(ctx, "Debugger.pause")
}

// Resume lets the page go on: Debugger.resume. It answers where the page
// paused again, if it did at once. A pause that was asked for and has not come
// is taken back.
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

// Step runs the next statement (over), enters the next call (into) or runs to
// the end of the function (out): Debugger.stepOver and its kin. It answers
// where the page is then.
func (d *Debugger) Step(ctx context.Context, kind string) (*Where, error) {
	method := steps[kind]
	if method == "" {
		return nil, fmt.Errorf("expected over, into or out, got %q", kind)
	}
	if !d.Paused() {
		return nil, ErrRunning
	}
	d.pauses.step(true)
	defer d.pauses.step(false)
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

// eventTime is how long a page that sends no events may be busy before they are
// no longer waited for.
const eventTime = 500 * time.Millisecond

// Settle waits for the events that are on the way.
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

// busyTime is how long a page that goes on may be busy before it counts as
// running.
const busyTime = 3 * time.Second

// move sends a command that makes the page go on, and answers where it is
// then: paused again, or with nothing left to run.
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

// calmURL is the name of the expression that calm runs.
const calmURL = "pwpipe:calm"

// calm takes back a step that left the last function, which would pause the
// page in whatever it runs next, as a pause that was asked for does. There is
// no command for that: pauses are skipped while the page runs an expression in
// which it would have paused.
func (d *Debugger) calm(ctx context.Context) {
	short, cancel := context.WithTimeout(ctx, busyTime)
	defer cancel()
	skip := func(on bool) { _ = d.page.call(short, "Debugger.setSkipAllPauses", map[string]any{"skip": on}, nil) }
	skip(true)
	defer skip(false)
	_ = d.page.call(short, "Runtime.evaluate", map[string]any{"expression": "(() => 0)()\n//# sourceURL=" + calmURL}, nil)
}
