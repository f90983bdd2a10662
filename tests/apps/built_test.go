//go:build evidence

package apps

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// builtPage builds the page of testdata/app from npm packages and serves it.
func builtPage(t *testing.T) string {
	t.Helper()
	modules := pipetest.NPM(t, "react@19.3.1", "react-dom@19.3.1", "antd@6.6.8", "@dnd-kit/core@6.3.1", "@dnd-kit/sortable@10.0.0",
		"@dnd-kit/utilities@3.2.2", "monaco-editor@0.57.0", "@shoelace-style/shoelace@2.20.1", "esbuild@0.28.2")
	out := t.TempDir()
	cmd := exec.Command("node", filepath.Join(modules, "esbuild/bin/esbuild"), "main.jsx", "--bundle", "--jsx=automatic", "--format=esm",
		"--loader:.ttf=file", "--define:process.env.NODE_ENV=\"production\"", "--log-level=error", "--outdir="+out)
	cmd.Dir = "testdata/app"
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("esbuild: %v\n%s", err, text)
	}
	page := `<!doctype html><html lang="en"><title>Harbour</title><link rel="stylesheet" href="/main.css"><div id="root"></div><script type="module" src="/main.js"></script></html>`
	if err := os.WriteFile(filepath.Join(out, "index.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(out)))
	t.Cleanup(site.Close)
	return site.URL
}

// TestComponents uses antd, dnd-kit, Monaco and Shoelace as a person would.
func TestComponents(t *testing.T) {
	wanted(t)
	p := pipetest.Start(t, "--base-url", builtPage(t))
	p.Call("nav", []any{"/"})
	text := func(sel string) string { return p.Text("txt", []any{sel}) }

	t.Run("antd", func(t *testing.T) {
		p.T = t
		p.Call("click", []any{"label=Port"})
		p.Call("click", []any{".ant-select-item-option >> text=Lerwick"})
		p.Call("check", []any{"label=Insured"})
		p.Call("click", []any{`role=switch[name="Lights"]`})
		p.Call("fill", []any{"label=Sailing", "2026-03-14"})
		p.Call("press", []any{"Enter", "label=Sailing"})
		p.Call("click", []any{"text=Ask the captain"})
		p.Call("click", []any{`role=dialog >> role=button[name="OK"]`})
		for sel, want := range map[string]string{"#port": "Lerwick", "#insured": "true", "#lights": "on", "#sailing": "2026-03-14", "#answer": "aye"} {
			if got := text(sel); got != want {
				t.Errorf("%s: %q, want %q", sel, got, want)
			}
		}
	})
	t.Run("antd's transfer", func(t *testing.T) {
		p.T = t
		snapshot := p.Text("snapshot", map[string]any{"selector": "[aria-label=Crates]"})
		pipetest.Has(t, snapshot, "Crate 1", "Crate 20")
		p.Call("click", []any{"li:has-text('Crate 7') >> role=checkbox"})
		p.Call("click", []any{`role=button[name="right"]`})
		if got := text("#aboard"); !strings.Contains(got, "Crate 7") {
			t.Errorf("aboard: %s", got)
		}
	})
	t.Run("dnd-kit", func(t *testing.T) {
		p.T = t
		p.Call("drag", map[string]any{"from": "#row-anna", "to": "#row-clara", "steps": 10})
		if got := text("#order"); got != "bente,clara,anna,dora" {
			t.Errorf("order: %s", got)
		}
	})
	t.Run("monaco", func(t *testing.T) {
		p.T = t
		p.Call("type", []any{"label=Log book", "calm sea"})
		if got := p.Text("eval", []any{"editor.getValue()"}); got != "calm sea" {
			t.Errorf("the editor holds %q", got)
		}
		pipetest.Has(t, p.Text("snapshot", nil), `textbox "Log book" [active] [ref=`, ": calm sea")
		p.Call("eval", []any{"editor.setValue('gale\\nrain'), 1"})
		pipetest.Has(t, p.Text("snapshot", nil), ": gale rain")
	})
	t.Run("shoelace", func(t *testing.T) {
		p.T = t
		p.Call("fill", []any{"label=Berth", "7b"})
		p.Call("click", []any{"#fuel"})
		p.Call("click", []any{"#flag"})
		p.Call("click", []any{"sl-option >> text=Denmark"})
		p.Call("click", []any{`role=button[name="Show papers"]`})
		p.Call("click", []any{"text=Close papers"})
		if got := p.Call("eval", []any{"[berth.value, fuel.checked, flag.value]"}); got != `["7b",true,"dk"]` {
			t.Errorf("got %s", got)
		}
	})
}
