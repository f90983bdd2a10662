package script

import (
	"errors"
	"fmt"
	"reflect"
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
	anyType   = reflect.TypeFor[any]()
	bytesType = reflect.TypeFor[[]byte]()
)

// toGo turns a plain JavaScript value into one of a Go type: nothing that
// leads outside.
func (r *Runtime) toGo(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if isMissing(v) {
		return reflect.Zero(t), nil
	}
	if t == anyType {
		a, err := r.toAny(v, 0)
		if a == nil || err != nil {
			return reflect.Zero(t), err
		}
		return reflect.ValueOf(a), nil
	}
	switch t {
	case bytesType:
		if b, ok := bytesOf(v); ok {
			return reflect.ValueOf(b), nil
		}
		return reflect.ValueOf([]byte(v.String())), nil
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
		reflect.Map: (*Runtime).toMap, reflect.Struct: (*Runtime).toStruct,
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

func (r *Runtime) toText(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if o, isObject := v.(*goja.Object); isObject && o.ClassName() != "String" {
		return mismatch(v, t)
	}
	return reflect.ValueOf(v.String()).Convert(t), nil
}

// toCode is a text, or the source of a function: code for the page.
func (r *Runtime) toCode(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if _, ok := goja.AssertFunction(v); ok {
		return reflect.ValueOf(importing(source(v))).Convert(t), nil
	}
	return r.toText(v, t)
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
	return r.list(v, t, func(e goja.Value) (reflect.Value, error) { return r.toGo(e, t.Elem()) })
}

// list makes a slice of an array's elements, or of one value.
func (r *Runtime) list(v goja.Value, t reflect.Type, element func(goja.Value) (reflect.Value, error)) (reflect.Value, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		e, err := element(v)
		if err != nil {
			return e, err
		}
		return reflect.Append(reflect.MakeSlice(t, 0, 1), e), nil
	}
	n := int(o.Get("length").ToInteger())
	if n > maxMembers {
		return reflect.Value{}, fmt.Errorf("the list has %d members, %d are the most", n, maxMembers)
	}
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		e, err := element(o.Get(fmt.Sprint(i)))
		if err != nil {
			return s, fmt.Errorf("[%d]: %w", i, err)
		}
		s.Index(i).Set(e)
	}
	return s, nil
}

func (r *Runtime) toStruct(v goja.Value, t reflect.Type) (reflect.Value, error) {
	return r.members(v, t, func(_ string, v goja.Value, t reflect.Type) (reflect.Value, error) { return r.toGo(v, t) })
}

// errNoOption is the error of a member that a struct may not have.
var errNoOption = errors.New("there is no such option")

// members fills a struct by the JSON names of its fields. Each is read once.
func (r *Runtime) members(v goja.Value, t reflect.Type, member func(name string, v goja.Value, t reflect.Type) (reflect.Value, error)) (reflect.Value, error) {
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
		e := o.Get(k)
		if isMissing(e) {
			continue
		}
		i, ok := fields[strings.ToLower(k)]
		if !ok {
			return s, fmt.Errorf("there is no option %q here", k)
		}
		f, err := member(k, e, t.Field(i).Type)
		if err == errNoOption {
			return s, fmt.Errorf("there is no option %q here", k)
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", k, err)
		}
		s.Field(i).Set(f)
	}
	return s, nil
}
