package script

import (
	"reflect"
	"testing"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// GiveBelow gives the scripts of an engine what the prelude builds on, native,
// and what another session's scripts keep in the global "mine", as foreign(class):
// the very objects, which no script could come by. No script of the other's may
// run meanwhile.
func (r *Runtime) GiveBelow(t *testing.T, other *Runtime) {
	t.Helper()
	done := make(chan error, 1)
	r.loop.post(func() {
		native := r.vm.CreateObject(nil)
		r.defineNative(native)
		theirs := func(call goja.FunctionCall) goja.Value {
			v := other.vm.Get("mine").ToObject(other.vm).Get(call.Argument(0).String())
			if v == nil {
				return goja.Undefined()
			}
			return v
		}
		// What playwright-go itself would hand to a script for what is another's.
		handed := func(call goja.FunctionCall) goja.Value {
			self, _ := other.unwrap(theirs(call))
			if c, ok := self.(playwright.BrowserContext); ok && call.Argument(1).ToBoolean() {
				self = c.Browser() // playwright-go's, which knows everybody's
			}
			return r.toJS(self)
		}
		guid := func(call goja.FunctionCall) goja.Value { // by which Playwright's own protocol knows it
			self, ok := other.unwrap(theirs(call))
			if !ok {
				return r.vm.ToValue("page@1")
			}
			return r.vm.ToValue(reflect.ValueOf(self).Elem().FieldByName("guid").String())
		}
		for name, v := range map[string]any{"native": native, "foreign": theirs, "handed": handed, "theirGuid": guid} {
			if err := r.vm.Set(name, v); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	})
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// RuntimeOf is the engine in which run has a script call page.getByText.
func RuntimeOf(run func()) (r *Runtime) {
	old := judged["words"]
	defer func() { judged["words"] = old }()
	judged["words"] = func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error) {
		r = c.r
		return old(c, v, t)
	}
	run()
	return r
}
