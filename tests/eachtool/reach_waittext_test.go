package eachtool_test

import (
	"encoding/json"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestWaitForElement(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/form"})
	late := func(script string) {
		p.Call("eval", []any{"void setTimeout(() => { " + script + " }, 300)"})
	}
	late(`document.body.insertAdjacentHTML("beforeend", "<p class=late>The\u00a0answer  is 42</p>")`)
	if got := p.Call("browser_wait_for_element", map[string]any{"selector": ".late", "pollInterval": 50}); got != `{"success":true}` {
		t.Error(got)
	}
	late(`document.body.insertAdjacentHTML("beforeend", "<p class=late>Done: all of it</p>")`)
	if got := p.Call("browser_wait_for_element", map[string]any{"selector": ".late", "text": "done:", "pollInterval": 50}); got != `{"success":true,"matchedText":"Done: all of it"}` {
		t.Error(got)
	}
	if got := p.Text("wait-text", []any{".late", "the answer is"}); got != "The\u00a0answer  is 42" {
		t.Errorf("%q", got)
	}
	p.Complains(`nothing matches "#never" with the text "x" after 2 s`, "wait-text", []any{"#never", "x"}, "timeout", 2)
	pipetest.Has(t, p.Fail("browser_wait_for_element", map[string]any{"selector": "][", "timeout": 5000}), "is not a valid selector")
	for _, over := range []map[string]any{{"timeout": 600001}, {"timeout": 0}, {"pollInterval": 1}, {"timeout": "x"}} {
		over["selector"] = "h1"
		pipetest.Has(t, p.Fail("browser_wait_for_element", over), "expected a number")
	}
}

// A wait continues across a navigation, and can be cancelled.
func TestWaitOverNavigation(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestWaitForElement is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/form"})
	p.Call("eval", []any{"void setTimeout(() => location.href = '/shadow', 200)"})
	pipetest.Has(t, p.Text("wait-text", []any{"h1", "shadow dom"}), "Shadow DOM")
	id := p.Request("browser_wait_for_element", map[string]any{"selector": "#never", "timeout": 600000})
	p.Send(`{"id":"c","method":"cancel","params":{"id":` + string(mustJSON(t, id)) + `}}`)
	lines := p.Line() + p.Line()
	pipetest.Has(t, lines, `"id":"c","result":true`, "cancelled")
	if got := p.Text("txt", []any{"h1"}); got != "Shadow DOM" {
		t.Error(got)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The profile matches the seed: names, inputs, defaults and limits.
func TestProfileMCP(t *testing.T) {
	t.Parallel()
	out, _, status := pipetest.Run(t, "", "tools", "--profile", "mcp", "--format", "json")
	if status != 0 {
		t.Fatal(out)
	}
	var tools []struct {
		Name        string
		InputSchema struct {
			Properties map[string]map[string]any
			Required   []string
		}
	}
	if err := json.Unmarshal([]byte(out), &tools); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, tool := range tools {
		s := ""
		for _, r := range tool.InputSchema.Required {
			s += r + " "
		}
		got[tool.Name] = s
		if tool.Name == "browser_wait_for_element" {
			props := tool.InputSchema.Properties
			if props["timeout"]["default"] != 30000.0 || props["timeout"]["maximum"] != 600000.0 || props["pollInterval"]["default"] != 1000.0 {
				t.Errorf("%v", props)
			}
		}
	}
	for name, required := range map[string]string{"browser_clipboard_read": "", "browser_clipboard_write": "text ", "browser_find_text": "text ",
		"browser_paste": "selector text ", "browser_wait_for_element": "selector "} {
		if r, ok := got[name]; !ok || r != required {
			t.Errorf("%s: required %q, want %q", name, r, required)
		}
	}
}
