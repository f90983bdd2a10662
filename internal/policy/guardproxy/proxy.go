// Package guardproxy is a forward proxy on a loopback port that lets a browser reach
// what a policy allows, and nothing else.
//
// The browser sends everything to it: plain HTTP as absolute-form requests, https and
// WebSockets as CONNECT tunnels. The proxy judges the whole URL of a plain request, and
// host and port of a tunnel. If these do not decide, it judges the requests inside the
// tunnel, provided that they are plain. Then it resolves the name once, judges each
// address, and connects to exactly that address, so the name can't resolve to another
// one in between. A page can't bypass the proxy: the browser resolves no names and
// opens no other sockets.
//
// A refused or unreachable request gets no answer: the proxy closes the connection, so
// that nobody mistakes its words for a server's, and a page sees a failed request.
// [Proxy.Failure] says why.
package guardproxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"strings"
	"sync"
	"time"

	"pwpipe/internal/policy"
)

// Options of a proxy.
type Options struct {
	Policy *policy.Policy
	Log    *slog.Logger
	// Upstream is another proxy to use, nil for none.
	Upstream *Upstream
	// Resolve turns a name into addresses; nil asks the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Proxy is a running proxy.
type Proxy struct {
	o      Options
	ln     net.Listener
	server *http.Server
	plain  http.Handler
	dialer net.Dialer

	failures failures
	warned   sync.Once // that the upstream proxy refuses the login
	inside   *handOver // plain connections inside of tunnels

	mu      sync.Mutex
	tunnels map[net.Conn]struct{}
	closed  bool
}

// dialTime bounds one attempt to connect.
const dialTime = 20 * time.Second

// listening are the addresses of this process's proxies. No proxy connects to one.
// Otherwise a script could pass for the browser, whose https is judged only by host and
// port; a script's is judged by its paths too.
var listening sync.Map

// Start listens on a free loopback port.
func Start(o Options) (*Proxy, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the filtering proxy: %w", err)
	}
	p := newProxy(o)
	p.ln, p.inside = ln, &handOver{addr: ln.Addr(), conns: make(chan net.Conn), done: make(chan struct{})}
	p.plain = p.forwarder()
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 30 * time.Second, ErrorLog: log.New(io.Discard, "", 0), ConnContext: withTunnel}
	listening.Store(ln.Addr().String(), true)
	go func() { _ = p.server.Serve(ln) }()
	go func() { _ = p.server.Serve(p.inside) }()
	return p, nil
}

// newProxy makes a proxy that does not listen.
func newProxy(o Options) *Proxy {
	if o.Resolve == nil {
		o.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	return &Proxy{o: o, dialer: net.Dialer{Timeout: dialTime}, tunnels: map[net.Conn]struct{}{}}
}

// URL is the browser's setting for its proxy.
func (p *Proxy) URL() string { return "http://" + p.ln.Addr().String() }

// Close ends the proxy and every connection through it.
func (p *Proxy) Close() {
	_ = p.server.Close()
	listening.Delete(p.ln.Addr().String())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for c := range p.tunnels {
		_ = c.Close()
	}
}

// ServeHTTP handles one request of the browser.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t := tunnelOf(r.Context()); t != nil && r.Method != http.MethodConnect && !r.URL.IsAbs() {
		r.URL.Scheme, r.URL.Host = "http", strings.TrimSuffix(t.target, ":80")
	}
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.IsAbs() && r.URL.Scheme == "http" && r.URL.Host != "":
		scheme := "http"
		if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			scheme = "ws"
		}
		if err := p.o.Policy.Request(scheme + "://" + r.URL.Host + r.URL.RequestURI()); err != nil {
			p.fail(withPort(r.URL.Host, "80"), err)
		}
		p.plain.ServeHTTP(w, r)
	default: // another program, or a page that found the port: this is no web server
		http.Error(w, "pwpipe: this is a forward proxy", http.StatusBadRequest)
	}
}

// forwarder passes plain requests on, upgrades and streams included.
func (p *Proxy) forwarder() http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.Host = r.In.URL.Host // the server gets exactly what was judged
			if r.In.Header.Get("User-Agent") == "" {
				r.Out.Header.Set("User-Agent", "")
			}
		},
		Transport: &Transport{&http.Transport{Proxy: p.o.Upstream.forPlain, DialContext: p.dialPlain,
			DisableCompression: true, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute}, p.o.Upstream},
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		ModifyResponse: func(r *http.Response) error {
			p.failures.clear(withPort(r.Request.URL.Host, "80"))
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			p.fail(withPort(r.URL.Host, "80"), err)
		},
	}
}

// hold stores the two ends of a tunnel, so that Close can end it.
func (p *Proxy) hold(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		if p.closed {
			_ = c.Close()
		} else {
			p.tunnels[c] = struct{}{}
		}
	}
	return !p.closed
}

func (p *Proxy) drop(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
		delete(p.tunnels, c)
	}
}

// fail ends a request that was refused, or whose server could not be reached: it closes
// the connection.
func (p *Proxy) fail(hostport string, err error) {
	p.note(hostport, err)
	panic(http.ErrAbortHandler)
}

// note stores the reason of a failure, and logs it.
func (p *Proxy) note(hostport string, err error) {
	if errors.Is(err, context.Canceled) { // nobody waits for it any more
		return
	}
	p.failures.note(hostport, err)
	if refused, ok := errors.AsType[*policy.Refusal](err); ok {
		p.o.Log.Info("blocked", "host", hostport, "reason", refused.Reason)
	} else if errors.Is(err, errLogin) {
		p.warned.Do(func() { p.o.Log.Warn("the proxy refuses the login", "proxy", p.o.Upstream.url.Host) })
	} else {
		p.o.Log.Debug("not reached", "host", hostport, "error", err)
	}
}

// dial judges the host, resolves it once, judges the addresses, and connects to one of
// them.
func (p *Proxy) dial(ctx context.Context, network, hostport string) (net.Conn, error) {
	if t := tunnelOf(ctx); t != nil && t.target == hostport {
		if c := t.takeSpare(); c != nil {
			return c, nil
		}
	}
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, fmt.Errorf("no port in %q", hostport)
	}
	addrs, err := p.judge(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, a := range addrs {
		var c net.Conn
		if c, err = p.dialer.DialContext(ctx, network, net.JoinHostPort(a.String(), port)); err != nil {
			continue
		}
		if _, own := listening.Load(c.RemoteAddr().String()); own {
			_ = c.Close()
			return nil, &policy.Refusal{What: hostport, Reason: "pwpipe's own proxy is no host"}
		}
		return c, nil
	}
	return nil, err
}

// judge returns the addresses of a host if all of them are allowed. One refused address
// refuses the host, because a name with two could be used to probe.
func (p *Proxy) judge(ctx context.Context, host string) ([]netip.Addr, error) {
	if err := p.o.Policy.Host(host); err != nil {
		return nil, err
	}
	host, err := policy.Canonical(host)
	if err != nil {
		return nil, err
	}
	addrs, err := p.lookUp(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, a := range addrs {
		if err := p.o.Policy.Addr(a); err != nil {
			return nil, &policy.Refusal{What: host, Reason: host + " stands for an address that may not be reached: " + err.Error()}
		}
	}
	return addrs, nil
}

// lookUp resolves a name. Names under localhost are this machine in every
// browser, whatever the system's resolver says.
func (p *Proxy) lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return []netip.Addr{a}, nil
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	addrs, err := p.o.Resolve(ctx, host)
	if err == nil && len(addrs) == 0 {
		err = fmt.Errorf("%s has no address", host)
	}
	return addrs, err
}
