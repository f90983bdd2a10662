package watch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// hears reads what a viewer is sent until a message has a text, and answers it.
func hears(t *testing.T, ws *websocket.Conn, part string) string {
	t.Helper()
	_ = ws.SetReadDeadline(time.Now().Add(pipetest.Patience))
	for {
		_, text, err := ws.ReadMessage()
		if err != nil {
			t.Fatalf("no %s: %v", part, err)
		}
		if strings.Contains(string(text), part) {
			return string(text)
		}
	}
}

// TestBoundsOfViewers: who has the key of clients only has no traces where they would
// hold secrets, and nobody has more done at once than a person asks for.
func TestBoundsOfViewers(t *testing.T) {
	t.Parallel()
	secrets := filepath.Join(t.TempDir(), "secrets.env")
	if err := os.WriteFile(secrets, []byte("PASSWORD=correct-horse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := pipetest.StartService(t, "OPERATOR_KEY="+operator, "--secrets="+secrets)
	own := s.Open(nil)
	own.On("page.goto", map[string]any{"url": "/form"})
	for key, trace := range map[string]string{pipetest.Key: "blocked: a trace holds the values of secrets", operator: `"records":["trace"]`} {
		ws, status := looks(t, s, cookieOf(t, s, key))
		if ws == nil {
			t.Fatal(status)
		}
		say := func(does map[string]any) {
			text, _ := json.Marshal(does)
			_ = ws.WriteMessage(websocket.TextMessage, text)
		}
		say(map[string]any{"do": "name", "id": own.ID})
		var named struct{ Key string }
		if err := json.Unmarshal([]byte(hears(t, ws, `"named"`)), &named); err != nil {
			t.Fatal(err)
		}
		say(map[string]any{"do": "look", "session": named.Key})
		hears(t, ws, `"records"`)
		say(map[string]any{"do": "record", "what": "trace", "on": true})
		hears(t, ws, trace)
		for range 100 {
			say(map[string]any{"do": "outline"})
		}
		hears(t, ws, "too many requests are under way; wait for their answers")
		if got := own.On("title", nil); !strings.Contains(got, "Form") {
			t.Errorf("the page answers %s", got)
		}
		_ = ws.Close()
	}
}
