package toollist

import (
	"encoding/json"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"pwpipe/provider"
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

// OpenRPC describes tools as an OpenRPC document.
func OpenRPC(tools []*provider.Tool) json.RawMessage {
	d := openRPCDocument{OpenRPC: "1.3.2", Methods: []openRPCMethod{}}
	d.Info.Title, d.Info.Version = "pwpipe", apiVersion
	d.Info.Description = "Playwright over JSON-RPC 2.0: sessions, pages, what they show and what went wrong."
	for _, t := range tools {
		m := openRPCMethod{Name: t.Name, Summary: t.Title, Description: t.Doc, Deprecated: t.Alias.Deprecated,
			ParamStructure: "by-name", Params: openRPCParams(t),
			Result: openRPCDescriptor{Name: "result", Schema: t.ResultSchema()}, Errors: openRPCErrors()}
		for _, profile := range append([]string{t.Profile}, t.Also...) {
			m.Tags = append(m.Tags, map[string]string{"name": profile})
		}
		d.Methods = append(d.Methods, m)
	}
	return rawjson.Encode(d)
}

// openRPCParams are a tool's own parameters plus the envelope's.
func openRPCParams(t *provider.Tool) []openRPCDescriptor {
	list := []openRPCDescriptor{}
	if !t.Sessionless {
		list = append(list, openRPCDescriptor{Name: "session_id", Required: true, Description: "of session.create",
			Schema: &jsonschema.Schema{Type: "string"}})
	}
	for _, p := range t.Params {
		list = append(list, openRPCDescriptor{Name: p.Name, Description: p.Doc, Required: !p.Optional,
			Schema: t.In.Properties[p.Name]})
	}
	if !t.Sessionless && !t.Has("page") {
		list = append(list, openRPCDescriptor{Name: "page",
			Description: "handle of a page; the active page if left out", Schema: &jsonschema.Schema{Type: "string"}})
	}
	if !t.Has("timeout") {
		above := 0.0
		list = append(list, openRPCDescriptor{Name: "timeout", Description: provider.UnitName(t.TimeoutUnit),
			Schema: &jsonschema.Schema{Type: "number", ExclusiveMinimum: &above,
				Default: rawjson.Encode(float64(t.Timeout) / float64(t.TimeoutUnit))}})
	}
	return list
}

// openRPCErrors are the errors of every method.
func openRPCErrors() []openRPCError {
	var list []openRPCError
	for _, kind := range provider.Kinds() {
		list = append(list, openRPCError{kind.RPCCode(), string(kind)})
	}
	slices.SortFunc(list, func(a, b openRPCError) int { return b.Code - a.Code })
	return list
}
