package endpoint_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// TestListedPagesConnect: in the service, the addresses that json/list gives connect, wherever below the
// session's address it is asked: with a token in the path, or with the key.
func TestListedPagesConnect(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPortOfASession is quick")
	t.Parallel()
	svc, ours, _, _, address := startPair(t, narrow...)
	var joined struct{ URL string }
	ours.On("session.cdp", map[string]any{"token": true}, &joined)
	for name, c := range map[string]struct {
		url string
		key []string
	}{"a token": {joined.URL, nil}, "the key": {address, []string{"X-Api-Key", svc.Key}}} {
		base := strings.Replace(c.url, "ws:", "http:", 1)
		if !strings.Contains(base, "/devtools/browser/") {
			t.Errorf("with %s: the address is %s", name, base)
		}
		for _, path := range []string{"/json", "/json/list"} {
			status, body := fetched(t, base+path, c.key...)
			if status != http.StatusOK {
				t.Fatalf("with %s: %s: %d %s", name, path, status, body)
			}
			for _, page := range pipetest.Decode[[]struct{ WebSocketDebuggerURL string }](t, body) {
				if name == "a token" {
					if got := works(t, page.WebSocketDebuggerURL, true); got != "first" {
						t.Errorf("%s shows %q", page.WebSocketDebuggerURL, got)
					}
					continue
				}
				ws, _, err := websocket.DefaultDialer.Dial(page.WebSocketDebuggerURL, http.Header{"X-Api-Key": {svc.Key}})
				if err != nil {
					t.Errorf("%s: %v", page.WebSocketDebuggerURL, err)
					continue
				}
				_ = ws.Close()
			}
		}
	}
}
