package playscript

import (
	"context"
	"errors"
	"time"
)

// How long the process has to stop a script: first by itself, then in whatever
// it is at work on, which its caller does not wait for longer than this. Then
// nobody is told of it but the next script, and in the end it is replaced.
const (
	stopTime  = 100 * time.Millisecond
	breakTime = 300 * time.Millisecond
	giveUp    = 5 * time.Second
	probeTime = 10 * time.Second
)

// ErrDeaf is joined to the error of a script that was stopped in the middle of
// something that takes longer.
var ErrDeaf = errors.New("the script is in a step that can't be interrupted")

// halt stops a script whose time is over. settled is closed once it is known what
// became of the process, nil if that is known already.
func (r *Runtime) halt(ctx context.Context, x *run) (settled <-chan struct{}, _ error) {
	cause := ctx.Err()
	stopped := make(chan error, 1)
	go func() {
		_, err := r.call(r.ctx, "stop", struct {
			Run int64 `json:"run"`
		}{x.id}, nil)
		stopped <- err
	}()
	for _, patience := range []time.Duration{stopTime, breakTime} {
		select {
		case err := <-stopped:
			if err != nil {
				return nil, errors.Join(cause, ErrLost)
			}
			go r.probe()
			return nil, cause
		case <-time.After(patience):
		}
		if patience == stopTime {
			_, _ = r.stop.Write([]byte{0})
		}
	}
	known := make(chan struct{})
	go func() {
		defer close(known)
		select {
		case err := <-stopped:
			if err == nil {
				go r.probe()
			}
		case <-time.After(giveUp):
			r.kill(cause)
		}
	}()
	return known, errors.Join(cause, ErrDeaf)
}

// probe ends a process that has lost its browser: no script would ever end in it.
func (r *Runtime) probe() {
	ctx, cancel := context.WithTimeout(r.ctx, probeTime)
	defer cancel()
	if _, err := r.call(ctx, "probe", map[string]any{}, nil); err != nil {
		r.kill(errEnded)
	}
}
