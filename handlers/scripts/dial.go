package scripts

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
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
			return (&net.Dialer{}).DialContext(ctx, "tcp", hostport)
		}
		if err := pol.Host(host); err != nil {
			return nil, provider.Errorf(provider.KindBlocked, "blocked: %s: %w", hostport, err)
		}
		proxy := guard.Proxy(s)
		if proxy == "" {
			return nil, provider.Errorf(provider.KindBlocked, "blocked: %s: no proxy guards the requests of scripts here", hostport)
		}
		return tunnel(ctx, proxy, hostport)
	}
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
