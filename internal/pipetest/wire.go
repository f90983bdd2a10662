package pipetest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
)

// Wire is a proxy between clients and a server that can be cut.
type Wire struct {
	Addr string // where clients connect

	listen net.Listener
	mu     sync.Mutex
	open   []net.Conn // of both sides, in the order in which they came
}

// NewWire leads to a server until the test ends.
func NewWire(t testing.TB, to string) *Wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Wire{Addr: l.Addr().String(), listen: l}
	t.Cleanup(func() { w.Close(); w.Cut() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close()
				continue
			}
			w.mu.Lock()
			w.open = append(w.open, out, in)
			w.mu.Unlock()
			go w.pass(in, out)
			go w.pass(out, in)
		}
	}()
	return w
}

// pass copies from one side to the other until either is gone.
func (w *Wire) pass(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	_, _ = from.Close(), to.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = slices.DeleteFunc(w.open, func(c net.Conn) bool { return c == from })
}

// Close refuses new connections; open ones stay.
func (w *Wire) Close() { _ = w.listen.Close() }

// Cut breaks every connection, in the middle of its data.
func (w *Wire) Cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		cut(c)
	}
}

// CutLast breaks the newest connection.
func (w *Wire) CutLast() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.open); n > 0 {
		cut(w.open[n-1])
	}
}

// cut makes the other side see a broken connection, not an ended one.
func cut(c net.Conn) {
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}

// FreeAddr is an address of this machine on which nobody listens, for a service whose
// address must be known before its start, or that comes back at the same address. Its port is
// below those that systems give to connections, so that no connection takes it meanwhile.
func FreeAddr(t testing.TB) string {
	t.Helper()
	for {
		addr := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000))
		if l, err := net.Listen("tcp", addr); err == nil {
			_ = l.Close()
			return addr
		}
	}
}
