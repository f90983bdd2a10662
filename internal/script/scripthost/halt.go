package scripthost

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// How long the process has to stop a script: first by itself, then, asked again
// and again, in whatever it is at work on, which its caller does not wait for longer
// than this. Then nobody is told of it but the next script, and in the end it is
// replaced.
const (
	stopTime  = 50 * time.Millisecond
	breakTime = 400 * time.Millisecond
	giveUp    = 5 * time.Second
	probeTime = 10 * time.Second
	leftTime  = 250 * time.Millisecond
)

// ErrDeaf is joined to the error of a script that was stopped in the middle of
// something that takes longer.
var ErrDeaf = errors.New("the script is in a step that can't be interrupted")

// halt stops a script whose time is over. settled is closed once it is known what
// became of the process, nil if that is known already.
func (r *Runtime) halt(ctx context.Context, x *run) (settled <-chan struct{}, _ error) {
	cause := ctx.Err()
	r.stopped.Store(true)
	stopped := make(chan error, 1)
	go func() {
		_, err := r.call(r.ctx, "stop", struct {
			Run int64 `json:"run"`
		}{x.id}, nil)
		stopped <- err
	}()
	began := time.Now()
	for range breakTime / stopTime {
		select {
		case err := <-stopped:
			if err != nil {
				return nil, errors.Join(cause, ErrLost)
			}
			go r.probe()
			return nil, cause
		case <-time.After(stopTime):
			r.interrupt(x)
		}
	}
	known := make(chan struct{})
	go func() {
		defer close(known)
		for time.Since(began) < giveUp {
			select {
			case err := <-stopped:
				if err == nil {
					go r.probe()
				}
				return
			case <-time.After(stopTime):
				r.interrupt(x)
			}
		}
		r.kill(errStuck)
		<-r.gone
	}()
	return known, errors.Join(cause, ErrDeaf)
}

// interrupt ends what the process is at work on, if it is the run's.
func (r *Runtime) interrupt(x *run) { r.interrupts(x.id) }

// interrupts writes whose work is to be ended: 0 ends what scripts go on with that
// were stopped.
func (r *Runtime) interrupts(id int64) { _, _ = fmt.Fprintf(r.stop, "%16d\n", id) }

// endLeft ends, while a script runs, what those go on with that were stopped while
// they waited for something: it would keep this one from its turn. done is called
// when it has run.
func (r *Runtime) endLeft() (done func()) {
	if !r.stopped.Load() {
		return func() {}
	}
	again := time.NewTicker(leftTime)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-again.C:
				r.interrupts(0)
			case <-ended:
				again.Stop()
				return
			}
		}
	}()
	return func() { close(ended) }
}

// probe ends a process that has lost its browser: no script would ever end in it.
func (r *Runtime) probe() {
	ctx, cancel := context.WithTimeout(r.ctx, probeTime)
	defer cancel()
	if _, err := r.call(ctx, "probe", map[string]any{}, nil); err != nil {
		r.kill(errEnded)
	}
}
