package script

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
	"unsafe"
	"weak"

	"github.com/dop251/goja"
)

// maxKept is how much of memory a script may keep between calls: in state, in
// what its listeners and routes hold, and wherever else it finds a place.
// keptEvery is after how many bytes that were made meanwhile this is measured:
// no more can have been kept than was made. maxFull is how large the process may
// be while scripts rest: what only a promise that never settles holds is not
// found by measuring.
const (
	maxKept   = 64 << 20
	keptEvery = 32 << 20
	maxFull   = maxTogether / 2
)

// ErrSpent is joined to the error of a script after which its engine is of no
// more use: it is to be closed, and another one made.
var ErrSpent = errors.New("the script engine was given up")

var (
	errKept = fmt.Errorf("what scripts keep between calls, in state and in what listeners hold, is more than %d MiB: the state was emptied (%w)", maxKept>>20, ErrSpent)
	errFull = fmt.Errorf("scripts keep more than %d MiB together: the state of the one that had made the most was emptied (%w)", maxFull>>20, ErrSpent)
)

// allocated is how much the process has made since it began, in bytes.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// keptTooMuch measures what the engine keeps, once enough was made that it may
// be too much. It is only called on the loop.
func (r *Runtime) keptTooMuch() bool {
	made := allocated()
	if made-r.measured < keptEvery {
		return false
	}
	r.measured = made
	_, _ = r.builtin.parse(goja.Undefined(), r.vm.ToValue("0")) // what is left on the engine's stack goes when it gets back to its top
	return r.kept(maxKept) > maxKept
}

// kept is how much memory is reached from the engine, in bytes; once it is more
// than most, the rest is not looked at.
func (r *Runtime) kept(most int) int {
	w := walker{seen: map[unsafe.Pointer]bool{}, most: most}
	w.meet(reflect.ValueOf(r.vm))
	for _, o := range r.handles {
		w.meet(reflect.ValueOf(o))
	}
	for _, o := range r.protos {
		w.meet(reflect.ValueOf(o))
	}
	live := r.handed[:0]
	for _, p := range r.handed {
		if o := p.Value(); o != nil {
			live = append(live, p)
			w.meet(reflect.ValueOf(o))
		}
	}
	clear(r.handed[len(live):])
	r.handed = live
	w.run()
	runtime.KeepAlive(r)
	return w.size
}

// hand notes a function that Playwright gets: it may hold it for long.
func (r *Runtime) hand(v goja.Value) {
	if o, ok := v.(*goja.Object); ok {
		if len(r.handed) == cap(r.handed) { // the dead go before it grows
			live := r.handed[:0]
			for _, p := range r.handed {
				if p.Value() != nil {
					live = append(live, p)
				}
			}
			clear(r.handed[len(live):])
			r.handed = live
		}
		r.handed = append(r.handed, weak.Make(o))
	}
}

// engines are those that have not been closed.
var engines struct {
	mu    sync.Mutex
	all   map[*Runtime]bool
	stuck []<-chan struct{} // of those that were struck off: closed at their end
	last  time.Time         // when there was too much
}

// maxStuck is how many engines that were closed may still be in a step of their
// own while another one is made.
const maxStuck = 8

// enlist makes room for an engine: it is refused where too many that were given
// up are at work.
func (r *Runtime) enlist() error {
	engines.mu.Lock()
	defer engines.mu.Unlock()
	engines.stuck = slices.DeleteFunc(engines.stuck, isClosed)
	if len(engines.stuck) >= maxStuck {
		return fmt.Errorf("%d scripts are still in steps that can't be interrupted: no other is begun before one of them has ended", len(engines.stuck))
	}
	if engines.all == nil {
		engines.all = map[*Runtime]bool{}
	}
	engines.all[r] = true
	return nil
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// strike takes an engine off that was closed.
func (r *Runtime) strike() {
	engines.mu.Lock()
	defer engines.mu.Unlock()
	if engines.all[r] {
		delete(engines.all, r)
		engines.stuck = append(slices.DeleteFunc(engines.stuck, isClosed), r.loop.gone)
	}
}

// relieve gives up the engine that has made the most where all of them together
// keep too much.
func relieve() {
	if heap() < maxFull || !engines.mu.TryLock() {
		return
	}
	defer engines.mu.Unlock()
	if time.Since(engines.last) < time.Second {
		return
	}
	runtime.GC()
	engines.last = time.Now()
	if heap() < maxFull {
		return
	}
	var most *Runtime
	for r := range engines.all {
		if most == nil || r.byWork.Load() > most.byWork.Load() {
			most = r
		}
	}
	if most != nil {
		most.giveUp(errFull)
	}
}

// giveUp ends an engine that keeps too much, and tells whose it is.
func (r *Runtime) giveUp(why error) {
	if r.spent.Swap(true) {
		return
	}
	r.stop(why)
	if r.running.Load() == nil {
		r.loop.close()
		if r.host.Spent != nil {
			go r.host.Spent(why)
		}
	}
}
