package agent_test

import (
	"encoding/json"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/tokens"
)

func count(t *testing.T, text string) int {
	t.Helper()
	n, err := tokens.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// maxList is what the four tools, and reset, may cost in tools/list.
const maxList = 700

func TestToolListIsShort(t *testing.T) {
	t.Parallel()
	p := pipetest.Start(t, "--profile", "agent")
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var r struct {
		Result struct{ Tools json.RawMessage }
	}
	if err := json.Unmarshal([]byte(p.Line()), &r); err != nil {
		t.Fatal(err)
	}
	if n := count(t, string(r.Result.Tools)); n > maxList {
		t.Errorf("tools/list takes %d tokens, more than %d", n, maxList)
	} else {
		t.Logf("tools/list takes %d tokens", n)
	}
	pipetest.Has(t, string(r.Result.Tools), "30 s a script", "in every tool", "long lists fold", "dragTo")
	pipetest.Has(t, p.Text("help", []string{"execute"}), "createDebugger", "getReactSource", "setBreakpoint")
	pipetest.Has(t, string(r.Result.Tools), `"snapshot"`, `"search"`, `"screenshot"`, `"execute"`, `"reset"`)
}
