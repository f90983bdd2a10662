package script

import (
	"context"
	"fmt"
	"runtime/metrics"
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

// heap is the memory of the process's objects, in bytes; what is no longer in
// use counts until it is collected.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// watched is what the engine's watch knows of it.
type watched struct {
	halted  atomic.Bool               // the script was stopped
	running atomic.Pointer[execution] // the call that is under way
	low     atomic.Uint64             // the least memory since the call began
	dropped atomic.Int64              // events that came too fast
	spent   atomic.Bool               // it was given up: too much was kept
	byWork  atomic.Uint64             // what the process made while the engine was at work

	measured uint64                      // what the process had made when the engine was measured last
	handed   []weak.Pointer[goja.Object] // functions that Playwright has
}

// atWork watches the engine's memory, and its time where no call has a
// deadline, while the loop is at work on what was posted. It is called by the
// loop, which calls what it returns once it rests.
func (r *Runtime) atWork() (rest func()) {
	began := allocated()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		since := time.Now()
		low := heap()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			now := heap()
			low = min(low, now)
			base := low
			if r.running.Load() != nil { // what it took before it waited for something counts
				base = min(r.low.Load(), low)
				r.low.Store(base)
			}
			switch {
			case r.loop.isClosed():
				r.stop(errClosed) // once is not enough: the engine forgets it where it gets to its top level
			case now > base+maxMemory:
				r.stop(errMemory)
			case now > maxTogether && now > low:
				r.stop(errTogether)
			case r.running.Load() == nil && time.Since(since) > callbackLimit:
				r.stop(errCallback)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		r.byWork.Add(allocated() - began)
		if r.running.Load() != nil {
			return
		}
		if r.halted.Load() {
			r.revive()
		}
		if r.keptTooMuch() {
			r.giveUp(errKept)
		}
		relieve()
	}
}

// stop interrupts the engine and tells the call that is under way why.
func (r *Runtime) stop(cause error) {
	r.halted.Store(true)
	r.vm.Interrupt(cause)
	if x := r.running.Load(); x != nil {
		select {
		case x.stopped <- cause:
		default:
		}
	}
}

// revive makes an engine that was stopped ready for more. It is only called on
// the loop, while nothing runs.
func (r *Runtime) revive() {
	r.halted.Store(false)
	r.vm.ClearInterrupt()
	unwind(r.vm)
	r.natives.depth, r.natives.joining, r.turning = 0, nil, turning{}
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
