package provider

import (
	"reflect"
	"strconv"
)

// Fields are the texts of type S among parameters of type In: in its fields, and in
// their elements. A tool whose selectors, for example, have a type of their own finds
// them once, where it is declared; a call only visits them.
//
// To a client such a text is a string like any other.
type Fields[In any, S ~string] struct{ visit visit[S] }

// visit calls fn with the texts of a value, and with the name of each for errors:
// "sel", "fields[2].sel".
type visit[S ~string] func(v reflect.Value, name string, fn func(name string, text *S) error) error

// FieldsOf finds the texts of type S in In. It panics if a call could not reach one:
// the declaration is wrong.
func FieldsOf[In any, S ~string]() Fields[In, S] {
	return Fields[In, S]{visitor[S](reflect.TypeFor[In]())}
}

// None reports that In has no such texts.
func (f Fields[In, S]) None() bool { return f.visit == nil }

// Each calls fn with every such text of in, absent ones included, in the order of their
// declaration. fn may change it. Lists are shared with copies of in. The first error
// ends it.
func (f Fields[In, S]) Each(in *In, fn func(name string, text *S) error) error {
	if f.visit == nil {
		return nil
	}
	return f.visit(reflect.ValueOf(in).Elem(), "", fn)
}

// visitor makes the visit function for the texts of type S in a type, nil if the type
// has none.
func visitor[S ~string](t reflect.Type) visit[S] {
	if t == reflect.TypeFor[S]() {
		return func(v reflect.Value, name string, fn func(string, *S) error) error {
			return fn(name, v.Addr().Interface().(*S))
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		return structVisitor[S](t)
	case reflect.Slice:
		return sliceVisitor[S](t)
	case reflect.Pointer:
		inner := visitor[S](t.Elem())
		if inner == nil {
			return nil
		}
		return func(v reflect.Value, name string, fn func(string, *S) error) error {
			if v.IsNil() {
				return nil
			}
			return inner(v.Elem(), name, fn)
		}
	case reflect.Map, reflect.Array:
		if visitor[S](t.Elem()) != nil {
			panic("provider: " + t.String() + " holds texts that a call can't reach")
		}
	}
	return nil
}

func structVisitor[S ~string](t reflect.Type) visit[S] {
	type field struct {
		name  string
		index []int
		visit visit[S]
	}
	var fields []field
	for _, p := range fieldsIn(t) {
		if inner := visitor[S](p.Type); inner != nil {
			name, _ := jsonName(p)
			fields = append(fields, field{name, p.Index, inner})
		}
	}
	if fields == nil {
		return nil
	}
	return func(v reflect.Value, name string, fn func(string, *S) error) error {
		if name != "" {
			name += "."
		}
		for _, f := range fields {
			if err := f.visit(v.FieldByIndex(f.index), name+f.name, fn); err != nil {
				return err
			}
		}
		return nil
	}
}

func sliceVisitor[S ~string](t reflect.Type) visit[S] {
	inner := visitor[S](t.Elem())
	if inner == nil {
		return nil
	}
	return func(v reflect.Value, name string, fn func(string, *S) error) error {
		for i := range v.Len() {
			if err := inner(v.Index(i), name+"["+strconv.Itoa(i)+"]", fn); err != nil {
				return err
			}
		}
		return nil
	}
}
