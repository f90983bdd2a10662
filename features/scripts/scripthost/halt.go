package scripthost

import (
	"context"
	"errors"
	"time"
)

// Times for stopping a script.
const (
	stopTime      = 50 * time.Millisecond  // to stop by itself; then between two interrupts
	breakTime     = 400 * time.Millisecond // after which the caller does not wait any longer
	giveUp        = 5 * time.Second        // after which the process is ended
	probeTime     = 10 * time.Second       // for the process to answer that it still has its browser
	interruptTime = 250 * time.Millisecond // between two interrupts of scripts that were stopped before
)

// ErrDeaf is joined to the error of a script that was stopped in the middle of
// something that takes longer.
var ErrDeaf = errors.New("the script is in a step that can't be interrupted")

// halt stops a script whose time is over. settled is closed once the process takes scripts
// again or has ended; it is nil if that is so already.
func (r *Runtime) halt(ctx context.Context, x *run) (settled <-chan struct{}, _ error) {
	cause := ctx.Err()
	r.queue.stopped.Store(true)
	stopped := make(chan error, 1)
	go func() {
		_, err := r.call(r.process.ctx, "stop", map[string]any{"run": x.id}, nil)
		stopped <- err
	}()
	end := make(chan struct{})
	var lost error // read once end is closed
	go func() {
		defer close(end)
		for began := time.Now(); time.Since(began) < giveUp; {
			select {
			case err := <-stopped:
				if lost = err; err == nil {
					go r.probe()
				}
				return
			case <-time.After(stopTime):
				r.process.interrupt(x.id)
			}
		}
		r.process.kill(errStuck)
		<-r.process.gone
	}()
	select {
	case <-end:
		if lost != nil {
			return nil, errors.Join(cause, ErrLost)
		}
		return nil, cause
	case <-time.After(breakTime):
		return end, errors.Join(cause, ErrDeaf)
	}
}

// interruptStopped ends, while a script runs, what scripts go on with that were stopped
// while they waited for something: they would keep this one from its turn. done is called
// when it has run.
func (r *Runtime) interruptStopped() (done func()) {
	if !r.queue.stopped.Load() {
		return func() {}
	}
	running, done := context.WithCancel(r.process.ctx)
	go func() {
		for {
			select {
			case <-time.After(interruptTime):
				r.process.interrupt(0)
			case <-running.Done():
				return
			}
		}
	}()
	return done
}

// probe ends a process that has lost its browser: no script would ever end in it.
func (r *Runtime) probe() {
	ctx, cancel := context.WithTimeout(r.process.ctx, probeTime)
	defer cancel()
	if _, err := r.call(ctx, "probe", map[string]any{}, nil); err != nil {
		r.process.kill(errEnded)
	}
}
