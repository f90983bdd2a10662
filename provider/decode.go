package provider

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pwpipe/provider/internal/rawjson"
)

// decodeParams fills in from named members. An unknown, missing or mistyped member is
// an error that names the parameter. Defaults are set.
func decodeParams(in reflect.Value, params []Param, named rawjson.Object) error {
	for i := range named {
		if paramNamed(params, named[i].Key) == nil {
			return fmt.Errorf("unknown parameter %q", named[i].Key)
		}
	}
	for i := range params {
		if err := params[i].decode(in, named); err != nil {
			return err
		}
	}
	return nil
}

// decode fills in one parameter.
func (p *Param) decode(in reflect.Value, named rawjson.Object) error {
	raw := named.Get(p.Name)
	field := in.FieldByIndex(p.index)
	nullable := p.typ == rawType || p.typ.Kind() == reflect.Interface
	switch {
	case raw == nil && !p.Optional:
		return fmt.Errorf("missing parameter %q (%s)", p.Name, typeName(p.typ))
	case raw == nil, p.Optional && !nullable && rawjson.IsNull(raw):
		if p.fallback == nil {
			return nil
		}
		return setValue(field, p.fallback, p.Name)
	}
	if p.typ != field.Type() && !p.Optional && rawjson.IsNull(raw) {
		return mistyped(field, raw, p.Name)
	}
	if err := setValue(field, raw, p.Name); err != nil {
		if p.Hint != "" {
			return Errorf(KindArgs, "%w", err).WithHint("%s", p.Hint)
		}
		return err
	}
	return p.check(field)
}

