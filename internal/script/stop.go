package script

import (
	"errors"
	"reflect"
	"time"
	"unsafe"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
)

// An engine that was interrupted is free again at once, but in the middle of a
// step of its own. The caller of the script waits for shortPatience, so that it
// is answered in time; the next script for longPatience, before the engine is
// given up.
const (
	shortPatience = 400 * time.Millisecond
	longPatience  = 3 * time.Second
)

// What the engine does in one step of its own can't be interrupted. Regular
// expressions that it can't leave to RE2 end after a minute, which is past most
// deadlines: the script is told of its deadline, not of a match that failed.
func init() { regexp2.DefaultMatchTimeout = time.Minute }

// ErrStuck is the error of a script that was to run in an engine that has not
// come back from the one before.
var ErrStuck = errors.New("the script engine is stuck")

// ErrDeaf is joined to the error of a script that was stopped in the middle of a
// step which can't be interrupted.
var ErrDeaf = errors.New("the script is in a step that can't be interrupted")

// Stuck reports whether the engine has not come back from a script that was
// interrupted, now or within some seconds. Then it is to be closed, and
// another one made.
func (r *Runtime) Stuck() bool { return r.away(longPatience) }

// Ended is closed once an engine that was closed has come to its end.
func (r *Runtime) Ended() <-chan struct{} { return r.loop.gone }

// busy is Stuck without the wait.
func (r *Runtime) busy() bool { return r.away(0) }

// away waits for an engine that was interrupted, and reports whether it has
// not come back.
func (r *Runtime) away(patience time.Duration) bool {
	back := r.back.Load()
	if back == nil {
		return false
	}
	select {
	case <-*back:
	case <-time.After(patience):
	}
	select {
	case <-*back:
		return false
	default:
		return true
	}
}

// recover brings the engine back to its top level after a script that was
// interrupted, and finds out whether it works.
func (r *Runtime) recover() {
	works := make(chan struct{})
	r.back.Store(&works)
	r.loop.post(func() {
		r.revive()
		_ = r.safely(func() error {
			p, resolve, _ := r.vm.NewPromise()
			then, _ := goja.AssertFunction(r.vm.ToValue(p).ToObject(r.vm).Get("then"))
			if err := resolve(goja.Undefined()); err != nil {
				return err
			}
			_, err := then(r.vm.ToValue(p), r.vm.ToValue(func() { close(works) }))
			return err
		})
	})
	r.away(shortPatience)
}

// unwind empties the engine's stacks. goja leaves a frame there when it is
// interrupted in a promise's job, takes itself for busy from then on, and never
// runs another job; and it has no method that takes the frame away. It is only
// called while nothing runs. Fields that are no more are left alone: then
// recover finds the engine broken.
func unwind(vm *goja.Runtime) {
	inner := reflect.ValueOf(vm).Elem().FieldByName("vm")
	if inner.Kind() != reflect.Pointer {
		return
	}
	for _, name := range []string{"callStack", "tryStack", "iterStack", "refStack"} {
		f := inner.Elem().FieldByName(name)
		if f.IsValid() && f.Kind() == reflect.Slice && f.CanAddr() {
			reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().SetLen(0)
		}
	}
}

// dropJobs forgets the jobs of promises that an interrupted engine still has: they
// would run as soon as it is entered again, and what was stopped would go on. goja
// does so itself where the interrupt did not come in such a job.
func dropJobs(vm *goja.Runtime) {
	if f := reflect.ValueOf(vm).Elem().FieldByName("jobQueue"); f.IsValid() && f.CanAddr() {
		reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().SetZero()
	}
}
