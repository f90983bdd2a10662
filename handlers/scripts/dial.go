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

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// dialer connects scripts of a session to hosts, where the policy allows. Where
// the pages are behind a filtering proxy, so are scripts: it judges what is asked
// for again, and what a name is the address of.
func dialer(s *browser.Session) func(ctx context.Context, host string, port int) (net.Conn, error) {
	return func(ctx context.Context, host string, port int) (net.Conn, error) {
		hostport := net.JoinHostPort(host, strconv.Itoa(port))
		pol := s.Browser.Policy()
		if !pol.Guards() {
			c, err := (&net.Dialer{}).DialContext(ctx, "tcp", hostport)
			return c, asNode(err, host, hostport)
		}
		if err := reachable(pol, host, strconv.Itoa(port)); err != nil {
			return nil, provider.Errorf(provider.KindBlocked, "blocked: %s: %w", hostport, err)
		}
		proxy, why := guard.Proxy(s)
		if proxy == "" {
			return nil, provider.Errorf(provider.KindBlocked, "blocked: %s: no proxy guards the requests of scripts here", hostport)
		}
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
		return nil, asNode(err, host, hostport)
	}
}

// reachable is the policy's word on a connection. TLS is made by the script's
// process, so that nobody sees which path it asks for: where paths decide, it may
// speak plainly only, which the proxy reads.
func reachable(pol *policy.Policy, host, port string) error {
	secure, refused := pol.Connect("https", host, port)
	plain, _ := pol.Connect("http", host, port)
	switch {
	case secure == policy.Everything, secure == policy.Nothing && plain == policy.Nothing:
		return refused
	case secure == policy.Nothing:
		return nil
	}
	return errors.New("the policy tells paths of https apart, which can't be read of what a script asks for itself; a page can ask: page.evaluate(() => fetch(…))")
}

// asNode words an error of a connection as Node does.
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

// tunnel asks a proxy for a connection.
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

// buffered is a connection of which something was read already.
type buffered struct {
	net.Conn
	r *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.r.Read(p) }

// CloseWrite ends one way of it.
func (b *buffered) CloseWrite() error {
	if half, ok := b.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
