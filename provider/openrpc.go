package provider

import (
	"bytes"
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
	OpenRPC string          `json:"openrpc"`
	Info    openRPCInfo     `json:"info"`
	Methods []openRPCMethod `json:"methods"`
}

type openRPCInfo struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
}

type openRPCMethod struct {
	Name           string              `json:"name"`
	Tags           []openRPCTag        `json:"tags"`
	Summary        string              `json:"summary"`
	Description    string              `json:"description"`
	Deprecated     bool                `json:"deprecated,omitempty"`
	ParamStructure string              `json:"paramStructure"`
	Params         []openRPCDescriptor `json:"params"`
	Result         openRPCDescriptor   `json:"result"`
	Errors         []openRPCError      `json:"errors"`
}

type openRPCTag struct {
	Name string `json:"name"`
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

// openRPCOf is openRPC for people.
func openRPCOf(tools []*Tool) string {
	var b bytes.Buffer
	_ = json.Indent(&b, openRPC(tools), "", "  ")
	return b.String() + "\n"
}

// openRPC describes tools as an OpenRPC document.
func openRPC(tools []*Tool) json.RawMessage {
	d := openRPCDocument{OpenRPC: "1.3.2", Methods: []openRPCMethod{}, Info: openRPCInfo{
		Title: "pwpipe", Version: apiVersion,
		Description: "Playwright over JSON-RPC 2.0: sessions, pages, what they show and what went wrong."}}
	for _, t := range tools {
		tags := []openRPCTag{{t.Profile}}
		for _, p := range t.Also {
			tags = append(tags, openRPCTag{p})
		}
		m := openRPCMethod{Name: t.Name, Tags: tags, Summary: t.Title, Description: t.Doc, Deprecated: t.Alias.Deprecated,
			ParamStructure: "by-name", Params: openRPCParams(t), Result: openRPCDescriptor{Name: "result", Schema: t.resultSchema()},
			Errors: openRPCErrors()}
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
	case out == reflect.TypeFor[Image]():
		return &jsonschema.Schema{Type: "object", Required: []string{"mime", "base64"}, Properties: map[string]*jsonschema.Schema{
			"mime": {Type: "string"}, "base64": {Type: "string"}}}
	}
	return orNull(t.out, schemaOf(out))
}
