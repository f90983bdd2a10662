package script

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/dop251/goja"
)

// maxTogether is how large the process may be while scripts run: then all that
// are at work are stopped. callbackLimit is for what a script left behind, a
// listener or a route, and runs with no call to end it.
const (
	maxTogether   = 3 << 29
	callbackLimit = 10 * time.Second
	watchEvery    = 5 * time.Millisecond
)

var (
	// errMemory is what a script that takes too much memory ends with.
	errMemory   = fmt.Errorf("the script took more than %d MiB of memory and was stopped", maxMemory>>20)
	errTogether = fmt.Errorf("scripts took more than %d MiB of memory together and were stopped", maxTogether>>20)
	errCallback = fmt.Errorf("a listener of the script's ran for more than %v and was stopped", callbackLimit)
)

// watched is what the engine's watch knows of it.
type watched struct {
	stopping sync.Mutex                // held where a call begins, is stopped, and ends: a stop hits no other than it is for
	halted   atomic.Bool               // the engine is stopped
	cause    error                     // why
	running  atomic.Pointer[execution] // the call that is under way
	over     time.Time                 // when it was stopped or ended
	charge   charge                    // what it is charged with, or what a script left behind while there is none
	began    atomic.Int64              // how often the engine began to work
	dropped  atomic.Int64              // events that came too fast
	spent    atomic.Bool               // it was given up: too much was kept
	byWork   atomic.Uint64             // what the process made while the engine was at work

	measured uint64                      // what the process had made when the engine was measured last
	handed   []weak.Pointer[goja.Object] // functions that Playwright has
}

// atWork watches the engine's memory, and its time where no call has a
// deadline, while the loop is at work on what was posted. It is called by the
// loop, which calls what it returns once it rests.
func (r *Runtime) atWork() (rest func()) {
	made := allocated()
	working.Add(1)
	r.began.Add(1)
	begun.Add(1)
	r.stopping.Lock()
	if r.running.Load() == nil { // what a call took before it waited for something counts
		r.charge = newCharge(r.began.Load())
	}
	r.stopping.Unlock()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		since := time.Now()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				r.look(since)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		working.Add(-1)
		r.byWork.Add(allocated() - made)
		if r.running.Load() != nil {
			return
		}
		r.revive()
		if r.keptTooMuch() {
			r.giveUp(errKept)
		}
		relieve()
	}
}

// look stops what the engine is at work at since then, where it has to be.
func (r *Runtime) look(since time.Time) {
	r.stopping.Lock()
	defer r.stopping.Unlock()
	grown, call := r.charge.grown(r.began.Load()), r.running.Load() != nil
	switch {
	case r.loop.isClosed():
		r.halt(errClosed)
	case r.halted.Load():
		r.halt(r.cause) // once is not enough: the engine forgets it where it gets to its top level
	case !call && time.Since(since) > callbackLimit:
		r.halt(errCallback)
	case call && !r.over.IsZero(): // what it has taken may still be there, and is not to stop what comes after it
		if time.Since(r.over) > longPatience {
			r.halt(errCallback)
		}
	case grown > maxMemory:
		r.halt(errMemory)
	case r.charge.last > maxTogether && r.charge.last > r.charge.low:
		r.halt(errTogether)
	}
}

// halt interrupts the engine and tells the call that is under way why. stopping
// is held.
func (r *Runtime) halt(cause error) {
	r.cause = cause
	r.vm.Interrupt(cause) // first: where halted alone is seen, the script may end with that error as its own
	r.halted.Store(true)
	if x := r.running.Load(); x != nil && r.over.IsZero() {
		r.over = time.Now()
		x.stopped <- cause
	}
}

// stop halts the engine whatever it does.
func (r *Runtime) stop(cause error) {
	r.stopping.Lock()
	defer r.stopping.Unlock()
	r.halt(cause)
}

// enter makes a call the one that is under way, until leave is called.
func (r *Runtime) enter(x *execution) (leave func()) {
	r.stopping.Lock()
	defer r.stopping.Unlock()
	r.charge = newCharge(r.began.Load())
	r.over = time.Time{}
	r.running.Store(x)
	return func() { r.running.Store(nil) }
}

// begin makes the engine ready for the call that is under way, whatever became of
// the one before; it reports whether the call is still to be made. It is called on
// the loop, as end is.
func (r *Runtime) begin() bool {
	r.revive()
	unwind(r.vm) // calls that were nested too deep leave frames there, as an interrupt does
	r.stopping.Lock()
	defer r.stopping.Unlock()
	return r.over.IsZero()
}

// end makes the engine ready for what comes after the call: nothing stops it for
// the call's sake any more.
func (r *Runtime) end() {
	r.stopping.Lock()
	r.over = time.Now()
	r.charge = newCharge(r.began.Load())
	r.stopping.Unlock()
	r.revive()
}

// revive makes an engine that was stopped ready for more. It is only called on
// the loop, while nothing runs.
func (r *Runtime) revive() {
	r.stopping.Lock()
	defer r.stopping.Unlock()
	if !r.halted.Load() || r.loop.isClosed() {
		return
	}
	r.halted.Store(false)
	r.vm.ClearInterrupt()
	unwind(r.vm)
	dropJobs(r.vm)
	r.natives.depth, r.natives.joining, r.turning = 0, nil, turning{}
}

// collect has what a script took that was stopped for it collected, so that the
// next one begins without it.
func collect(stopped error) {
	if errors.Is(stopped, errMemory) || errors.Is(stopped, errTogether) {
		runtime.GC()
	}
}

// watch stops the engine when a call's time is over. Once end has returned it
// stops nothing any more.
func (r *Runtime) watch(ctx context.Context) (end func()) {
	fired := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(fired)
		r.stop(ctx.Err())
	})
	return func() {
		if !stop() {
			<-fired
		}
	}
}
