//go:build evidence

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
