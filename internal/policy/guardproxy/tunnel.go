package guardproxy

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"pwpipe/internal/policy"
)

// tunnel answers CONNECT. Where host and port decide, it passes bytes both
// ways; where they do not, it looks at what comes: TLS can't be seen into and
// is passed on, plain requests are judged one by one.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		p.failTunnel(w, r.Host, err)
	}
	tls, refused := p.o.Policy.Connect("https", host, port)
	plain, _ := p.o.Policy.Connect("http", host, port)
	if tls == policy.Nothing && plain == policy.Nothing {
		p.failTunnel(w, r.Host, refused)
	}
	up, err := p.reach(r.Context(), r.Host)
	if err != nil {
		p.failTunnel(w, r.Host, err)
	}
	p.failures.clear(r.Host)
	down, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = up.Close()
		return
	}
	if !p.hold(up, down) {
		return
	}
	if _, err := io.WriteString(down, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		p.drop(up, down)
		return
	}
	if tls == policy.Everything && plain == policy.Everything {
		p.pass(up, down, buffered.Reader)
		return
	}
	first, err := buffered.Peek(1)
	switch isTLS := err == nil && first[0] == handshake; {
	case isTLS && tls != policy.Nothing, err == nil && !isTLS && plain == policy.Everything:
		p.pass(up, down, buffered.Reader)
	case err == nil && !isTLS && plain == policy.Something:
		p.inside.give(&tunnelled{Conn: down, r: buffered.Reader, p: p, target: r.Host, spare: up})
	default:
		p.drop(up, down)
	}
}

// NoTunnel is part of what Node's requests (page.request of scripts) say when
// there is no tunnel. They would take a proper answer for the server's own, and
// wait for ever where there is none; this they can't read.
const NoTunnel = "Parse Error: Invalid character in Content-Length"

// noTunnel is what the browser, too, takes for "no tunnel".
const noTunnel = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: none\r\n\r\n"

// failTunnel is fail for CONNECT.
func (p *Proxy) failTunnel(w http.ResponseWriter, hostport string, err error) {
	p.note(hostport, err) // before the browser hears of it, and somebody asks why
	if down, _, herr := http.NewResponseController(w).Hijack(); herr == nil {
		_, _ = io.WriteString(down, noTunnel)
		_ = down.Close()
	}
	panic(http.ErrAbortHandler)
}

// handshake is what TLS begins with.
const handshake = 22

// pass copies bytes both ways until both are done.
func (p *Proxy) pass(up, down net.Conn, buffered io.Reader) {
	defer p.drop(up, down)
	done := make(chan struct{}, 2)
	pass := func(dst net.Conn, src io.Reader) {
		_, _ = io.Copy(dst, src)
		if half, ok := dst.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
		done <- struct{}{}
	}
	go pass(up, buffered)
	go pass(down, up)
	<-done
	<-done
}

// tunnelled is a connection inside of a tunnel on which plain requests come.
type tunnelled struct {
	net.Conn
	r      *bufio.Reader
	p      *Proxy
	target string // host and port that the tunnel was asked for

	mu    sync.Mutex
	spare net.Conn // the connection to them that is open, until it is taken
}

func (t *tunnelled) Read(b []byte) (int, error) { return t.r.Read(b) }

func (t *tunnelled) takeSpare() net.Conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.spare
	t.spare = nil
	if c != nil {
		t.p.forget(c)
	}
	return c
}

func (t *tunnelled) Close() error {
	t.p.drop(t.Conn)
	if c := t.takeSpare(); c != nil {
		_ = c.Close()
	}
	return nil
}

type tunnelKey struct{}

// withTunnel has requests know the tunnel that they came through:
// http.Server.ConnContext.
func withTunnel(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tunnelled); ok {
		return context.WithValue(ctx, tunnelKey{}, t)
	}
	return ctx
}

func tunnelOf(ctx context.Context) *tunnelled {
	t, _ := ctx.Value(tunnelKey{}).(*tunnelled)
	return t
}

// handOver is a listener whose connections are given to it.
type handOver struct {
	addr  net.Addr
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newHandOver(addr net.Addr) *handOver {
	return &handOver{addr: addr, conns: make(chan net.Conn), done: make(chan struct{})}
}

func (h *handOver) give(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.done:
		_ = c.Close()
	}
}

func (h *handOver) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.done:
		return nil, net.ErrClosed
	}
}

func (h *handOver) Close() error   { h.once.Do(func() { close(h.done) }); return nil }
func (h *handOver) Addr() net.Addr { return h.addr }

// withPort is a host with the port that it has if it names none.
func withPort(host, port string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}
