package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Param is one parameter of a tool, read off a struct field.
type Param struct {
	Name     string
	Doc      string
	Optional bool
	Enum     []string
	Default  string // as JSON text or, for a string, as it is; "" for none
	Min, Max *float64
	Hint     string // what to do instead, where a value is of the wrong type

	typ   reflect.Type
	index []int
}

// Type is the Go type that the parameter is decoded into.
func (p Param) Type() reflect.Type { return p.typ }

// paramsOf reads the fields of a parameter struct, embedded ones included.
func paramsOf(t reflect.Type) []Param {
	if t.Kind() != reflect.Struct {
		panic("provider: parameters must be a struct, not " + t.String())
	}
	var list []Param
	for _, f := range fieldsIn(t) {
		name, optional := jsonName(f)
		p := Param{Name: name, Doc: f.Tag.Get("doc"), Optional: optional,
			Default: f.Tag.Get("default"), Min: bound(f, "min"), Max: bound(f, "max"), Hint: f.Tag.Get("hint"), typ: f.Type, index: f.Index}
		if enum := f.Tag.Get("enum"); enum != "" {
			p.Enum = strings.Split(enum, ",")
		}
		if p.Name == "" || p.Doc == "" {
			panic(fmt.Sprintf("provider: %s.%s needs json and doc tags", t, f.Name))
		}
		list = append(list, p)
	}
	return list
}

// fieldsIn are the fields of a struct that JSON knows, embedded ones included.
func fieldsIn(t reflect.Type) []reflect.StructField {
	var list []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if name, _ := jsonName(f); !f.Anonymous && f.IsExported() && name != "-" {
			list = append(list, f)
		}
	}
	return list
}

// jsonName is a field's name in JSON, and whether it may be left out.
func jsonName(f reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, strings.Contains(options, "omitempty")
}

func bound(f reflect.StructField, tag string) *float64 {
	s := f.Tag.Get(tag)
	if s == "" {
		return nil
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("provider: " + f.Name + ": " + err.Error())
	}
	return &n
}

// decodeParams fills in from named members: unknown, missing and mistyped ones
// are errors that name the parameter; defaults are set.
func decodeParams(in reflect.Value, params []Param, named object) error {
	for _, m := range named {
		if !slices.ContainsFunc(params, func(p Param) bool { return p.Name == m.key }) {
			return fmt.Errorf("unknown parameter %q", m.key)
		}
	}
	for _, p := range params {
		raw := named.get(p.Name)
		field := in.FieldByIndex(p.index)
		nullable := p.typ == rawType || p.typ.Kind() == reflect.Interface
		switch {
		case raw == nil || isNull(raw) && !nullable && p.Optional:
			if !p.Optional {
				return fmt.Errorf("missing parameter %q (%s)", p.Name, typeName(p.typ))
			}
			if p.Default != "" {
				if err := setValue(field, defaultJSON(p), p.Name); err != nil {
					return err
				}
			}
			continue
		}
		if err := setValue(field, raw, p.Name); err != nil {
			if p.Hint != "" {
				return Errorf(KindArgs, "%w", err).WithHint("%s", p.Hint)
			}
			return err
		}
		if err := p.check(field); err != nil {
			return err
		}
	}
	return nil
}

// defaultJSON is a default as JSON text: of a string the tag holds the bare
// text.
func defaultJSON(p Param) json.RawMessage {
	if deref(p.typ).Kind() == reflect.String {
		return encode(p.Default)
	}
	return json.RawMessage(p.Default)
}

// check applies enum, min and max.
func (p Param) check(v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if p.Enum != nil && v.Kind() == reflect.String && !slices.Contains(p.Enum, v.String()) {
		return fmt.Errorf("%s: expected one of %s, got %q", p.Name, strings.Join(p.Enum, ", "), v.String())
	}
	if p.Min == nil && p.Max == nil || !v.CanInt() && !v.CanFloat() {
		return nil
	}
	n := 0.0
	if v.CanInt() {
		n = float64(v.Int())
	} else {
		n = v.Float()
	}
	if p.Min != nil && n < *p.Min || p.Max != nil && n > *p.Max {
		return fmt.Errorf("%s: expected %s, got %v", p.Name, p.limits(), n)
	}
	return nil
}

