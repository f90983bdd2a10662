package script

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/dop251/goja"
)

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
	if isMissing(v) {
		return reflect.Zero(t), nil
	}
	if t == anyType {
		a, err := r.toAny(v)
		if a == nil || err != nil {
			return reflect.Zero(t), err
		}
		return reflect.ValueOf(a), nil
	}
	if h, ok := r.unwrap(v); ok {
		if hv := reflect.ValueOf(h); hv.Type().AssignableTo(t) {
			return hv, nil
		}
	}
	switch t {
	case bytesType:
		if b, ok := bytesOf(v); ok {
			return reflect.ValueOf(b), nil
		}
		return reflect.ValueOf([]byte(v.String())), nil
	case regexpType:
		re, ok, err := r.regexp(v)
		if !ok {
			return mismatch(v, t)
		}
		return reflect.ValueOf(re), err
	}
	if convert := converters[t.Kind()]; convert != nil {
		return convert(r, v, t)
	}
	return mismatch(v, t)
}

type converter func(r *Runtime, v goja.Value, t reflect.Type) (reflect.Value, error)

// converters are what toGo does with the kinds of Go types. They call it, so
// they come to be when the package starts.
var converters map[reflect.Kind]converter

func init() {
	converters = map[reflect.Kind]converter{
		reflect.Pointer: (*Runtime).toPointer, reflect.String: (*Runtime).toText, reflect.Slice: (*Runtime).toSlice,
		reflect.Map: (*Runtime).toMap, reflect.Struct: (*Runtime).toStruct, reflect.Func: (*Runtime).toFunc,
		reflect.Bool: func(_ *Runtime, v goja.Value, t reflect.Type) (reflect.Value, error) {
			return reflect.ValueOf(v.ToBoolean()).Convert(t), nil
		},
	}
	for _, kind := range []reflect.Kind{reflect.Int, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64} {
		converters[kind] = (*Runtime).toNumber
	}
}

func mismatch(v goja.Value, t reflect.Type) (reflect.Value, error) {
	return reflect.Value{}, fmt.Errorf("expected %s, got %s", typeWord(t), preview(v))
}

func (r *Runtime) toPointer(v goja.Value, t reflect.Type) (reflect.Value, error) {
	e, err := r.toGo(v, t.Elem())
	if err != nil {
		return e, err
	}
	p := reflect.New(t.Elem())
	p.Elem().Set(e)
	return p, nil
}

// toText is a string; of a function its source, which is code for the page.
func (r *Runtime) toText(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if _, ok := goja.AssertFunction(v); ok {
		return reflect.ValueOf(importing(source(v))).Convert(t), nil
	}
	if _, isObject := v.(*goja.Object); isObject {
		if _, ok := v.Export().(string); !ok {
			return mismatch(v, t)
		}
	}
	return reflect.ValueOf(v.String()).Convert(t), nil
}

func (r *Runtime) toNumber(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if _, ok := v.(*goja.Object); ok {
		return mismatch(v, t)
	}
	if t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64 {
		return reflect.ValueOf(v.ToFloat()).Convert(t), nil
	}
	return reflect.ValueOf(v.ToInteger()).Convert(t), nil
}

func (r *Runtime) toMap(v goja.Value, t reflect.Type) (reflect.Value, error) {
	o, ok := v.(*goja.Object)
	if !ok {
		return mismatch(v, t)
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
		if namesFile(t, k) {
			if e, err = r.allowedPath(e); err != nil {
				return s, fmt.Errorf("%s: %w", k, err)
			}
		}
		s.Field(i).Set(e)
	}
	return s, nil
}

// namesFile tells the options that name files. A cookie's path is none.
func namesFile(options reflect.Type, name string) bool {
	name = strings.ToLower(name)
	return (strings.HasSuffix(name, "path") || strings.HasSuffix(name, "dir")) && !strings.Contains(options.Name(), "Cookie")
}

// allowedPath is the path in an option, made absolute and held to the allowed
// folders.
func (r *Runtime) allowedPath(v reflect.Value) (reflect.Value, error) {
	text := reflect.Indirect(v)
	if text.Kind() != reflect.String {
		return v, nil
	}
	path, err := r.host.resolve(text.String())
	if err != nil {
		return v, err
	}
	allowed := reflect.New(text.Type())
	allowed.Elem().SetString(path)
	if v.Kind() == reflect.Pointer {
		return allowed, nil
	}
	return allowed.Elem(), nil
}
