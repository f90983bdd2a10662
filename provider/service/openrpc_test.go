package service_test

import (
	"encoding/json"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"pwpipe/internal/pipetest"
)

// metaSchema extracts a meta-schema from an npm package.
func metaSchema(t *testing.T, dir, pkg, export string) *jsonschema.Schema {
	t.Helper()
	pack := exec.Command("npm", "pack", "--silent", pkg)
	pack.Dir = dir
	name, err := pack.Output()
	if err != nil {
		t.Skipf("the meta-schema can't be had: npm pack %s: %v", pkg, err)
	}
	lines := strings.Fields(string(name))
	untar := exec.Command("tar", "xzf", lines[len(lines)-1])
	untar.Dir = dir
	if out, err := untar.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	node := exec.Command("node", "-p", "JSON.stringify("+export+")")
	node.Dir = filepath.Join(dir, "package")
	raw, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	s.Schema = "http://json-schema.org/draft-07/schema#" // both are written in draft 7
	return &s
}

func TestOpenRPCIsValid(t *testing.T) {
	pipetest.Nightly(t, "it fetches the schema of schemas")
	t.Parallel()
	openrpc := metaSchema(t, t.TempDir(), "@open-rpc/meta-schema@1.14.9", `require("./index.js").default`)
	schemas := metaSchema(t, t.TempDir(), "@json-schema-tools/meta-schema@1.8.0", `require("./index.js").default`)
	resolved, err := openrpc.Resolve(&jsonschema.ResolveOptions{Loader: func(u *url.URL) (*jsonschema.Schema, error) {
		return schemas, nil // the only other schema that it refers to
	}})
	if err != nil {
		t.Fatal(err)
	}
	svc := pipetest.SharedService(t)
	_, text, _ := svc.Do("GET", "/openrpc.json", "")
	var doc any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(doc); err != nil {
		t.Errorf("GET /openrpc.json: %v", err)
	}
	if got := svc.Call("rpc.discover", m{}); got != text {
		t.Error("rpc.discover answers something else")
	}
	// The schema refuses mistakes, so it does check.
	methods := doc.(map[string]any)["methods"].([]any)
	methods[0].(map[string]any)["params"] = []any{map[string]any{"name": 7, "schema": map[string]any{"type": "string"}}}
	if resolved.Validate(doc) == nil {
		t.Error("a parameter whose name is a number passes")
	}
	delete(methods[0].(map[string]any), "name")
	methods[0].(map[string]any)["params"] = []any{}
	if resolved.Validate(doc) == nil {
		t.Error("a method without a name passes")
	}
}

// The methods of the specification, with their parameters.
func TestOpenRPCHasTheMethods(t *testing.T) {
	t.Parallel()
	text, _, status := pipetest.Run(t, "", "tools", "--profile", "rpc", "--format", "openrpc")
	if status != 0 {
		t.Fatal(text)
	}
	pipetest.Golden(t, "../../docs/openrpc.json", text)
	var doc struct {
		Methods []struct {
			Name   string
			Params []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, m := range doc.Methods {
		var names []string
		for _, p := range m.Params {
			names = append(names, p.Name)
		}
		have[m.Name] = " " + strings.Join(names, " ") + " "
	}
	for method, params := range map[string]string{
		"session.create": "headless viewport userAgent storageState proxy har", "session.close": "session_id",
		"page.goto": "session_id url waitUntil timeout", "page.waitFor": "session_id state ms", "page.reload": "session_id waitUntil timeout",
		"page.text": "session_id selector maxChars normalize", "page.content": "session_id", "page.evaluate": "session_id expression arg",
		"page.click": "session_id selector button modifiers timeout", "page.fill": "session_id selector value timeout",
		"page.press": "session_id selector key timeout", "logs.pull": "session_id", "network.pull": "session_id onlyErrors",
		"screenshot": "session_id fullPage mime", "find.byRole": "session_id role name exact", "axe.run": "session_id include",
		"rpc.discover": "", "events.subscribe": "session_id kinds", "session.storageState": "session_id",
	} {
		for _, p := range strings.Fields(params) {
			if !strings.Contains(have[method], " "+p+" ") {
				t.Errorf("%s does not take %s (it takes%s)", method, p, have[method])
			}
		}
		if _, ok := have[method]; !ok {
			t.Errorf("no method %s", method)
		}
	}
}
