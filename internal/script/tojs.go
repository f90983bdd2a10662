package script

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"

	"github.com/dop251/goja"
)

// unwrap returns the Go value behind a handle.
func (r *Runtime) unwrap(v goja.Value) (any, bool) {
	if o, ok := v.(*goja.Object); ok {
		return r.held.get(o)
	}
	return nil, false
}

// wrap makes a handle of a value of playwright-go, null of one that is another
// session's. Pages and contexts are one object each, so that scripts can
// compare them.
func (r *Runtime) wrap(v any) goja.Value {
	if isNil(v) {
		return goja.Null()
	}
	if v = r.owned(v); v == nil {
		return goja.Null()
	}
	class := classOf(v)
	if class == "" {
		return r.toJS(v)
	}
	keep := class == "Page" || class == "BrowserContext" || class == "Browser" || class == "Frame"
	if o := r.handles[v]; keep && o != nil {
		return o
	}
	o := r.vm.CreateObject(r.protos[class])
	r.held.set(o, v)
	if keep {
		r.handles[v] = o
	}
	return o
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan:
		return rv.IsNil()
	}
	return false
}

// toJS turns what a Go call returned into a JavaScript value.
func (r *Runtime) toJS(v any) goja.Value {
	if _, ok := v.(none); ok {
		return goja.Undefined()
	}
	if isNil(v) {
		return goja.Null()
	}
	if classOf(v) != "" {
		return r.wrap(v)
	}
	switch v := v.(type) {
	case error:
		return r.jsError(v)
	case []byte:
		return r.bytes(v)
	case json.RawMessage:
		return r.parseJSON(v)
	case string, bool, float64, int:
		return r.vm.ToValue(v)
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Pointer, reflect.Interface:
		return r.toJS(rv.Elem().Interface())
	case reflect.Slice, reflect.Array:
		list := make([]any, rv.Len())
		for i := range list {
			list[i] = r.toJS(rv.Index(i).Interface())
		}
		return r.vm.NewArray(list...)
	case reflect.Map:
		o := r.vm.NewObject()
		for _, k := range rv.MapKeys() {
			_ = o.Set(k.String(), r.toJS(rv.MapIndex(k).Interface()))
		}
		return o
	case reflect.Struct:
		o := r.vm.NewObject()
		for i := range rv.NumField() {
			f := rv.Type().Field(i)
			if f.IsExported() && !isNil(rv.Field(i).Interface()) {
				_ = o.Set(fieldName(f), r.toJS(rv.Field(i).Interface()))
			}
		}
		return o
	case reflect.String:
		return r.vm.ToValue(rv.String())
	case reflect.Bool:
		return r.vm.ToValue(rv.Bool())
	}
	if rv.CanInt() || rv.CanUint() || rv.CanFloat() {
		return r.vm.ToValue(v)
	}
	return goja.Undefined() // the engine would let the script into what it does not know
}

func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = strings.ToLower(f.Name[:1]) + f.Name[1:]
	}
	return name
}

func (r *Runtime) parseJSON(raw []byte) goja.Value {
	v, err := r.builtin.parse(goja.Undefined(), r.vm.ToValue(string(raw)))
	if err != nil {
		panic(err)
	}
	return v
}

// bytes is a Buffer.
func (r *Runtime) bytes(b []byte) goja.Value {
	v, err := r.builtin.bufferFrom(r.builtin.buffer, r.vm.ToValue(r.vm.NewArrayBuffer(b)))
	if err != nil {
		panic(err)
	}
	return v
}

// injectedFrames are the lines of a page's stack that lie in code which was put
// there for a call. Those of the page's own files stay.
var injectedFrames = regexp.MustCompile(`\n\s+at [^\n]*<anonymous>:?[^\n]*`)

// jsError is an Error, or a TimeoutError, with Playwright's own words.
func (r *Runtime) jsError(err error, what ...string) *goja.Object {
	name, msg := "Error", err.Error()
	if p := asPlaywright(err); p != nil {
		name, msg = p.Name, injectedFrames.ReplaceAllString(p.Message, "")
	}
	if isTimeout(err) {
		name = "TimeoutError"
	}
	if w := (*waited)(nil); errors.As(err, &w) {
		msg = strings.TrimSuffix(msg, ".") + ": " + w.why
	}
	if name == "" {
		name = "Error"
	}
	if len(what) > 0 && !strings.Contains(msg, what[0]) {
		msg = what[0] + ": " + msg
	}
	o, nerr := r.vm.New(r.builtin.newError, r.vm.ToValue(msg))
	if nerr != nil {
		panic(nerr)
	}
	_ = o.DefineDataProperty("name", r.vm.ToValue(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return o
}
