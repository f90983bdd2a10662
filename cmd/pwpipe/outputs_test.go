//go:build evidence

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// outputs are calls, in order, of every tool with a result schema, with large
// and with empty results.
var outputs = []struct {
	tool string
	args pipetest.Object
}{
	{"logs.pull", nil}, {"network.pull", nil}, {"session.storageState", nil}, {"events.subscribe", pipetest.Object{"kinds": []string{"crash"}}}, {"events.unsubscribe", nil},
	{"events", pipetest.Object{"kinds": []string{"crash"}}}, {"events", pipetest.Object{"kinds": []string{}}}, {"find", pipetest.Object{"text": "nothing"}}, {"axe.run", nil}, {"page.text", nil},
	{"page.content", nil}, {"frame", nil}, {"debug-where", nil},
	{"page.goto", pipetest.Object{"url": "/console"}}, {"page.goto", pipetest.Object{"url": "/errors"}}, {"logs.pull", nil}, {"vitals", nil}, {"network.pull", pipetest.Object{"onlyErrors": false}},
	{"network.pull", nil}, {"response", nil}, {"wait-response", pipetest.Object{"url": "/errors"}}, {"wait-request", pipetest.Object{"url": "/errors"}}, {"request", pipetest.Object{"request": fromLast(`"request":(\d+)`)}},
	{"page.goto", pipetest.Object{"url": "/login"}}, {"page.fill", pipetest.Object{"selector": "[name=email]", "value": "ada@mail.example"}},
	{"page.fill", pipetest.Object{"selector": "[name=password]", "value": "secret"}}, {"page.press", pipetest.Object{"selector": "[name=password]", "key": "Enter"}},
	{"browser_wait_for_element", pipetest.Object{"selector": ".dashboard"}}, {"browser_wait_for_element", pipetest.Object{"selector": "h1", "text": "Welcome"}},
	{"session.storageState", nil}, {"page.reload", nil}, {"page.waitFor", pipetest.Object{"state": "load"}}, {"page.text", pipetest.Object{"selector": "#gone", "timeout": 500}},
	{"page.text", pipetest.Object{"selector": "h1"}}, {"page.evaluate", pipetest.Object{"expression": "null"}}, {"page.evaluate", pipetest.Object{"expression": "[1, {a: null}]"}},
	{"find.byRole", pipetest.Object{"role": "heading"}}, {"page.click", pipetest.Object{"selector": "h1"}},
	{"page.goto", pipetest.Object{"url": "/a11y"}}, {"axe.run", nil},
	{"page.goto", pipetest.Object{"url": "/frames"}}, {"frame", pipetest.Object{"sel": "#frame-outer"}}, {"frame", pipetest.Object{"sel": "#frame-inner"}}, {"frame", nil},
	{"nav", pipetest.Object{"url": "data:text/html,<title></title><p>alone</p>"}}, {"find", pipetest.Object{"text": "alone"}}, {"browser_find_text", pipetest.Object{"text": "alone"}},
	{"nav", pipetest.Object{"url": "/form"}}, {"browser_find_text", pipetest.Object{"text": "name"}}, {"browser_paste", pipetest.Object{"selector": "textarea", "text": "pasted"}},
	{"browser_clipboard_write", pipetest.Object{"text": ""}}, {"browser_clipboard_read", nil}, {"browser_clipboard_write", pipetest.Object{"text": "held"}}, {"browser_clipboard_read", nil},
	{"text", pipetest.Object{"max": 20}}, {"more", pipetest.Object{"cursor": fromLast(`\{"cursor":"([^"]+)"\}`)}},
	{"nav", pipetest.Object{"url": "/debug"}}, {"debug-break", pipetest.Object{"file": "never.js", "line": 1}}, {"debug-break", pipetest.Object{"file": "debug.js", "line": 6, "condition": "b > 3"}},
	{"click", pipetest.Object{"sel": "#total"}}, {"debug-wait", nil}, {"debug-where", nil}, {"debug-locals", nil}, {"debug-locals", pipetest.Object{"frame": 2}}, {"debug-step", pipetest.Object{"kind": "over"}},
	{"debug-step", pipetest.Object{"kind": "out"}}, {"debug-unbreak", nil}, {"debug-resume", nil}, {"debug-pause", nil}, {"debug-resume", nil},
	{"code-edit", pipetest.Object{"url": "debug.css", "old": "italic", "new": "normal"}},
	{"nav", pipetest.Object{"url": "data:text/html,<b>x</b>"}}, {"eval", pipetest.Object{"code": fibers}}, {"react-source", pipetest.Object{"sel": "b"}},
	{"nav", pipetest.Object{"url": "/form"}}, {"page-tools", nil}, {"eval", pipetest.Object{"code": "document.modelContext.registerTool(" +
		"{name: 'a', description: 'b', inputSchema: {type: 'object'}, execute: () => 1}), 1"}}, {"page-tools", nil},
	{"state-save", pipetest.Object{"name": "shop"}},
	{"playwright_browser", pipetest.Object{"action": "list"}}, {"playwright_browser", pipetest.Object{"action": "click", "selector": "b"}},
	{"session.cdp", nil}, {"session.create", nil}, {"session.close", pipetest.Object{"session_id": fromLast(`s_[-0-9a-f]+`)}},
}