// setValue decodes raw into v strictly: keys match exactly, and nothing is coerced.
// path is the place for an error.
func setValue(v reflect.Value, raw json.RawMessage, path string) error {
	if v.Type() == rawType {
		v.SetBytes(raw)
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if rawjson.IsNull(raw) {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return setValue(v.Elem(), raw, path)
	case reflect.Struct:
		return setStruct(v, raw, path)
	case reflect.Slice:
		return setSlice(v, raw, path)
	case reflect.Map:
		return setMap(v, raw, path)
	case reflect.Interface:
		return json.Unmarshal(raw, v.Addr().Interface())
	}
	return setScalar(v, raw, path)
}

func mistyped(v reflect.Value, raw json.RawMessage, path string) error {
	return fmt.Errorf("%s: expected %s, got %s", path, typeName(v.Type()), rawjson.TypeOf(raw))
}

func setStruct(v reflect.Value, raw json.RawMessage, path string) error {
	o, err := rawjson.Split(raw)
	if err != nil {
		return mistyped(v, raw, path)
	}
	if err := decodeParams(v, knownParams(v.Type()), o); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// known caches the fields of structs within parameters, by type: []Param.
var known sync.Map

func knownParams(t reflect.Type) []Param {
	if params, ok := known.Load(t); ok {
		return params.([]Param)
	}
	params := paramsOf(t)
	known.Store(t, params)
	return params
}

func setSlice(v reflect.Value, raw json.RawMessage, path string) error {
	list, err := rawjson.SplitArray(raw)
	if err != nil || rawjson.IsNull(raw) {
		return mistyped(v, raw, path)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, e := range list {
		if err := setValue(v.Index(i), e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func setMap(v reflect.Value, raw json.RawMessage, path string) error {
	o, err := rawjson.Split(raw)
	if err != nil {
		return mistyped(v, raw, path)
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range o {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := setValue(e, m.Value, path+"."+m.Key); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(m.Key), e)
	}
	return nil
}

func setScalar(v reflect.Value, raw json.RawMessage, path string) error {
	if setPlain(v, raw) {
		return nil
	}
	if rawjson.IsNull(raw) { // encoding/json accepts null for any type and changes nothing
		return mistyped(v, raw, path)
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		var t *json.UnmarshalTypeError
		if errors.As(err, &t) && rawjson.TypeOf(raw) == "a number" && v.CanInt() {
			return fmt.Errorf("%s: expected a whole number, got %s", path, raw)
		}
		return mistyped(v, raw, path)
	}
	return nil
}

// setPlain sets most texts, numbers and booleans, whose JSON form needs no check. It
// leaves a type with its own UnmarshalJSON to encoding/json.
func setPlain(v reflect.Value, raw json.RawMessage) bool {
	switch v.Addr().Interface().(type) {
	case json.Unmarshaler, encoding.TextUnmarshaler:
		return false
	}
	switch v.Kind() {
	case reflect.String:
		s, ok := rawjson.Plain(raw)
		if ok {
			v.SetString(s)
		}
		return ok
	case reflect.Bool:
		is := string(raw) == "true"
		if is || string(raw) == "false" {
			v.SetBool(is)
			return true
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(string(raw), 10, v.Type().Bits())
		if err == nil && rawjson.TypeOf(raw) == "a number" && raw[0] != '+' {
			v.SetInt(n)
			return true
		}
	}
	return false
}

// paramNamed finds a parameter by its name, nil if there is none.
func paramNamed(params []Param, name string) *Param {
	for i := range params {
		if params[i].Name == name {
			return &params[i]
		}
	}
	return nil
}

// check applies enum, min and max.
func (p *Param) check(v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if p.Enum != nil && v.Kind() == reflect.String && !slices.Contains(p.Enum, v.String()) {
		return fmt.Errorf("%s: expected one of %s, got %q", p.Name, strings.Join(p.Enum, ", "), v.String())
	}
	if p.Min == nil && p.Max == nil || !v.CanInt() && !v.CanFloat() {
		return nil
	}
	n := v.Convert(reflect.TypeFor[float64]()).Float()
	if p.Min != nil && n < *p.Min || p.Max != nil && n > *p.Max {
		return fmt.Errorf("%s: expected %s, got %v", p.Name, p.limits(), n)
	}
	return nil
}

func (p *Param) limits() string {
	switch {
	case p.Min == nil:
		return fmt.Sprintf("at most %v", *p.Max)
	case p.Max == nil:
		return fmt.Sprintf("at least %v", *p.Min)
	}
	return fmt.Sprintf("a number from %v to %v", *p.Min, *p.Max)
}

// Fields are the texts of a type among parameters: in their fields, and in their
// elements. A tool whose selectors, for example, have a type of their own finds
// them once, where it is declared; a call only visits them.
//
// To a client such a text is a string like any other.
type Fields struct{ visit visit }

// found is called with a text and its name for errors: "sel", "fields[2].sel".
type found func(name string, text reflect.Value) error

// visit calls fn with the texts of a value.
type visit func(v reflect.Value, name string, fn found) error

// FieldsOf finds the texts of a type among parameters of the type in. It panics if a
// call could not reach one: the declaration is wrong.
func FieldsOf(in, text reflect.Type) Fields { return Fields{visitor(in, text)} }

// Each calls fn with every such text of the parameters that in points to, absent ones included, in
// the order of their declaration. fn may change it. Copies share lists. The first error ends it.
func (f Fields) Each(in any, fn found) error {
	if f.visit == nil {
		return nil
	}
	return f.visit(reflect.ValueOf(in).Elem(), "", fn)
}

// visitor makes the visit function for the texts of a type in t, nil if t has none.
func visitor(t, text reflect.Type) visit {
	if t == text {
		return func(v reflect.Value, name string, fn found) error { return fn(name, v) }
	}
	switch kind := t.Kind(); kind {
	case reflect.Struct:
		return structVisitor(t, text)
	case reflect.Slice, reflect.Pointer, reflect.Map, reflect.Array:
		inner := visitor(t.Elem(), text)
		switch {
		case inner == nil:
			return nil
		case kind == reflect.Slice:
			return func(v reflect.Value, name string, fn found) error {
				for i := range v.Len() {
					if err := inner(v.Index(i), name+"["+strconv.Itoa(i)+"]", fn); err != nil {
						return err
					}
				}
				return nil
			}
		case kind == reflect.Pointer:
			return func(v reflect.Value, name string, fn found) error {
				if v.IsNil() {
					return nil
				}
				return inner(v.Elem(), name, fn)
			}
		}
		panic("provider: " + t.String() + " holds texts that a call can't reach")
	}
	return nil
}

func structVisitor(t, text reflect.Type) visit {
	type field struct {
		name  string
		index []int
		visit visit
	}
	var fields []field
	for _, p := range fieldsIn(t) {
		if inner := visitor(p.Type, text); inner != nil {
			name, _ := jsonName(p)
			fields = append(fields, field{name, p.Index, inner})
		}
	}
	if fields == nil {
		return nil
	}
	return func(v reflect.Value, name string, fn found) error {
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
