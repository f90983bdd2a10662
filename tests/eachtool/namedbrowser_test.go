package eachtool_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// sessionReply is every reply of playwright_browser.
type sessionReply struct {
	Success        bool
	Stdout, Stderr string
	Files          []string `json:"output_files"`
}

// browserTool is a pwpipe used only for playwright_browser.
type browserTool struct {
	*pipetest.Pipe
	site, dir string
}

// startBrowserTool gives the tool its own folder for temporary files.
func startBrowserTool(t *testing.T, args ...string) *browserTool {
	t.Helper()
	b := &browserTool{site: pipetest.Site(t), dir: t.TempDir()}
	cmd := exec.Command(pipetest.Binary(t), args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+b.dir)
	b.Pipe = pipetest.StartCmd(t, cmd)
	return b
}

// act runs an action. The reply is a result, never an error.
func (b *browserTool) act(t *testing.T, params pipetest.Object) sessionReply {
	t.Helper()
	raw := b.Call("playwright_browser", params)
	for _, key := range []string{"success", "stdout", "stderr", "output_files"} {
		if !strings.Contains(raw, `"`+key+`":`) || strings.Contains(raw, "null") {
			t.Errorf("%v: the reply is not whole: %s", params, raw)
		}
	}
	return pipetest.Decode[sessionReply](t, raw)
}

// done is act that must succeed and leave this many files, with the right names.
func (b *browserTool) done(t *testing.T, files int, params pipetest.Object) sessionReply {
	t.Helper()
	r := b.act(t, params)
	if !r.Success || r.Stderr != "" || r.Stdout == "" || len(r.Files) != files {
		t.Fatalf("%v: %+v", params, r)
	}
	id, _ := params["browser_id"].(string)
	if id == "" {
		id = "default"
	}
	name := regexp.MustCompile(`^` + regexp.QuoteMeta(id) + `_` + params["action"].(string) + `_\d{8}_\d{6}(_\d+)?\.(txt|html|png)$`)
	for _, f := range r.Files {
		if filepath.Dir(f) != filepath.Join(b.dir, "playwright_browser") || !name.MatchString(filepath.Base(f)) {
			t.Errorf("%v: a file named %s", params, f)
		}
	}
	return r
}

