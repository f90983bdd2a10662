package scripts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"

	"pwpipe/features/endpoint"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// dial connects a script of a session to a host that the policy allows. If the pages are
// behind a proxy of ours, so are scripts: it judges each request again, and the address of
// each name.
func dial(ctx context.Context, s *browser.Session, to scripthost.Address) (net.Conn, error) {
	hostport := to.HostPort()
	if !s.Browser.Config.Filtered() {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", hostport)
		return c, asNode(err, to.Host, hostport)
	}
	refused, heard := judged(s.Browser.Policy(), to)
	if refused != nil {
		return nil, provider.Errorf(provider.KindBlocked, "blocked: %s: %w", hostport, refused)
	}
	proxy, why, err := guard.Proxy(s)
	if err != nil {
		return nil, err
	}
	connect := func(ctx context.Context) (net.Conn, error) { return through(ctx, proxy, why, to) }
	if heard {
		return Overhear(to, endpoint.Rules(s).Request, connect), nil
	}
	return connect(ctx)
}

// through connects through the filtering proxy, and asks it for the reason of a
// failure.
func through(ctx context.Context, proxy string, why func(url string) error, to scripthost.Address) (net.Conn, error) {
	hostport := to.HostPort()
	c, err := tunnel(ctx, proxy, hostport)
	if err == nil {
		return c, nil
	}
	reason := why("http://" + hostport + "/")
	var refused *policy.Refusal
	if errors.As(reason, &refused) {
		return nil, provider.Errorf(provider.KindBlocked, "blocked: %s: %w", hostport, reason)
	}
	if reason != nil {
		err = reason
	}
	return nil, asNode(err, to.Host, hostport)
}

// judged is the policy's decision on a connection. If it allows everything on that
// connection, or only plain requests, which the proxy reads, the script speaks to the
// host. If paths decide, the script must speak plain HTTP to us: heard.
func judged(pol *policy.Policy, to scripthost.Address) (refused error, heard bool) {
	port := strconv.Itoa(to.Port)
	secure, refused := pol.Connect("https", to.Host, port)
	plain, _ := pol.Connect("http", to.Host, port)
	if secure == policy.Nothing && plain == policy.Nothing {
		return refused, false
	}
	return nil, secure == policy.Something || to.TLS
}

// hears reports whether scripts leave TLS to us.
func hears(s *browser.Session, to scripthost.Address) bool {
	pol := s.Browser.Policy()
	if !pol.Guards() {
		return false
	}
	refused, heard := judged(pol, to)
	return refused == nil && heard
}

// asNode makes an error of a connection read as Node's.
func asNode(err error, host, hostport string) error {
	var unknown *net.DNSError
	var late net.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("connect ECONNREFUSED " + hostport)
	case errors.As(err, &unknown):
		return errors.New("getaddrinfo ENOTFOUND " + host)
	case errors.As(err, &late) && late.Timeout():
		return errors.New("connect ETIMEDOUT " + hostport)
	}
	return err
}

func tunnel(ctx context.Context, proxy, hostport string) (net.Conn, error) {
	at, err := url.Parse(proxy)
	if err != nil {
		return nil, err
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", at.Host)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	ask := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: hostport}, Host: hostport, Header: http.Header{}}
	r := bufio.NewReader(c)
	err = ask.Write(c)
	var answer *http.Response
	if err == nil {
		answer, err = http.ReadResponse(r, ask)
	}
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("connecting to %s: %s", hostport, answer.Status)
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return &buffered{c, r}, nil
}

// buffered is a connection with some data read already.
type buffered struct {
	net.Conn
	r *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.r.Read(p) }

// CloseWrite closes its writing side.
func (b *buffered) CloseWrite() error {
	if half, ok := b.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
