package cdp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWebSocketWithoutPath: ws://HOST:PORT is asked for the browser's WebSocket; other addresses of WebSockets are taken
// as they are.
func TestWebSocketWithoutPath(t *testing.T) {
	t.Parallel()
	const browser = "ws://127.0.0.1:1/devtools/browser/x"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/json/version/" {
			_, _ = w.Write([]byte(`{"webSocketDebuggerUrl":"` + browser + `"}`))
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	ws := "ws" + strings.TrimPrefix(s.URL, "http")
	none := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(none.Close)
	other := "ws" + strings.TrimPrefix(none.URL, "http")
	for address, want := range map[string]string{
		ws: browser, ws + "/": browser, s.URL: browser, other: other,
		ws + "/devtools/browser/y": ws + "/devtools/browser/y", ws + "/?token=1": ws + "/?token=1",
	} {
		if got, err := webSocketOf(t.Context(), address, nil); err != nil || got != want {
			t.Errorf("%s: %s, %v", address, got, err)
		}
	}
}
