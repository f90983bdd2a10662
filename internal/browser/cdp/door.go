package cdp

import (
	"bytes"
	"crypto/rand"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// Door opens a WebSocket on loopback at which one peer joins the connection: see
// [Conn.Relay]. Its address has 128 random bits. It closes behind the peer, and with the
// connection.
func (c *Conn) Door() (address string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	path := "/" + rand.Text()
	var used atomic.Bool
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path || used.Swap(true) {
			http.NotFound(w, r)
			return
		}
		_ = l.Close()
		upgrader := websocket.Upgrader{ReadBufferSize: firstBuffer, WriteBufferSize: firstBuffer}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		_ = c.Relay(&socket{ws: ws}, &messages{ws: ws})
		_ = ws.Close()
	})
	go func() { _ = server.Serve(l) }()
	go func() {
		<-c.gone
		_ = server.Close()
	}()
	return "ws://" + l.Addr().String() + path, nil
}

// messages writes each message of a stream, up to its NUL, as one of the WebSocket's. It
// waits for as long as the peer does not read, like a pipe.
type messages struct {
	ws    *websocket.Conn
	begun []byte // of the message that is not complete
}

func (m *messages) Write(p []byte) (int, error) {
	rest := p
	for {
		message, after, whole := bytes.Cut(rest, []byte{0})
		if !whole {
			m.begun = append(m.begun, rest...)
			return len(p), nil
		}
		if len(m.begun) > 0 {
			message, m.begun = append(m.begun, message...), nil
		}
		if err := m.ws.WriteMessage(websocket.TextMessage, message); err != nil {
			return 0, err
		}
		rest = after
	}
}

func (m *messages) Close() error { return m.ws.Close() }
