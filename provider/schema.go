package provider

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// ResultSchema describes what the tool answers.
func (t *Tool) ResultSchema() *jsonschema.Schema {
	out := deref(t.out)
	switch {
	case t.Out != nil:
		return t.Out
	case t.Result == "_":
		return &jsonschema.Schema{Type: "null"}
	case t.any:
		return &jsonschema.Schema{}
	case out == imageType:
		return &jsonschema.Schema{Type: "object", Required: []string{"mime", "base64"}, Properties: map[string]*jsonschema.Schema{
			"mime": {Type: "string"}, "base64": {Type: "string"}}}
	}
	return orNull(t.out, schemaOf(out))
}

// schemaOfParams is the JSON Schema of a parameter object. It allows further
// properties: page and timeout belong to every request.
func schemaOfParams(params []Param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, p := range params {
		ps := schemaOf(p.typ)
		if !p.Optional { // of a result: a required member may be null
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

// orNull allows null in the schema of a pointer type.
func orNull(t reflect.Type, s *jsonschema.Schema) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer && s.Type != "" {
		s.Types, s.Type = []string{s.Type, "null"}, ""
	}
	return s
}

// resultOf makes the schema of a result that is more than one bare value, and ilo's
// letter for it.
func resultOf(t reflect.Type) (*jsonschema.Schema, string) {
	if t.Implements(reflect.TypeFor[Content]()) {
		return nil, "t"
	}
	switch plain := deref(t); plain.Kind() {
	case reflect.Bool:
		return nil, "b"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return nil, "n"
	case reflect.Struct:
		if plain == reflect.TypeFor[None]() {
			return nil, "_"
		}
		if plain != imageType {
			return schemaOf(t), "t"
		}
	}
	return nil, "t"
}
