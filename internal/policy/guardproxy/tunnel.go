package guardproxy

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"pwpipe/internal/policy"
)

// tunnel answers CONNECT. If host and port decide, it passes bytes both ways. Otherwise
// it looks at the bytes: TLS is opaque and passed on, plain requests are judged one by
// one.
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
		p.inside.give(&tunnelled{read: read{down, buffered.Reader}, p: p, target: r.Host, spare: up})
	default:
		p.drop(up, down)
	}
}

// NoTunnel is part of the error of Node's requests (page.request of scripts) without a
// tunnel. They would mistake a proper answer for the server's own, and without any
// answer wait for ever; this answer they can't parse.
const NoTunnel = "Parse Error: Invalid character in Content-Length"

// noTunnel is the answer that the browser, too, understands as "no tunnel".
const noTunnel = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: none\r\n\r\n"

// failTunnel is fail for CONNECT.
func (p *Proxy) failTunnel(w http.ResponseWriter, hostport string, err error) {
	p.note(hostport, err) // before the browser fails, and somebody asks for the reason
	if down, _, herr := http.NewResponseController(w).Hijack(); herr == nil {
		_, _ = io.WriteString(down, noTunnel)
		_ = down.Close()
	}
	panic(http.ErrAbortHandler)
}

// handshake is the first byte of TLS.
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

// tunnelled is a connection with plain requests inside of a tunnel.
type tunnelled struct {
	read
	p      *Proxy
	target string // host and port of the tunnel

	mu    sync.Mutex
	spare net.Conn // the open connection to them, until it is used
}

func (t *tunnelled) takeSpare() net.Conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.spare
	t.spare = nil
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	delete(t.p.tunnels, c) // whoever takes it closes it
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

// withTunnel gives requests the tunnel through which they came:
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

// handOver is a listener that is given its connections.
type handOver struct {
	addr  net.Addr
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
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

// withPort is a host with its port, or with the default port if it names none.
func withPort(host, port string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}