func content(t *testing.T, r sessionReply) string {
	t.Helper()
	data, err := os.ReadFile(r.Files[len(r.Files)-1])
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Every action works and saves the page's content, in both content modes.
func TestBrowserToolActions(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcripts browser-page and browser-pointer are quick")
	t.Parallel()
	b := startBrowserTool(t)
	b.done(t, 1, pipetest.Object{"action": "launch"})
	r := b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/form"})
	if text := content(t, r); !strings.HasPrefix(text, "Action: navigate\nURL: "+b.site+"/form\nTime: 20") || !strings.Contains(text, "\n=== Interactive elements ===\n") {
		t.Errorf("%.200s", text)
	}
	b.done(t, 1, pipetest.Object{"action": "type", "selector": "#message", "text": "new"}) // it had a value before
	r = b.done(t, 1, pipetest.Object{"action": "type", "selector": "//input[@id='name']", "text": "Ada", "content_mode": "html"})
	if html := content(t, r); !strings.HasPrefix(html, "<!DOCTYPE html>") || !strings.Contains(html, "Every kind of field") || filepath.Ext(r.Files[0]) != ".html" {
		t.Errorf("%.200s", html)
	}
	r = b.done(t, 1, pipetest.Object{"action": "click", "selector": "#submit", "content_mode": "html"})
	if html := content(t, r); !strings.Contains(html, `"name": "Ada"`) || !strings.Contains(html, `"message": "new"`) {
		t.Error("the form was not filled")
	}
	r = b.done(t, 2, pipetest.Object{"action": "screenshot"})
	data, _ := os.ReadFile(r.Files[0])
	if picture, err := png.Decode(bytes.NewReader(data)); err != nil || picture.Bounds().Dy() < 1000 {
		t.Errorf("not a picture of the whole page: %v", err)
	}
	if got := b.done(t, 0, pipetest.Object{"action": "list"}).Stdout; !strings.Contains(got, "browser_id: default | status: active | title: Form | Skerry | url: "+b.site+"/form") {
		t.Error(got)
	}
	// Browsers keep separate state. A name is not a path. A second launch of a name replaces the first.
	const other = "甲/../../up/and away"
	for _, params := range []pipetest.Object{{"action": "launch"}, {"action": "navigate", "url": b.site + "/cookies"}} {
		params["browser_id"] = other
		if r := b.act(t, params); !r.Success || filepath.Dir(r.Files[0]) != filepath.Join(b.dir, "playwright_browser") {
			t.Errorf("%+v", r)
		}
	}
	got := b.done(t, 0, pipetest.Object{"action": "list"}).Stdout
	if lines := strings.Split(got, "\n"); len(lines) != 2 || !strings.Contains(lines[0], "default") || !strings.Contains(lines[0], "/form") || !strings.Contains(lines[1], "/cookies") {
		t.Error(got)
	}
	b.done(t, 1, pipetest.Object{"action": "launch"})
	if got := b.done(t, 0, pipetest.Object{"action": "list"}).Stdout; strings.Contains(got, "/form") || strings.Count(got, "\n") != 1 {
		t.Errorf("the old one lives: %s", got)
	}
	for _, id := range []string{"default", "default", other, "never"} { // closing twice is no error
		b.done(t, 0, pipetest.Object{"action": "close", "browser_id": id})
	}
	if got := b.done(t, 0, pipetest.Object{"action": "list"}).Stdout; got != "no browser is open" {
		t.Error(got)
	}
	if _, err := os.Stat(r.Files[0]); err != nil {
		t.Error("close took the files away")
	}
}

// mcpReply holds the fields of replies that the MCP test reads.
type mcpReply struct {
	Result struct {
		Tools []struct {
			Name        string
			InputSchema struct {
				Required   []string
				Properties map[string]struct {
					Type    string
					Enum    []string
					Default json.RawMessage
				}
			}
		}
		IsError           bool
		StructuredContent sessionReply
	}
}

// The tool is listed with the specification's schema, and answers the same over
// MCP.
func TestBrowserToolOverMCP(t *testing.T) {
	t.Parallel()
	out, _, _ := pipetest.Run(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"playwright_browser","arguments":{"action":"navigate","url":"http://127.0.0.1"}}}
`, "--profile", "session")
	var listed, called mcpReply
	for text := range strings.Lines(out) {
		if strings.Contains(text, `"id":2`) {
			listed = pipetest.Decode[mcpReply](t, text)
		}
		if strings.Contains(text, `"id":3`) {
			called = pipetest.Decode[mcpReply](t, text)
		}
	}
	if len(listed.Result.Tools) != 1 || listed.Result.Tools[0].Name != "playwright_browser" {
		t.Fatal(out)
	}
	schema := listed.Result.Tools[0].InputSchema
	if strings.Join(schema.Required, " ") != "action" || len(schema.Properties) != 9 || len(schema.Properties["action"].Enum) != 7 {
		t.Errorf("%+v", schema)
	}
	for name, want := range map[string]string{"browser_id": `string "default"`, "url": "string ", "selector": "string ", "text": "string ",
		"wait_condition": `string "network_idle"`, "timeout": "number 30", "content_mode": `string "abstract"`, "headless": "boolean true"} {
		if got := schema.Properties[name].Type + " " + string(schema.Properties[name].Default); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if r := called.Result; r.IsError || r.StructuredContent.Success || !strings.Contains(r.StructuredContent.Stderr, "not launched") {
		t.Error(out)
	}
}

// If Playwright is not available, the reply says how to install it.
func TestBrowserToolWithoutPlaywright(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	cmd := exec.Command(pipetest.Binary(t))
	cmd.Env = []string{"PATH=" + empty, "HOME=" + empty, "XDG_CACHE_HOME=" + empty}
	p := pipetest.StartCmd(t, cmd)
	r := pipetest.Decode[sessionReply](t, p.Call("playwright_browser", pipetest.Object{"action": "launch"}))
	if r.Success || !strings.Contains(r.Stderr, "Node") && !strings.Contains(r.Stderr, "pwpipe install") {
		t.Errorf("%+v", r)
	}
	t.Log(r.Stderr)
	// What needs no browser is there; a base URL is not.
	p.Complains("give it whole: https://example.com/a", "read", list("example.com/a"))
}
