package provider

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"pwpipe/provider/internal/rawjson"
)

// Param is one parameter of a tool, from a struct field.
type Param struct {
	Name     string
	Doc      string
	Optional bool
	Enum     []string
	Default  string // as JSON text or, for a string, as it is; "" for none
	Min, Max *float64
	Hint     string // advice for a value of the wrong type
	File     bool   // it names a file, or several

	typ      reflect.Type
	index    []int
	fallback json.RawMessage // its default as JSON, nil for none
	verbatim bool            // never replaced by a secret's value

	aliasOnly bool   // the tag alias:"only"
	also      string // another name, which callers of lenient tools use
}

// TypeName names the parameter's type in JSON's terms.
func (p Param) TypeName() string { return typeName(p.typ) }

// Type is the parameter's Go type, of a pointer what it points to.
func (p Param) Type() reflect.Type { return deref(p.typ) }

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
		if p.Default != "" {
			p.fallback = defaultJSON(p)
		}
		p.verbatim = isVerbatim(f)
		p.aliasOnly, p.also = f.Tag.Get("alias") == "only", f.Tag.Get("also")
		p.File = f.Tag.Get("file") == "yes" || deref(f.Type).Implements(reflect.TypeFor[Verbatim]())
		list = append(list, p)
	}
	return list
}

// fieldsIn are the fields of a struct that JSON uses, embedded ones included.
func fieldsIn(t reflect.Type) []reflect.StructField {
	var list []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if name, _ := jsonName(f); !f.Anonymous && f.IsExported() && name != "-" {
			list = append(list, f)
		}
	}
	return list
}

// jsonName is a field's name in JSON, and whether it is optional.
func jsonName(f reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, strings.Contains(options, "omitempty")
}

// neverNull is the parameter, where it must be given, as one that null is no value of.
func (p Param) neverNull() Param {
	if !p.Optional {
		p.typ = deref(p.typ)
	}
	return p
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

// defaultJSON is a default as JSON text. For a string the tag has the bare text.
func defaultJSON(p Param) json.RawMessage {
	if deref(p.typ).Kind() == reflect.String {
		return rawjson.Encode(p.Default)
	}
	return json.RawMessage(p.Default)
}

// rawType is JSON that a tool reads itself.
var rawType = reflect.TypeFor[json.RawMessage]()

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// typeName names a Go type in JSON's terms.
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
