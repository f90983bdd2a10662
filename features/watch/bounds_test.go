package watch_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// hears reads a viewer's messages until one contains a text, and returns it.
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

// TestBoundsOfViewers: with only the clients' key, traces are refused where they
// would hold secrets. Nobody can run more at once than a person needs.
func TestBoundsOfViewers(t *testing.T) {
	pipetest.UnderRace(t)
	s := service(t)
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
