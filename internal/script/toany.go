package script

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/dop251/goja"
)

// takes says what else than plain values may be in a value.
type takes int

const (
	takesHandles takes = 1 << iota
	takesPatterns
	takesPredicates
)

// toAny turns a value into what playwright-go takes where it takes anything.
func (r *Runtime) toAny(v goja.Value, more takes) (any, error) {
	err := r.deeper()
	defer r.higher()
	if err != nil {
		return nil, err
	}
	if isMissing(v) {
		return nil, nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return primitive(v), nil
	}
	if h, ok := r.unwrap(v); ok {
		if more&takesHandles == 0 {
			return nil, fmt.Errorf("%s can't be given here", preview(v))
		}
		return h, nil
	}
	if b, ok := bytesOf(v); ok {
		return b, nil
	}
	if _, ok := goja.AssertFunction(v); ok {
		if more&takesPredicates == 0 {
			return nil, errors.New("a function can't be given here")
		}
		return r.urlPredicate(v), nil
	}
	return r.objectToAny(o, more)
}

// primitive is a value that is no object.
func primitive(v goja.Value) any {
	n, ok := v.Export().(int64)
	switch {
	case !ok:
		return v.Export()
	case int64(int32(n)) != n:
		return float64(n)
	}
	return int(n) // playwright-go knows no other integers
}

// objectToAny is toAny of the language's own objects.
func (r *Runtime) objectToAny(o *goja.Object, more takes) (any, error) {
	switch o.ClassName() {
	case "RegExp":
		if more&takesPatterns == 0 {
			return nil, fmt.Errorf("%s can't be given here", preview(o))
		}
		re, _, err := r.regexp(o)
		return re, err
	case "String":
		return o.String(), nil
	case "Array":
		list, err := r.list(o, reflect.TypeFor[[]any](), func(e goja.Value) (reflect.Value, error) {
			a, err := r.toAny(e, more)
			out := reflect.New(anyType).Elem()
			if a != nil {
				out.Set(reflect.ValueOf(a))
			}
			return out, err
		})
		if err != nil {
			return nil, err
		}
		return list.Interface(), nil
	case "Date":
		if t, ok := o.Export().(time.Time); ok {
			return t, nil
		}
	}
	m := map[string]any{}
	for _, k := range o.Keys() {
		e, err := r.toAny(o.Get(k), more)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		m[k] = e
	}
	return m, nil
}

// bytesOf reads a Buffer, a typed array or an ArrayBuffer.
func bytesOf(v goja.Value) ([]byte, bool) {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != bytesType && o.ExportType() != reflect.TypeFor[goja.ArrayBuffer]() {
		return nil, false // Export would read whatever else it is
	}
	switch b := o.Export().(type) {
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
	r.hand(v)
	return func(url string) bool {
		done := make(chan bool, 1)
		r.loop.post(func() {
			err := r.safely(func() error {
				u, err := r.vm.New(r.builtin.newURL, r.vm.ToValue(url))
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
