package script

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"

	"github.com/dop251/goja"
)

// unwrap returns the Go value behind an object of the bridge.
func (r *Runtime) unwrap(v goja.Value) (any, bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, false
	}
	n := o.GetSymbol(r.native)
	if n == nil || goja.IsUndefined(n) {
		return nil, false
	}
	if h, ok := n.Export().(*holder); ok {
		return h.value, true
	}
	return nil, false
}

// holder keeps the engine from looking into a Go value.
type holder struct{ value any }

// wrap makes an object of the bridge of a value of playwright-go. Pages and
// contexts are one object each, so that scripts can compare them.
func (r *Runtime) wrap(v any) goja.Value {
	if isNil(v) {
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
	_ = o.DefineDataPropertySymbol(r.native, r.vm.ToValue(&holder{v}), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
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
	return r.vm.ToValue(v)
}

func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = strings.ToLower(f.Name[:1]) + f.Name[1:]
	}
	return name
}

func (r *Runtime) parseJSON(raw []byte) goja.Value {
	parse, _ := goja.AssertFunction(r.vm.Get("JSON").ToObject(r.vm).Get("parse"))
	v, err := parse(goja.Undefined(), r.vm.ToValue(string(raw)))
	if err != nil {
		panic(err)
	}
	return v
}

// bytes is a Buffer.
func (r *Runtime) bytes(b []byte) goja.Value {
	from, _ := goja.AssertFunction(r.vm.Get("Buffer").ToObject(r.vm).Get("from"))
	v, err := from(r.vm.Get("Buffer"), r.vm.ToValue(r.vm.NewArrayBuffer(b)))
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
	o, nerr := r.vm.New(r.vm.Get("Error"), r.vm.ToValue(msg))
	if nerr != nil {
		panic(nerr)
	}
	_ = o.Set("name", name)
	return o
}
