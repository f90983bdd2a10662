package provider

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
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

	aliasOnly bool // the tag alias:"only"
}

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
		p.aliasOnly = f.Tag.Get("alias") == "only"
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

// failer is the part of testing.TB that CheckTools uses.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

var toolName = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*([-_.][a-zA-Z0-9]+)*$`)

// CheckTools checks the rules for every tool of a table: names, a title and a sentence,
// documented parameters, valid schemas.
func CheckTools(t failer, table *Table) {
	t.Helper()
	docs := map[string]string{}
	for _, tool := range table.Profile("all") {
		tool.check(t)
		key := tool.Profile + "/" + tool.Doc
		if other := docs[key]; other != "" && tool.Name != other {
			t.Errorf("%s and %s have the same doc", tool.Name, other)
		}
		docs[key] = tool.Name
	}
}

// check checks the rules for one tool.
func (t *Tool) check(test failer) {
	test.Helper()
	if !toolName.MatchString(t.Name) || isMCP(t.Name) || t.Name == "cancel" {
		test.Errorf("%s: not a name for a tool", t.Name)
	}
	if t.Title == "" || t.Doc == "" || t.Profile == "" || t.Timeout <= 0 {
		test.Errorf("%s: needs a title, a doc, a profile and a timeout", t.Name)
	}
	if strings.HasSuffix(t.Doc, ".") || strings.Contains(t.Doc, "\n\n") {
		test.Errorf("%s: the doc is one sentence without a full stop: %q", t.Name, t.Doc)
	}
	if _, err := t.In.Resolve(nil); err != nil {
		test.Errorf("%s: input schema: %v", t.Name, err)
	}
	if t.Out != nil {
		if _, err := t.Out.Resolve(nil); err != nil {
			test.Errorf("%s: output schema: %v", t.Name, err)
		}
	}
	if t.Target != "" && !t.Has(t.Target) {
		test.Errorf("%s: Target names no parameter: %q", t.Name, t.Target)
	}
	optional := false
	for _, p := range t.Params {
		if optional && !p.Optional {
			test.Errorf("%s: required parameter %s after an optional one", t.Name, p.Name)
		}
		optional = p.Optional
		if p.Default != "" && !json.Valid(p.fallback) {
			test.Errorf("%s: default of %s is not JSON", t.Name, p.Name)
		}
	}
}