// unanswered are tools that always fail here, and why.
var unanswered = map[string]string{
	"events":             "events go to the plain dialects and to sockets",
	"events.subscribe":   "as events",
	"events.unsubscribe": "as events",
	"login":              "it needs --logins",
}

// fromLast is a pattern. Its match in the last reply's text is the argument.
type fromLast string

func filled(t *testing.T, args pipetest.Object, last string) pipetest.Object {
	full := pipetest.Object{}
	for k, v := range args {
		if pattern, ok := v.(fromLast); ok {
			m := regexp.MustCompile(string(pattern)).FindStringSubmatch(last)
			if m == nil {
				t.Fatalf("no %s in %s", pattern, last)
			}
			v = m[len(m)-1]
			if n, err := strconv.Atoi(m[len(m)-1]); err == nil {
				v = n
			}
		}
		full[k] = v
	}
	return full
}

// fibers gives an element the data of React's development build.
const fibers = `document.querySelector('b').__reactFiber$x = {type: 'b', _debugSource: {fileName: 'a.jsx', lineNumber: 1},
	_debugOwner: {type: function App() {}, _debugSource: null, _debugOwner: null}}, 1`

// TestResultsAreWhatTheirSchemasSay checks structured content as the SDKs'
// clients do, null members included.
func TestResultsAreWhatTheirSchemasSay(t *testing.T) {
	pipetest.Nightly(t, "the golden schemas are compared in any case")
	t.Parallel()
	cmd := exec.Command(pipetest.Binary(t), "--base-url", pipetest.Site(t), "--profile", "all", "--page-tools")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	s := connectTo(t, "test", cmd)
	schemas := map[string]*jsonschema.Resolved{}
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.OutputSchema == nil {
			continue
		}
		schemas[tool.Name] = resolved(t, tool)
	}
	answered := map[string]bool{}
	last := ""
	for _, c := range outputs {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: filled(t, c.args, last)})
		if err != nil {
			t.Fatalf("%s %v: %v", c.tool, c.args, err)
		}
		if text, ok := r.Content[0].(*mcp.TextContent); ok {
			last = text.Text
		}
		schema := schemas[c.tool]
		if schema == nil || r.IsError {
			continue
		}
		answered[c.tool] = true
		if err := schema.Validate(r.StructuredContent); err != nil {
			raw, _ := json.Marshal(r.StructuredContent)
			t.Errorf("%s %v: %v\n%.2000s", c.tool, c.args, err, raw)
		}
	}
	for name := range schemas {
		if answered[name] == (unanswered[name] != "") {
			t.Errorf("%s declares what it answers, and no call of it is checked, or one is that %q", name, unanswered[name])
		}
	}
}

func resolved(t *testing.T, tool *mcp.Tool) *jsonschema.Resolved {
	t.Helper()
	raw, err := json.Marshal(tool.OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	r, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	return r
}
