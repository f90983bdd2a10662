package script

import (
	"fmt"
	"reflect"
	"time"

	"github.com/dop251/goja"
)

// toAny turns a value into what playwright-go takes where it takes anything.
func (r *Runtime) toAny(v goja.Value) (any, error) {
	if isMissing(v) {
		return nil, nil
	}
	if h, ok := r.unwrap(v); ok {
		return h, nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		if n, ok := v.Export().(int64); ok {
			if int64(int32(n)) != n {
				return float64(n), nil
			}
			return int(n), nil // playwright-go knows no other integers
		}
		return v.Export(), nil
	}
	if b, ok := bytesOf(v); ok {
		return b, nil
	}
	if re, ok, err := r.regexp(v); ok {
		return re, err
	}
	if _, ok := goja.AssertFunction(v); ok {
		return r.urlPredicate(v), nil
	}
	switch o.ClassName() {
	case "Array":
		n := int(o.Get("length").ToInteger())
		list := make([]any, n)
		for i := range list {
			e, err := r.toAny(o.Get(fmt.Sprint(i)))
			if err != nil {
				return nil, err
			}
			list[i] = e
		}
		return list, nil
	case "Date":
		if t, ok := v.Export().(time.Time); ok {
			return t, nil
		}
	}
	m := map[string]any{}
	for _, k := range o.Keys() {
		e, err := r.toAny(o.Get(k))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		m[k] = e
	}
	return m, nil
}

// bytesOf reads a Buffer, a typed array or an ArrayBuffer.
func bytesOf(v goja.Value) ([]byte, bool) {
	switch b := v.Export().(type) {
	case []byte:
		return b, true
	case goja.ArrayBuffer:
		return b.Bytes(), true
	}
	return nil, false
}

// urlPredicate is a function that says which URLs match, as page.route and
// page.waitForURL take one.
func (r *Runtime) urlPredicate(v goja.Value) func(string) bool {
	fn, _ := goja.AssertFunction(v)
	return func(url string) bool {
		done := make(chan bool, 1)
		r.loop.post(func() {
			err := r.safely(func() error {
				u, err := r.vm.New(r.vm.Get("URL"), r.vm.ToValue(url))
				if err != nil {
					return err
				}
				v, err := fn(goja.Undefined(), u)
				if err == nil {
					done <- v.ToBoolean()
				}
				return err
			})
			if err != nil {
				done <- false
			}
		})
		select {
		case ok := <-done:
			return ok
		case <-time.After(callbackTime):
			return false
		}
	}
}

func isMissing(v goja.Value) bool { return v == nil || goja.IsUndefined(v) || goja.IsNull(v) }

func typeWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64, reflect.Int:
		return "a number"
	case reflect.Func:
		return "a function"
	case reflect.Slice:
		return "an array"
	case reflect.Interface:
		return "a " + t.Name()
	}
	return "an object"
}

func preview(v goja.Value) string {
	if _, ok := goja.AssertFunction(v); ok {
		return "a function"
	}
	s := v.String()
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return s
}
