//go:build evidence

package service_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestMCPStructured: both versions list a tool with the same title, hints and schemas,
// except for the newer one's argument session. Results match their outputSchema.
func TestMCPStructured(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestMCPBothEras is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--profile=all")
	var lists []map[string]m
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		ss := connectAs(t, svc, version)
		list, err := ss.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		tools := map[string]m{}
		for _, tool := range list.Tools {
			raw, err := json.Marshal(tool)
			if err != nil {
				t.Fatal(err)
			}
			tools[tool.Name] = withoutSession(pipetest.Decode[m](t, string(raw)))
			if tool.Description == "" || tool.Annotations == nil || tool.Title == tool.Description {
				t.Errorf("%s %s: no description or hints, or one text twice", version, tool.Name)
			}
		}
		lists = append(lists, tools)
		for _, call := range []struct {
			tool string
			args m
		}{{"page.goto", m{"url": "/form"}}, {"page.text", m{}}, {"page.evaluate", m{"expression": "({a: [1, null]})"}}, {"logs.pull", m{}}, {"network.pull", m{}},
			{"session.storageState", m{}}, {"find.byRole", m{"role": "button"}}, {"pages", m{}}} {
			r, err := ss.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: call.args})
			if err != nil || r.IsError {
				t.Errorf("%s %s: %v %+v", version, call.tool, err, r)
				continue
			}
			keeps(t, version+" "+call.tool, tools[call.tool]["outputSchema"], r.StructuredContent)
		}
	}
	if d := cmp.Diff(lists[0], lists[1]); d != "" || len(lists[0]) < 100 {
		t.Errorf("%d tools (-2025-11-25 +2026-07-28):\n%s", len(lists[0]), d)
	}
}

// withoutSession is a tool without the arguments that name a session.
func withoutSession(tool m) m {
	properties, _ := tool["inputSchema"].(m)["properties"].(m)
	for _, name := range []string{"session", "session_id"} {
		p, _ := properties[name].(m)
		if p["x-mcp-header"] == nil {
			continue
		}
		if delete(p, "x-mcp-header"); name == "session" {
			delete(properties, name)
		}
	}
	if len(properties) == 0 {
		delete(tool["inputSchema"].(m), "properties")
	}
	return tool
}

// keeps validates a structured result. It has a schema if and only if it exists.
func keeps(t *testing.T, what string, schema, result any) {
	t.Helper()
	if schema == nil || result == nil {
		if schema != result {
			t.Errorf("%s: the schema is %v, the result %v", what, schema, result)
		}
		return
	}
	raw, _ := json.Marshal(schema)
	resolved, err := pipetest.Decode[*jsonschema.Schema](t, string(raw)).Resolve(nil)
	if err == nil {
		err = resolved.Validate(result)
	}
	if err != nil {
		t.Errorf("%s: %v: %v", what, err, result)
	}
}
