//go:build evidence

package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// TestPeerDialogOfOthers: a dialog that another client of the browser answers is open no more.
func TestPeerDialogOfOthers(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	addr, _ := pipetest.Chromium(t, "0")
	s, _ := startPeer(t, nil, "--cdp-endpoint", "http://"+addr)
	page := "data:text/html,<button onclick=\"document.title=confirm('Sure?')\">Ask</button>"
	call := func(tool string, args map[string]any) string {
		got, _ := callTool(t, s, tool, args)
		return got
	}
	call("browser_navigate", map[string]any{"url": page})
	other := devToolsOf(t, addr)
	for range 3 {
		pipetest.Has(t, call("browser_click", map[string]any{"target": "button"}),
			`- ["confirm" dialog with message "Sure?"]: can be handled by browser_handle_dialog`)
		tell(t, other, "Page.handleJavaScriptDialog", `{"accept": true}`)
		pipetest.Eventually(t, "a snapshot", func() bool {
			return strings.Contains(call("browser_snapshot", nil), `button "Ask"`)
		})
		got, failed := callTool(t, s, "browser_handle_dialog", map[string]any{"accept": true})
		if !failed || !strings.Contains(got, "can only be used when there is related modal state") {
			t.Errorf("the dialog still counts: %s", got)
		}
	}
	pipetest.Has(t, call("browser_evaluate", map[string]any{"function": "() => document.title"}), `"true"`)
}

// devToolsOf is another client's session with the page of a Chromium that shows the button.
func devToolsOf(t *testing.T, addr string) *websocket.Conn {
	r, err := http.Get("http://" + addr + "/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var list []struct {
		Type, URL string
		Address   string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	for _, target := range list {
		if target.Type != "page" || !strings.HasPrefix(target.URL, "data:") {
			continue
		}
		c, _, err := websocket.DefaultDialer.Dial(target.Address, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		tell(t, c, "Page.enable", `{}`)
		return c
	}
	t.Fatalf("no page: %v", list)
	return nil
}

// tell sends a command and waits for its reply.
func tell(t *testing.T, c *websocket.Conn, method, params string) {
	if err := c.WriteJSON(map[string]any{"id": 1, "method": method, "params": json.RawMessage(params)}); err != nil {
		t.Fatal(err)
	}
	for {
		var m struct {
			ID    int
			Error json.RawMessage
		}
		if err := c.ReadJSON(&m); err != nil {
			t.Fatal(err)
		}
		if m.Error != nil {
			t.Fatalf("%s: %s", method, m.Error)
		}
		if m.ID == 1 {
			return
		}
	}
}
