package cdp

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestHalfWritten: a connection to which a message could not be written whole has ended, though the
// other end may speak still.
func TestHalfWritten(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		<-over
		_ = ws.Close()
	}))
	defer server.Close()
	defer close(over)
	c, err := Dial(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/devtools/browser/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.w.(*socket).ws.NetConn().(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Browser(t.Context()); err == nil {
		t.Error("a call worked")
	}
	select {
	case <-c.Gone():
	case <-time.After(10 * time.Second):
		t.Error("the connection is there still")
	}
}
