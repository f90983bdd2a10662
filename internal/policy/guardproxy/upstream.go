package guardproxy

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/proxy"
)

// Upstream is another proxy for requests that were judged. It resolves the names, so it
// can't be used with a policy that judges addresses.
type Upstream struct {
	url    *url.URL
	bypass []string
	// Trusted is one that whoever started pwpipe chose: its own address is not judged.
	Trusted bool
}

// ErrUpstream: an upstream proxy could not be used.
var ErrUpstream = errors.New("the upstream proxy failed")

// errLogin: it refuses the login, or lacks one.
var errLogin = errors.New("it answered 407 Proxy Authentication Required")

// upstreamPorts are the default ports of proxies by scheme.
var upstreamPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080"}

// NewUpstream reads a proxy in Playwright's form: a server, a list of hosts to reach
// without it, a user and a password.
func NewUpstream(server, bypass, user, password string) (*Upstream, error) {
	if !strings.Contains(server, "://") {
		server = "http://" + server
	}
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || upstreamPorts[u.Scheme] == "" {
		return nil, errors.New("expected http://, https:// or socks5://, a host and a port")
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), upstreamPorts[u.Scheme])
	}
	up := &Upstream{url: &url.URL{Scheme: u.Scheme, Host: u.Host, User: u.User}}
	if user != "" {
		up.url.User = url.UserPassword(user, password)
	}
	for _, host := range strings.FieldsFunc(bypass, func(r rune) bool { return strings.ContainsRune(",; \t", r) }) {
		if !reBypass.MatchString(host) {
			return nil, fmt.Errorf("bypass: expected hosts such as example.com or .example.com, got %q", host)
		}
		up.bypass = append(up.bypass, strings.ToLower(host))
	}
	return up, nil
}

// reBypass matches hosts that are reached without the proxy: a name, what it ends with, an
// address, or * for all. Chromium takes ports and networks too, which would mean nothing here.
var reBypass = regexp.MustCompile(`^(\*|(\*?\.)?[\pL\pN_-]+(\.[\pL\pN_-]+)*|\[[0-9A-Fa-f:.]+\])$`)

// Address is the proxy's address as a URL that a policy can judge.
func (u *Upstream) Address() string { return "http://" + u.url.Host + "/" }

// serves reports whether a host is reached through the proxy.
func (u *Upstream) serves(host string) bool {
	if u == nil {
		return false
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	for _, b := range u.bypass {
		suffix := strings.TrimPrefix(b, "*")
		if host == strings.Trim(b, "[]") || b == "*" || strings.HasPrefix(suffix, ".") && (strings.HasSuffix(host, suffix) || host == suffix[1:]) {
			return false
		}
	}
	return true
}

// forPlain is the proxy of a plain request: http.Transport.Proxy. A SOCKS proxy has none of
// HTTP: [Proxy.dialPlain] connects through it.
func (u *Upstream) forPlain(r *http.Request) (*url.URL, error) {
	if !u.serves(r.URL.Hostname()) || u.url.Scheme == "socks5" {
		return nil, nil
	}
	return u.url, nil
}

// reach connects to a host and port, through the upstream proxy if there is one
// for it.
func (p *Proxy) reach(ctx context.Context, hostport string) (net.Conn, error) {
	up := p.o.Upstream
	host, _, err := net.SplitHostPort(hostport)
	if err != nil || !up.serves(host) {
		return p.dial(ctx, "tcp", hostport)
	}
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	c, err := p.through(ctx, hostport)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUpstream, err)
	}
	return c, nil
}

// dialUpstream connects to the upstream proxy.
func (p *Proxy) dialUpstream(ctx context.Context, network, hostport string) (net.Conn, error) {
	if p.o.Upstream.Trusted {
		return p.dialer.DialContext(ctx, network, hostport)
	}
	return p.dial(ctx, network, hostport)
}

// dialPlain connects for a plain request, which was judged: to its host, through a SOCKS proxy
// where one serves it, or to the upstream proxy.
func (p *Proxy) dialPlain(ctx context.Context, network, hostport string) (net.Conn, error) {
	switch up := p.o.Upstream; {
	case up == nil:
		return p.dial(ctx, network, hostport)
	case up.url.Scheme == "socks5":
		return p.reach(ctx, hostport)
	case hostport == up.url.Host:
		return p.dialUpstream(ctx, network, hostport)
	}
	return p.dial(ctx, network, hostport)
}

func (p *Proxy) through(ctx context.Context, hostport string) (net.Conn, error) {
	u := p.o.Upstream.url
	if u.Scheme == "socks5" {
		d, err := proxy.FromURL(u, dialFunc(p.dialUpstream))
		if err != nil {
			return nil, err
		}
		return d.(proxy.ContextDialer).DialContext(ctx, "tcp", hostport)
	}
	c, err := p.dialUpstream(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if u.Scheme == "https" {
		c = tls.Client(c, &tls.Config{ServerName: u.Hostname()})
	}
	r := bufio.NewReader(c)
	if err := connectThrough(c, r, u, hostport); err != nil {
		_ = c.Close()
		return nil, err
	}
	return &read{c, r}, nil
}

// connectThrough asks a proxy for a tunnel.
func connectThrough(c net.Conn, r *bufio.Reader, u *url.URL, hostport string) error {
	ask := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: hostport}, Host: hostport, Header: http.Header{}}
	if u.User != nil {
		password, _ := u.User.Password()
		ask.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
	}
	if err := ask.Write(c); err != nil {
		return err
	}
	answer, err := http.ReadResponse(r, ask)
	if err != nil {
		return err
	}
	if answer.StatusCode == http.StatusProxyAuthRequired {
		return errLogin
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered %s", answer.Status)
	}
	return nil
}

// read is a connection with some data read ahead.
type read struct {
	net.Conn
	r *bufio.Reader
}

func (c *read) Read(b []byte) (int, error) { return c.r.Read(b) }

// dialFunc is a dialer made of a function.
type dialFunc func(ctx context.Context, network, hostport string) (net.Conn, error)

func (f dialFunc) Dial(network, hostport string) (net.Conn, error) {
	return f(context.Background(), network, hostport)
}

func (f dialFunc) DialContext(ctx context.Context, network, hostport string) (net.Conn, error) {
	return f(ctx, network, hostport)
}