func (p Param) limits() string {
	switch {
	case p.Min == nil:
		return fmt.Sprintf("at most %v", *p.Max)
	case p.Max == nil:
		return fmt.Sprintf("at least %v", *p.Min)
	}
	return fmt.Sprintf("a number from %v to %v", *p.Min, *p.Max)
}

var rawType = reflect.TypeFor[json.RawMessage]()

// setValue decodes raw into v, exactly: keys match whole, nothing is coerced.
// path names the place for the error.
func setValue(v reflect.Value, raw json.RawMessage, path string) error {
	if v.Type() == rawType {
		v.SetBytes(raw)
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if isNull(raw) {
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
	return fmt.Errorf("%s: expected %s, got %s", path, typeName(v.Type()), jsonType(raw))
}

func setStruct(v reflect.Value, raw json.RawMessage, path string) error {
	o, err := splitObject(raw)
	if err != nil {
		return mistyped(v, raw, path)
	}
	if err := decodeParams(v, paramsOf(v.Type()), o); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func setSlice(v reflect.Value, raw json.RawMessage, path string) error {
	list, err := splitArray(raw)
	if err != nil || isNull(raw) {
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
	o, err := splitObject(raw)
	if err != nil {
		return mistyped(v, raw, path)
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range o {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := setValue(e, m.value, path+"."+m.key); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(m.key), e)
	}
	return nil
}

func setScalar(v reflect.Value, raw json.RawMessage, path string) error {
	if isNull(raw) { // encoding/json takes null for any type and leaves it as it was
		return mistyped(v, raw, path)
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		var t *json.UnmarshalTypeError
		if errors.As(err, &t) && jsonType(raw) == "a number" && v.CanInt() {
			return fmt.Errorf("%s: expected a whole number, got %s", path, raw)
		}
		return mistyped(v, raw, path)
	}
	return nil
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// typeName names a Go type in the words of JSON.
func typeName(t reflect.Type) string {
	t = deref(t)
	switch {
	case t == rawType || t.Kind() == reflect.Interface:
		return "any value"
	case t.Kind() == reflect.String:
		return "a string"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Slice:
		return "an array"
	case t.Kind() == reflect.Map, t.Kind() == reflect.Struct:
		return "an object"
	}
	return "a number"
}

// schemaOfParams is the JSON Schema of a parameter object. It does not forbid
// further properties: page and timeout belong to every request.
func schemaOfParams(params []Param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, p := range params {
		ps := schemaOf(p.typ)
		if !p.Optional { // of a result: what is always there may be null
			ps = orNull(p.typ, ps)
		}
		ps.Description = p.Doc
		for _, e := range p.Enum {
			ps.Enum = append(ps.Enum, e)
		}
		ps.Minimum, ps.Maximum = p.Min, p.Max
		if p.Default != "" {
			ps.Default = defaultJSON(p)
		}
		s.Properties[p.Name] = ps
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
		if !p.Optional {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

// schemaOf is the JSON Schema of a Go type.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	t = deref(t)
	if t == rawType {
		return &jsonschema.Schema{}
	}
	switch t.Kind() {
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64, reflect.Int32:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64, reflect.Float32:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: orNull(t.Elem(), schemaOf(t.Elem()))}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: orNull(t.Elem(), schemaOf(t.Elem()))}
	case reflect.Struct:
		return schemaOfParams(paramsOf(t))
	}
	return &jsonschema.Schema{}
}

// orNull is the schema of a type that is written as null where it is a pointer
// to nothing.
func orNull(t reflect.Type, s *jsonschema.Schema) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer && s.Type != "" {
		s.Types, s.Type = []string{s.Type, "null"}, ""
	}
	return s
}

// resultOf gives the schema of a result that is more than one bare value, and
// ilo's letter for it.
func resultOf(t reflect.Type) (*jsonschema.Schema, string) {
	if t.Implements(reflect.TypeFor[Content]()) {
		return nil, "t"
	}
	switch deref(t).Kind() {
	case reflect.String:
		return nil, "t"
	case reflect.Bool:
		return nil, "b"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return nil, "n"
	case reflect.Struct:
		if deref(t) == reflect.TypeFor[None]() {
			return nil, "_"
		}
		if deref(t) == reflect.TypeFor[Image]() {
			return nil, "t"
		}
		return schemaOf(t), "t"
	}
	return nil, "t"
}
