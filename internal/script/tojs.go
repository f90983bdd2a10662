package script

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unsafe"

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
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		return r.structured(rv)
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

// structured turns a value with parts into one of JavaScript's. What a page
// hands to a function may hold itself, and be nested deep.
func (r *Runtime) structured(rv reflect.Value) goja.Value {
	t := &r.turning
	if t.deep >= maxNesting {
		panic(r.rangeError("the value is nested more than %d deep", maxNesting))
	}
	t.deep++
	defer func() { t.deep-- }()
	if t.deep == 1 {
		t.made = map[unsafe.Pointer]*goja.Object{}
	}
	note := func(o *goja.Object) *goja.Object { return o }
	if rv.Kind() == reflect.Slice && rv.Len() > 0 || rv.Kind() == reflect.Map {
		at := rv.UnsafePointer()
		if o := t.made[at]; o != nil {
			return o
		}
		note = func(o *goja.Object) *goja.Object { t.made[at] = o; return o }
	}
	put := func(o *goja.Object, name string, v reflect.Value) {
		_ = o.DefineDataProperty(name, r.toJS(v.Interface()), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	switch rv.Kind() {
	case reflect.Pointer:
		return r.toJS(rv.Elem().Interface())
	case reflect.Slice, reflect.Array:
		list := note(r.vm.NewArray(make([]any, rv.Len())...))
		for i := range rv.Len() {
			put(list, strconv.Itoa(i), rv.Index(i))
		}
		return list
	}
	o := note(r.vm.NewObject())
	if rv.Kind() == reflect.Map {
		for _, k := range rv.MapKeys() {
			put(o, k.String(), rv.MapIndex(k))
		}
		return o
	}
	for i := range rv.NumField() {
		if f := rv.Type().Field(i); f.IsExported() && !isNil(rv.Field(i).Interface()) {
			put(o, fieldName(f), rv.Field(i))
		}
	}
	return o
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
