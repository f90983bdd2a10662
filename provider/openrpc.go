package provider

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"pwpipe/provider/internal/rawjson"
)

// apiVersion is the version of the /rpc interface.
const apiVersion = "1.0.0"

// openRPCDocument is an OpenRPC 1.3 document.
type openRPCDocument struct {
	OpenRPC string `json:"openrpc"`
	Info    struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Version     string `json:"version"`
	} `json:"info"`
	Methods []openRPCMethod `json:"methods"`
}

type openRPCMethod struct {
	Name           string              `json:"name"`
	Tags           []map[string]string `json:"tags"`
	Summary        string              `json:"summary"`
	Description    string              `json:"description"`
	Deprecated     bool                `json:"deprecated,omitempty"`
	ParamStructure string              `json:"paramStructure"`
	Params         []openRPCDescriptor `json:"params"`
	Result         openRPCDescriptor   `json:"result"`
	Errors         []openRPCError      `json:"errors"`
}

type openRPCDescriptor struct {
	Name        string             `json:"name"`
	Description string             `json:"description,omitempty"`
	Required    bool               `json:"required,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

type openRPCError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// OpenRPC describes the tools of the table.
func (t *Table) OpenRPC() json.RawMessage { return openRPC(t.Profile("all")) }

// OpenRPC describes the tools of the table that runs a handler.
func OpenRPC(ctx context.Context) json.RawMessage { return tableOf(ctx).OpenRPC() }

// openRPC describes tools as an OpenRPC document.
func openRPC(tools []*Tool) json.RawMessage {
	d := openRPCDocument{OpenRPC: "1.3.2", Methods: []openRPCMethod{}}
	d.Info.Title, d.Info.Version = "pwpipe", apiVersion
	d.Info.Description = "Playwright over JSON-RPC 2.0: sessions, pages, what they show and what went wrong."
	for _, t := range tools {
		m := openRPCMethod{Name: t.Name, Summary: t.Title, Description: t.Doc, Deprecated: t.Alias.Deprecated,
			ParamStructure: "by-name", Params: openRPCParams(t), Result: openRPCDescriptor{Name: "result", Schema: t.resultSchema()},
			Errors: openRPCErrors()}
		for _, profile := range append([]string{t.Profile}, t.Also...) {
			m.Tags = append(m.Tags, map[string]string{"name": profile})
		}
		d.Methods = append(d.Methods, m)
	}
	return rawjson.Encode(d)
}

// openRPCParams are a tool's own parameters plus the envelope's.
func openRPCParams(t *Tool) []openRPCDescriptor {
	list := []openRPCDescriptor{}
	if !t.Sessionless {
		list = append(list, openRPCDescriptor{Name: "session_id", Required: true, Description: "of session.create",
			Schema: &jsonschema.Schema{Type: "string"}})
	}
	for _, p := range t.Params {
		list = append(list, openRPCDescriptor{Name: p.Name, Description: p.Doc, Required: !p.Optional, Schema: t.In.Properties[p.Name]})
	}
	if !t.Sessionless && !t.Has("page") {
		list = append(list, openRPCDescriptor{Name: "page", Description: "handle of a page; the active page if left out",
			Schema: &jsonschema.Schema{Type: "string"}})
	}
	if !t.Has("timeout") {
		above := 0.0
		list = append(list, openRPCDescriptor{Name: "timeout", Description: unitName(t.TimeoutUnit),
			Schema: &jsonschema.Schema{Type: "number", ExclusiveMinimum: &above, Default: rawjson.Encode(float64(t.Timeout) / float64(t.TimeoutUnit))}})
	}
	return list
}

// openRPCErrors are the errors of every method.
func openRPCErrors() []openRPCError {
	var list []openRPCError
	for kind, wire := range kinds {
		list = append(list, openRPCError{wire.rpcCode, string(kind)})
	}
	slices.SortFunc(list, func(a, b openRPCError) int { return b.Code - a.Code })
	return list
}

// resultSchema describes what the tool answers.
func (t *Tool) resultSchema() *jsonschema.Schema {
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
