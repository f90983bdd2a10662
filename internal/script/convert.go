package script

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

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

// jsError is an Error, or a TimeoutError, with Playwright's own words.
func (r *Runtime) jsError(err error, what ...string) goja.Value {
	name, msg := "Error", err.Error()
	if p := asPlaywright(err); p != nil {
		name, msg = p.Name, p.Message
	}
	if isTimeout(err) {
		name = "TimeoutError"
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

// source is the text of a function. The engine leaves out the parentheses at
// the end of an arrow function's body; they are put back.
func source(v goja.Value) string {
	s := v.String()
	for i := 0; i < 16; i++ {
		if closed := s + strings.Repeat(")", i); compiles("(" + closed + "\n)") {
			return closed
		}
	}
	return s
}

var (
	anyType    = reflect.TypeFor[any]()
	bytesType  = reflect.TypeFor[[]byte]()
	regexpType = reflect.TypeFor[*regexp.Regexp]()
)

// toGo turns a JavaScript value into one of a Go type.
func (r *Runtime) toGo(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if isMissing(v) && t.Kind() != reflect.Interface {
		return reflect.Zero(t), nil
	}
	if t == anyType {
		a, err := r.toAny(v)
		if a == nil || err != nil {
			return reflect.Zero(t), err
		}
		return reflect.ValueOf(a), nil
	}
	if isMissing(v) {
		return reflect.Zero(t), nil
	}
	if h, ok := r.unwrap(v); ok {
		if hv := reflect.ValueOf(h); hv.Type().AssignableTo(t) {
			return hv, nil
		}
	}
	mismatch := func() (reflect.Value, error) {
		return reflect.Value{}, fmt.Errorf("expected %s, got %s", typeWord(t), preview(v))
	}
	switch t {
	case bytesType:
		if b, ok := bytesOf(v); ok {
			return reflect.ValueOf(b), nil
		}
		return reflect.ValueOf([]byte(v.String())), nil
	case regexpType:
		re, ok, err := r.regexp(v)
		if !ok || err != nil {
			if err == nil {
				return mismatch()
			}
			return reflect.Value{}, err
		}
		return reflect.ValueOf(re), nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		e, err := r.toGo(v, t.Elem())
		if err != nil {
			return e, err
		}
		p := reflect.New(t.Elem())
		p.Elem().Set(e)
		return p, nil
	case reflect.String:
		if _, ok := goja.AssertFunction(v); ok { // code for the page
			return reflect.ValueOf(source(v)).Convert(t), nil
		}
		if _, ok := v.Export().(string); !ok {
			if _, isObject := v.(*goja.Object); isObject {
				return mismatch()
			}
		}
		return reflect.ValueOf(v.String()).Convert(t), nil
	case reflect.Bool:
		return reflect.ValueOf(v.ToBoolean()).Convert(t), nil
	case reflect.Int, reflect.Int64, reflect.Int32:
		return reflect.ValueOf(v.ToInteger()).Convert(t), nil
	case reflect.Float64, reflect.Float32:
		if _, ok := v.(*goja.Object); ok {
			return mismatch()
		}
		return reflect.ValueOf(v.ToFloat()).Convert(t), nil
	case reflect.Slice:
		return r.toSlice(v, t)
	case reflect.Map:
		o, ok := v.(*goja.Object)
		if !ok {
			return mismatch()
		}
		m := reflect.MakeMap(t)
		for _, k := range o.Keys() {
			e, err := r.toGo(o.Get(k), t.Elem())
			if err != nil {
				return m, fmt.Errorf("%s: %w", k, err)
			}
			m.SetMapIndex(reflect.ValueOf(k).Convert(t.Key()), e)
		}
		return m, nil
	case reflect.Struct:
		return r.toStruct(v, t)
	case reflect.Func:
		return r.toFunc(v, t)
	}
	return mismatch()
}

func (r *Runtime) toSlice(v goja.Value, t reflect.Type) (reflect.Value, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Array" { // one for a list of one
		e, err := r.toGo(v, t.Elem())
		if err != nil {
			return e, err
		}
		return reflect.Append(reflect.MakeSlice(t, 0, 1), e), nil
	}
	n := int(o.Get("length").ToInteger())
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		e, err := r.toGo(o.Get(fmt.Sprint(i)), t.Elem())
		if err != nil {
			return s, fmt.Errorf("[%d]: %w", i, err)
		}
		s.Index(i).Set(e)
	}
	return s, nil
}

// toStruct fills a struct of options: members by their JSON names.
func (r *Runtime) toStruct(v goja.Value, t reflect.Type) (reflect.Value, error) {
	s := reflect.New(t).Elem()
	o, ok := v.(*goja.Object)
	if !ok {
		return s, fmt.Errorf("expected an object of options, got %s", preview(v))
	}
	fields := map[string]int{}
	for i := range t.NumField() {
		fields[strings.ToLower(fieldName(t.Field(i)))] = i
	}
	for _, k := range o.Keys() {
		if isMissing(o.Get(k)) {
			continue
		}
		i, ok := fields[strings.ToLower(k)]
		if !ok {
			return s, fmt.Errorf("there is no option %q here", k)
		}
		e, err := r.toGo(o.Get(k), t.Field(i).Type)
		if err != nil {
			return s, fmt.Errorf("%s: %w", k, err)
		}
		if err := r.checkPaths(k, e); err != nil {
			return s, fmt.Errorf("%s: %w", k, err)
		}
		s.Field(i).Set(e)
	}
	return s, nil
}

// checkPaths holds options that name files to the allowed folders.
func (r *Runtime) checkPaths(option string, v reflect.Value) error {
	option = strings.ToLower(option)
	if !strings.HasSuffix(option, "path") && !strings.HasSuffix(option, "dir") {
		return nil
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.String {
		return nil
	}
	_, err := r.host.resolve(v.String())
	return err
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

// regexp turns a RegExp into Go's. RE2 lacks look-around and back-references.
func (r *Runtime) regexp(v goja.Value) (*regexp.Regexp, bool, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "RegExp" {
		return nil, false, nil
	}
	flags := ""
	for _, f := range o.Get("flags").String() {
		if strings.ContainsRune("ims", f) {
			flags += string(f)
		}
	}
	source := strings.ReplaceAll(o.Get("source").String(), `\/`, `/`)
	if flags != "" {
		source = "(?" + flags + ")" + source
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, true, fmt.Errorf("/%s/ can't be used here: %s", o.Get("source"), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, true, nil
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
