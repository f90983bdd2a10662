//go:build unix

package usersocket

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"pwpipe/internal/shell/thin"
)

// Connections made before a service leaves are accepted. Later ones find no service.
func TestLeave(t *testing.T) {
	at := thin.Place{Dir: t.TempDir(), Name: "s"}
	l, release, err := Listen(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	const many = 3
	clients := []net.Conn{}
	for range many {
		conn, err := net.Dial("unix", at.Socket())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		clients = append(clients, conn)
	}
	go func() {
		time.Sleep(100 * time.Millisecond) // for a busy machine; a correct Leave waits anyway
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("hello"))
			_ = conn.Close()
		}
	}()
	l.(interface{ Leave(context.Context) }).Leave(t.Context())
	if conn, err := at.Dial(); !errors.Is(err, thin.ErrNothing) {
		t.Errorf("after Leave: %v, %v", conn, err)
	}
	_ = l.Close()
	for _, conn := range clients {
		if n, err := conn.Read(make([]byte, 5)); n == 0 {
			t.Errorf("a client that was early: %v", err)
		}
	}
}
