package scripthost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"
)

// maxTunnels is how many connections scripts of a session may have at once.
const maxTunnels = 256

// tunnels are the connections of scripts, by number.
type tunnels struct {
	mu   sync.Mutex
	last int64
	open map[int64]tunnel // nil once the process has ended
}

// tunnel is one of them. ended ends the call that hands over data: if the process hangs up
// without an answer, the connection would wait for one for ever.
type tunnel struct {
	net.Conn
	ended context.CancelFunc
}

// dialTime bounds how long a connection may take to come up.
const dialTime = 60 * time.Second

type dataCall struct {
	Stream int64 `json:"stream"`
	End    bool  `json:"end"` // the process sends nothing more on it
}

type hangUpCall struct {
	Stream int64 `json:"stream"`
}

// Address is where a script connects to.
type Address struct {
	Host string `json:"host"`
	Port int    `json:"port"`
	// TLS: it does not speak TLS, the parent is to (see [Host.Hears]). Insecure takes
	// any certificate.
	TLS      bool `json:"tls"`
	Insecure bool `json:"insecure"`
}

// HostPort is the address as Go has it.
func (a Address) HostPort() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

func (a Address) valid() error {
	if a.Host == "" || len(a.Host) > 300 || a.Port < 1 || a.Port > 65535 {
		return errors.New("not a host and a port")
	}
	return nil
}

// ScriptError is an error of a connection that the script may read.
type ScriptError struct{ Err error }

func (t ScriptError) Error() string { return t.Err.Error() }

// dial opens a connection. What comes on it is sent as calls, one after the
// other: the next once the one before was taken.
func dial(r *Runtime, ctx context.Context, to Address, _ []byte) (reply, error) {
	if err := to.valid(); err != nil {
		return reply{}, err
	}
	within, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	conn, err := r.host.Dial(within, to)
	if err != nil {
		return reply{}, err
	}
	t := &r.tunnels
	t.mu.Lock()
	if t.open == nil || len(t.open) >= maxTunnels {
		t.mu.Unlock()
		_ = conn.Close()
		return reply{}, fmt.Errorf("over a limit: more than %d connections", maxTunnels)
	}
	t.last++
	id := t.last
	open, ended := context.WithCancel(r.process.ctx)
	t.open[id] = tunnel{conn, ended}
	t.mu.Unlock()
	go func() { defer ended(); r.receive(open, id, conn) }()
	return reply{map[string]any{"stream": id}, nil}, nil
}

type hearsCall struct {
	Host string `json:"host"`
	Port int    `json:"port"`
}

// hears says whether a script leaves TLS to the parent.
func hears(r *Runtime, _ context.Context, to hearsCall, _ []byte) (reply, error) {
	at := Address{Host: to.Host, Port: to.Port}
	if err := at.valid(); err != nil {
		return reply{}, err
	}
	return reply{map[string]any{"hears": r.host.Hears(at)}, nil}, nil
}

// receive sends what comes on a connection to the process.
func (r *Runtime) receive(ctx context.Context, id int64, conn net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := conn.Read(buffer)
		if n > 0 {
			if _, err := r.call(ctx, "data", map[string]any{"stream": id}, buffer[:n]); err != nil {
				r.tunnels.drop(id)
				return
			}
		}
		if err != nil {
			end := map[string]any{"stream": id}
			if why := (ScriptError{}); errors.As(err, &why) {
				end["why"] = why.Error()
			}
			_, _ = r.call(ctx, "data", end, nil)
			return
		}
	}
}

func data(r *Runtime, _ context.Context, in dataCall, raw []byte) (reply, error) {
	r.tunnels.mu.Lock()
	conn, open := r.tunnels.open[in.Stream]
	r.tunnels.mu.Unlock()
	switch {
	case !open:
		return reply{}, errors.New("ECONNRESET: the connection is closed")
	case in.End:
		if half, ok := conn.Conn.(interface{ CloseWrite() error }); ok {
			return reply{}, half.CloseWrite()
		}
		return reply{}, nil
	}
	_, err := conn.Write(raw)
	return reply{}, err
}

func (t *tunnels) drop(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, open := t.open[id]; open {
		c.ended()
		_ = c.Close()
		delete(t.open, id)
	}
}

func (t *tunnels) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.open {
		c.ended()
		_ = c.Close()
	}
	t.open = nil
}
