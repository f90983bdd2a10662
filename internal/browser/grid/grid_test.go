package grid

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSessionWithoutDevTools: a session that is of no use is ended, so that it holds no slot.
func TestSessionWithoutDevTools(t *testing.T) {
	var asked []string
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path)
		_, _ = io.WriteString(w, `{"value":{"sessionId":"a","capabilities":{}}}`)
	}))
	t.Cleanup(hub.Close)
	if _, err := Open(context.Background(), Options{Hub: hub.URL}); err == nil {
		t.Error("no error")
	}
	if want := []string{"POST /session", "DELETE /session/a"}; !slices.Equal(asked, want) {
		t.Errorf("the hub was asked %s", asked)
	}
}

// Neither a hub nor a URL in a folder's note can redirect our requests.
func TestHubSendsNowhere(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s %s is asked elsewhere", r.Method, r.URL) }))
	t.Cleanup(elsewhere.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		hub := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		t.Cleanup(hub.Close)
		if _, err := Open(context.Background(), Options{Hub: hub.URL}); err == nil {
			t.Errorf("%d: no error", status)
		}
		if err := (Options{Hub: hub.URL}).Ready(context.Background()); err == nil {
			t.Errorf("%d: it is ready", status)
		}
		dir := t.TempDir()
		text, _ := json.Marshal(note{hub.URL + "/session/1"})
		if err := os.WriteFile(filepath.Join(dir, noteName), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := EndLeft([]string{dir}); n != 1 {
			t.Errorf("%d: %d are left", status, n)
		}
	}
}
