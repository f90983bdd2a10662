package script

import (
	"fmt"
	"reflect"
	"time"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// toFunc makes a Go function of a JavaScript one. Playwright calls it from
// goroutines of its own: the call is made on the loop. A function with a
// result is waited for, promises included.
func (r *Runtime) toFunc(v goja.Value, t reflect.Type) (reflect.Value, error) {
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return reflect.Value{}, fmt.Errorf("expected a function, got %s", preview(v))
	}
	r.hand(v)
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		values := spread(in, t.IsVariadic())
		if t.NumOut() > 0 {
			return []reflect.Value{r.askBack(fn, values, t.Out(0))}
		}
		if !r.loop.postEvent(func() { r.callBack(fn, values, nil) }) {
			passOn(values)
		}
		return nil
	}), nil
}

// spread are the arguments of a call, those of its variadic parameter one by one.
func spread(in []reflect.Value, variadic bool) (values []any) {
	for i, a := range in {
		if variadic && i == len(in)-1 {
			for j := range a.Len() {
				values = append(values, a.Index(j).Interface())
			}
			continue
		}
		values = append(values, a.Interface())
	}
	return values
}

// askBack calls a function of the script's and waits for its result, which is
// nothing where it does not come in time or is none of the type.
func (r *Runtime) askBack(fn goja.Callable, values []any, t reflect.Type) reflect.Value {
	nothing := reflect.Zero(t)
	done := make(chan goja.Value, 1)
	if !r.loop.postEvent(func() { r.callBack(fn, values, func(v goja.Value) { done <- v }) }) {
		return nothing
	}
	var v goja.Value
	select {
	case v = <-done:
	case <-time.After(callbackTime):
		return nothing
	}
	converted := make(chan reflect.Value, 1)
	if !r.loop.post(func() {
		g := nothing
		_ = r.safely(func() error { // its members may throw when they are read
			made, err := r.toGo(v, t)
			if err == nil {
				g = made
			}
			return err
		})
		converted <- g
	}) {
		return nothing
	}
	select {
	case out := <-converted:
		return out
	case <-time.After(callbackTime):
		return nothing
	}
}

// passOn leaves a request to the next route where the script that routed it is
// gone, with its engine.
func passOn(values []any) {
	if route, ok := first(values).(playwright.Route); ok {
		go func() { _ = route.Fallback() }()
	}
}

// callbackTime bounds the wait for a callback's result.
const callbackTime = 30 * time.Second

// callBack calls a function of the script's with values of Go's, on the loop.
// Where done is set it gets the result, once it has settled.
func (r *Runtime) callBack(fn goja.Callable, values []any, done func(goja.Value)) {
	err := r.safely(func() error {
		args := make([]goja.Value, len(values))
		for i, v := range values {
			args[i] = r.toJS(v)
		}
		v, err := fn(goja.Undefined(), args...)
		if err != nil {
			return err
		}
		_, err = r.builtin.settle(goja.Undefined(), v, r.vm.ToValue(func(v goja.Value) {
			if done != nil {
				done(v)
			}
		}))
		return err
	})
	if err != nil {
		r.print("error", "a callback failed: "+r.wordError(err).Error())
		if done != nil {
			done(goja.Undefined())
		}
	}
}
