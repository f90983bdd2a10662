//go:build evidence

package service_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The same subscription on a pipe: each event is a line.
func TestEventsOverPipe(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSocket is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	if got := p.Call("events", []any{[]string{"console", "popup"}}); got != `{"kinds":["console","popup"]}` {
		t.Fatal(got)
	}
	p.Request("eval", []any{"console.log('from the page')"})
	var e event
	answered := false
	for !answered || e.Event == "" {
		line := p.Line()
		if strings.HasPrefix(line, `{"event":`) {
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			continue
		}
		answered = true
	}
	if e.Event != "console" || e.Text != "from the page" || e.Page != "p1" {
		t.Errorf("%+v", e)
	}
	p.Call("events", []any{[]string{}})
	p.Call("eval", []any{"console.log('unheard')"})
	if title := p.Call("title", nil); strings.Contains(title, "unheard") {
		t.Error(title)
	}
	// A JSON-RPC client gets notifications.
	p.Send(`{"jsonrpc":"2.0","id":"s","method":"events.subscribe","params":{"kinds":["console"]}}`)
	if got := p.Line(); got != `{"jsonrpc":"2.0","id":"s","result":{"kinds":["console"]}}` {
		t.Fatal(got)
	}
	p.Send(`{"jsonrpc":"2.0","method":"eval","params":["console.log('again')"]}`)
	if got := p.Line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","method":"event","params":{"event":"console"`) || !strings.Contains(got, "again") {
		t.Fatal(got)
	}
	rest, status := p.Close()
	if rest != "" || status != 0 {
		t.Errorf("at the end: %q, status %d", rest, status)
	}
}
