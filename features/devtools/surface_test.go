package devtools_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestOverMCP: the profile is listed, and a paused page is an error like any
// other.
func TestOverMCP(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := startOwn(t)
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(p.Line()), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
	}
	for _, name := range []string{"debug-break", "debug-locals", "debug-step", "code-edit", "styles", "react-source"} {
		if !slices.Contains(names, name) {
			t.Errorf("no %s among %v", name, names)
		}
	}
	call := func(name string, args pipetest.Object) string {
		raw, _ := json.Marshal(pipetest.Object{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": pipetest.Object{"name": name, "arguments": args}})
		p.Send(string(raw))
		return p.Line()
	}
	pipetest.Has(t, call("debug-break", pipetest.Object{"file": "debug.js", "line": 6}), `"structuredContent"`, `"id":"b1"`)
	pipetest.Has(t, call("click", pipetest.Object{"sel": "#total"}), `"isError":true`, "p1 is paused in the debugger")
	pipetest.Has(t, call("debug-locals", nil), `"vars":{"a":0,"b":4`)
	pipetest.Has(t, call("debug-resume", nil), "paused") // at the next iteration
}

// TestWaitIsCancelled: waiting for a pause can be cancelled.
func TestWaitIsCancelled(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := startOwn(t)
	id := p.Request("debug-wait", nil)
	p.Send(fmt.Sprintf(`{"id":"c","method":"cancel","params":{"id":%d}}`, id))
	pipetest.Has(t, p.Line()+p.Line(), "cancelled", `"id":"c"`)
	same(t, pipetest.Get[where](p, "debug-where", nil).State, "running")
}

// TestPagesHaveDebuggersOfTheirOwn: a paused page does not block another, and
// breakpoints are not shared.
func TestPagesHaveDebuggersOfTheirOwn(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := start(t)
	p.Call("new-ctx", nil)
	p.Call("new-page", []string{"c2"})
	p.Call("nav", []string{"/debug"}, "page", "p2")
	breakAt(p, 6, "#total")
	same(t, pipetest.Get[[]breakpoint](p, "debug-breaks", nil, "page", "p2"), []breakpoint{})
	p.Call("click", []string{"#total"}, "page", "p2")
	same(t, p.Text("txt", []string{"#result"}, "page", "p2"), "Total: 133")
	same(t, pipetest.Get[where](p, "debug-where", nil).State, "paused")
}
