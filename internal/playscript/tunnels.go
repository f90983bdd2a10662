package playscript

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// mostTunnels is how many connections scripts of a session may have at once.
const mostTunnels = 256

// tunnels are the connections of scripts, by number.
type tunnels struct {
	mu   sync.Mutex
	last int64
	open map[int64]net.Conn
	over bool
}

// dialTime bounds how long a connection may take to come up.
const dialTime = 60 * time.Second

type tunnelCall struct {
	Host   string `json:"host"`
	Port   int    `json:"port"`
	Stream int64  `json:"stream"`
	End    bool   `json:"end"`
}

// dial opens a connection. What comes on it is sent as calls, one after the
// other: the next once the one before was taken.
func dial(r *Runtime, ctx context.Context, f frame) (reply, error) {
	c, err := decode[tunnelCall](f)
	if err != nil {
		return reply{}, err
	}
	if len(c.Host) > 300 || c.Port < 1 || c.Port > 65535 {
		return reply{}, errors.New("not a host and a port")
	}
	within, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	conn, err := r.host.Dial(within, c.Host, c.Port)
	if err != nil {
		return reply{}, err
	}
	t := &r.tunnels
	t.mu.Lock()
	if t.over || len(t.open) >= mostTunnels {
		t.mu.Unlock()
		_ = conn.Close()
		return reply{}, fmt.Errorf("over a limit: more than %d connections", mostTunnels)
	}
	if t.open == nil {
		t.open = map[int64]net.Conn{}
	}
	t.last++
	id := t.last
	t.open[id] = conn
	t.mu.Unlock()
	go r.receive(id, conn)
	return reply{map[string]any{"stream": id}, nil}, nil
}

// receive sends what comes on a connection to the process.
func (r *Runtime) receive(id int64, conn net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := conn.Read(buffer)
		if n > 0 {
			if _, err := r.call(r.ctx, "data", map[string]any{"stream": id}, buffer[:n]); err != nil {
				r.tunnels.drop(id)
				return
			}
		}
		if err != nil {
			_, _ = r.call(r.ctx, "data", map[string]any{"stream": id}, nil)
			return
		}
	}
}

// data sends what the process says on a connection.
func data(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[tunnelCall](f)
	if err != nil {
		return reply{}, err
	}
	r.tunnels.mu.Lock()
	conn := r.tunnels.open[c.Stream]
	r.tunnels.mu.Unlock()
	switch {
	case conn == nil:
		return reply{}, errors.New("ECONNRESET: the connection is closed")
	case c.End:
		if half, ok := conn.(interface{ CloseWrite() error }); ok {
			return reply{}, half.CloseWrite()
		}
		return reply{}, nil
	}
	_, err = conn.Write(f.raw)
	return reply{}, err
}

func hangUp(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[tunnelCall](f)
	if err == nil {
		r.tunnels.drop(c.Stream)
	}
	return reply{}, err
}

func (t *tunnels) drop(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.open[id]; c != nil {
		_ = c.Close()
		delete(t.open, id)
	}
}

func (t *tunnels) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	for _, c := range t.open {
		_ = c.Close()
	}
	t.open = nil
}
