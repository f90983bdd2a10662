//go:build evidence

package install_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// A host unpacks the bundle and runs its manifest's command. The bundle makers' own
// tool finds no fault.
func bundle(t *testing.T, p packages) {
	dir := t.TempDir()
	unzip(t, p.file(t, "pwpipe-*.mcpb"), dir)
	var m struct {
		Server struct {
			Config struct {
				Command string
				Args    []string
			} `json:"mcp_config"`
		}
		Tools []struct{ Name string }
	}
	readJSON(t, filepath.Join(dir, "manifest.json"), &m)
	checker := t.TempDir()
	run(t, checker, nil, "npm", "install", "--no-audit", "--no-fund", "--prefix", checker, "@anthropic-ai/mcpb@2.1.2")
	run(t, checker, nil, "npx", "--no-install", "mcpb", "validate", filepath.Join(dir, "manifest.json"))

	args := []string{}
	for _, arg := range m.Server.Config.Args {
		args = append(args, strings.ReplaceAll(arg, "${__dirname}", dir))
	}
	cmd := exec.Command(m.Server.Config.Command, args...)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), emptyHome(t)...)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"execute","arguments":{"code":"await page.setContent('<button>Hello</button>'); await page.locator('button').innerText()"}}}
`)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range m.Tools {
		if !strings.Contains(string(out), `"name":"`+tool.Name+`"`) {
			t.Errorf("the server does not list %s", tool.Name)
		}
	}
	if len(m.Tools) == 0 || !strings.Contains(string(out), "Hello") {
		t.Errorf("tools: %v; answers:\n%s", m.Tools, out)
	}
}

// The registry's own schema accepts the server.json, which names the packages.
func serverJSON(t *testing.T, p packages) {
	text, err := os.ReadFile(p.file(t, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal([]byte(run(t, t.TempDir(), nil, "go", "mod", "download", "-json", "github.com/modelcontextprotocol/registry@v1.8.9")), &module); err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	readJSON(t, filepath.Join(module.Dir, "internal/validators/schemas/2025-12-11.json"), &schema)
	schema.ID = "" // the test fetches nothing
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(whole); err != nil {
		t.Error(err)
	}
	whole.(map[string]any)["name"] = "no namespace"
	if resolved.Validate(whole) == nil {
		t.Error("the schema accepts anything")
	}

	var s struct {
		Name     string
		Packages []struct{ RegistryType, Identifier, FileSha256 string }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(p.file(t, "pwpipe-*.mcpb"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	for _, p := range s.Packages {
		if p.RegistryType == "mcpb" && p.FileSha256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s has another hash", p.Identifier)
		}
	}
	// The registry reads the owner from the packages.
	if out := run(t, t.TempDir(), nil, "tar", "xzOf", p.file(t, "pwpipe-[0-9]*.tgz"), "package/package.json"); !strings.Contains(out, `"mcpName": "`+s.Name+`"`) {
		t.Errorf("npm's package is not %s: %s", s.Name, out)
	}
	wheel := t.TempDir()
	unzip(t, p.file(t, "pwpipe-*-py3-none-manylinux_2_17_x86_64.whl"), wheel)
	text, err = os.ReadFile(packages{dir: wheel}.file(t, "pwpipe-*.dist-info/METADATA"))
	if err != nil || !strings.Contains(string(text), "mcp-name: "+s.Name+" ") {
		t.Errorf("the wheel is not %s: %v %s", s.Name, err, text)
	}
}

func readJSON(t *testing.T, name string, to any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(name, err)
	}
}

func unzip(t *testing.T, archive, dir string) {
	t.Helper()
	r, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range r.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(from)
		from.Close()
		if err == nil {
			err = os.WriteFile(to, data, f.Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
