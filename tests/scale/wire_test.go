package scale

import (
	"io"
	"net"
	"sync"
	"testing"
)

// wire is what stands between clients and a service, and can be cut.
type wire struct {
	addr string // where clients connect

	mu   sync.Mutex
	open map[net.Conn]bool
}

func newWire(t *testing.T, to string) *wire {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{addr: l.Addr().String(), open: map[net.Conn]bool{}}
	t.Cleanup(func() { _ = l.Close(); w.cut() })
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
			w.open[in], w.open[out] = true, true
			w.mu.Unlock()
			go w.pass(in, out)
			go w.pass(out, in)
		}
	}()
	return w
}

func (w *wire) pass(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	_, _ = from.Close(), to.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, from)
}

// cut ends every connection, in the middle of what it carries.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.open {
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	}
}
