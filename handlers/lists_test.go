package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
	"pwpipe/provider/toollist"
	"pwpipe/provider/wire"
)

// listsFile has the tools of every profile in the order of its list. What each of them is,
// is in testdata/tools.
const listsFile = "testdata/lists.txt"

// TestLists: a profile has the same tools in the same order, whoever lists them, and MCP
// leaves out only those that are deprecated.
func TestLists(t *testing.T) {
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	var text strings.Builder
	for _, profile := range append(table.Profiles(), "all") {
		fmt.Fprintf(&text, "== %s\n", profile)
		var kept []string
		for _, tool := range table.Profile(profile) {
			mark := ""
			if tool.Alias.Deprecated {
				mark = " (not over MCP)"
			} else {
				kept = append(kept, tool.Name)
			}
			fmt.Fprintln(&text, tool.Name+mark)
		}
		for _, client := range []string{"a client", "ilo"} {
			if got := namesOf(listedTo(t, table, client, profile)); !slices.Equal(got, kept) {
				t.Errorf("profile %s over MCP to %s: %v, want %v", profile, client, got, kept)
			}
		}
	}
	pipetest.Golden(t, listsFile, text.String())
	ilo, err := toollist.Describe(table.Profile("all"), "ilo")
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Golden(t, "testdata/lists.ilo", ilo)
}

// TestDialects: what each dialect makes of a tool follows from its contract. A list that
// has lost or changed something fails here, though the tool's declaration has not changed.
func TestDialects(t *testing.T) {
	tools := features.Tools()
	table := provider.NewTable(tools, provider.TableOptions{})
	methods := openRPCMethods(t, table)
	plain, ilo := listedTo(t, table, "a client", "all"), listedTo(t, table, "ilo", "all")
	for _, tool := range table.Profile("all") {
		method, ok := methods[tool.Name]
		if !ok || len(method.Params) < len(tool.Params) {
			t.Errorf("%s over OpenRPC: %+v", tool.Name, method)
			continue
		}
		if !tool.Has("session_id") { // the session is one more parameter of most tools
			method.Params = slices.DeleteFunc(method.Params, func(p openRPCParam) bool { return p.Name == "session_id" })
		}
		for i, p := range tool.Params {
			if method.Params[i].Name != p.Name || method.Params[i].Required == p.Optional {
				t.Errorf("%s over OpenRPC: parameter %d is %+v, want %s", tool.Name, i, method.Params[i], p.Name)
			}
		}
		if tool.Alias.Deprecated {
			continue
		}
		var required []string
		for _, p := range tool.Params {
			if !p.Optional {
				required = append(required, p.Name)
			}
		}
		in := plain[indexOf(t, plain, tool.Name)]
		if got := string(in.Input); got != asJSON(t, tool.In) {
			t.Errorf("%s over MCP takes %s, want %s", tool.Name, got, asJSON(t, tool.In))
		}
		if tool.Out != nil && string(in.Output) != asJSON(t, tool.Out) {
			t.Errorf("%s over MCP answers %s, want %s", tool.Name, in.Output, asJSON(t, tool.Out))
		}
		if in.Description != tool.Doc || in.Title != tool.Title && in.Title != "" {
			t.Errorf("%s over MCP is called %q: %q", tool.Name, in.Title, in.Description)
		}
		if got := keysInOrder(t, ilo[indexOf(t, ilo, tool.Name)].Input); !slices.Equal(got, required) {
			t.Errorf("%s to ilo takes %v, want %v", tool.Name, got, required)
		}
	}
}

type listedTool struct {
	Name, Title, Description string
	Input                    json.RawMessage `json:"inputSchema"`
	Output                   json.RawMessage `json:"outputSchema"`
}

// listedTo is the list of a profile as a client with a name gets it over MCP.
func listedTo(t *testing.T, table *provider.Table, client, profile string) []listedTool {
	t.Helper()
	in := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":%q,"version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`, client)
	var out bytes.Buffer
	s := &wire.Stdio{Table: table, Profile: profile}
	if failed, err := s.Serve(context.Background(), strings.NewReader(in), &out); failed || err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	for line := range strings.Lines(out.String()) {
		var reply struct {
			ID     int
			Result struct{ Tools []listedTool }
		}
		if err := json.Unmarshal([]byte(line), &reply); err != nil {
			t.Fatal(err)
		}
		if reply.ID == 2 {
			return reply.Result.Tools
		}
	}
	t.Fatalf("no list: %s", out.Bytes())
	return nil
}

func namesOf(list []listedTool) (names []string) {
	for _, tool := range list {
		names = append(names, tool.Name)
	}
	return names
}

func indexOf(t *testing.T, list []listedTool, name string) int {
	t.Helper()
	i := slices.IndexFunc(list, func(tool listedTool) bool { return tool.Name == name })
	if i < 0 {
		t.Fatalf("%s is not listed over MCP", name)
	}
	return i
}

// keysInOrder are the names of a schema's properties.
func keysInOrder(t *testing.T, schema json.RawMessage) (names []string) {
	t.Helper()
	var object struct{ Properties json.RawMessage }
	if err := json.Unmarshal(schema, &object); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(object.Properties))
	if _, err := d.Token(); err != nil {
		return nil // no properties
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

type openRPCMethod struct {
	Name   string
	Params []openRPCParam
}

type openRPCParam struct {
	Name     string
	Required bool
}

func openRPCMethods(t *testing.T, table *provider.Table) map[string]openRPCMethod {
	t.Helper()
	text, err := toollist.Describe(table.Profile("all"), "openrpc")
	var document struct{ Methods []openRPCMethod }
	if err != nil || json.Unmarshal([]byte(text), &document) != nil {
		t.Fatal(err, text)
	}
	methods := map[string]openRPCMethod{}
	for _, m := range document.Methods {
		methods[m.Name] = m
	}
	return methods
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
