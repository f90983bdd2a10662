package guard_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// behindUpstream serves pages that only a proxy can reach: https://shop.test and any plain name
// of .test. The first has a child page that shows what headers it got.
func behindUpstream(t *testing.T) (plain, secure string) {
	show := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>%s</title><body>%v</body>", r.Host, r.Header)
	})
	one, two := httptest.NewServer(show), httptest.NewTLSServer(show)
	t.Cleanup(func() { one.Close(); two.Close() })
	return one.Listener.Addr().String(), two.Listener.Addr().String()
}

// namesFor connects to the pages by their names.
func namesFor(plain, secure string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, hostport string) (net.Conn, error) {
		switch host, port, _ := net.SplitHostPort(hostport); {
		case !strings.HasSuffix(host, ".test"):
		case port == "443":
			hostport = secure
		default:
			hostport = plain
		}
		return (&net.Dialer{}).DialContext(ctx, network, hostport)
	}
}

// TestProxyServer: with --proxy-server everything goes to that proxy, with its login, that the
// policy allows, and nothing else; nobody sees the login.
func TestProxyServer(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefusedAddressIsBlocked is quick")
	t.Parallel()
	plain, secure := behindUpstream(t)
	up := newUpstream(t)
	up.dial = namesFor(plain, secure)
	at := strings.TrimPrefix(up.URL, "http://")
	site := pipetest.Site(t)
	p := pipetest.Start(t, "--proxy-server", "http://ada:lamp@"+at, "--proxy-bypass", "127.0.0.1",
		"--allowed-domains", "shop.test,127.0.0.1", "--log-level", "debug")
	p.Call("open-ctx", pipetest.Object{"insecure": true})
	p.Call("nav", []string{"http://shop.test/one"})
	pipetest.Has(t, p.Call("title", nil), "shop.test")
	page := p.Call("txt", []string{"body"})
	p.Call("nav", []string{"https://shop.test/two"})
	page += p.Call("txt", []string{"body"})
	pipetest.Has(t, pipetest.Execute(p, `(await page.request.get('http://shop.test/three')).status()`), "200")
	page += pipetest.Execute(p, `await (await page.request.get('https://shop.test/four')).text()`)
	pipetest.Has(t, up.seen(), "GET http://shop.test/one", "CONNECT shop.test:443", "CONNECT shop.test:80")
	refused := p.Fail("nav", []string{"http://evil.test/"})
	pipetest.Has(t, refused, "evil.test is not an allowed domain")
	p.Call("nav", []string{site + "/form"})
	pipetest.Lacks(t, up.seen(), "evil.test", "/form", strings.TrimPrefix(site, "http://"))
	pipetest.Lacks(t, page+refused+p.Stderr(), "lamp", "YWRhOmxhbXA", "Proxy-Auth") // ada:lamp as Basic has it

	p = pipetest.Start(t, "--proxy-server", "http://ada:wrong@"+at)
	pipetest.Has(t, p.Fail("nav", []string{"http://shop.test/"}), "net::ERR_PROXY_CONNECTION_FAILED")
	pipetest.Has(t, p.Fail("nav", []string{"https://shop.test/"}), "net::ERR_PROXY_CONNECTION_FAILED")
	p.Complains("it answered 407 Proxy Authentication Required", "execute", []string{`await page.request.get('https://shop.test/')`})
	pipetest.Eventually(t, "the refused login on stderr", func() bool { return strings.Contains(p.Stderr(), "the proxy refuses the login") })
	pipetest.Lacks(t, p.Stderr(), "wrong")
}

// TestProxySOCKS: a SOCKS5 proxy takes a login too, which browsers can't give.
func TestProxySOCKS(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefusedAddressIsBlocked is quick")
	t.Parallel()
	plain, secure := behindUpstream(t)
	at, asked := serveSOCKS(t, namesFor(plain, secure))
	p := pipetest.Start(t, "--proxy-server", "socks5://ada:lamp@"+at, "--blocked-domains", "evil.test")
	p.Call("open-ctx", pipetest.Object{"insecure": true})
	for _, url := range []string{"http://shop.test/", "https://shop.test/"} {
		p.Call("nav", []string{url})
		pipetest.Has(t, p.Call("title", nil), "shop.test")
	}
	pipetest.Has(t, p.Fail("nav", []string{"http://evil.test/"}), "blocked")
	if got := asked(); !strings.Contains(got, "shop.test:80 shop.test:443") || strings.Contains(got, "evil") {
		t.Errorf("asked for %s", got)
	}
	p = pipetest.Start(t, "--proxy-server", "socks5://ada:x@"+at)
	pipetest.Has(t, p.Fail("nav", []string{"http://shop.test/"}), "net::ERR_PROXY_CONNECTION_FAILED")
}

// serveSOCKS is a SOCKS5 proxy (RFC 1928) with a login (RFC 1929). asked are the names that it
// was asked for.
func serveSOCKS(t *testing.T, dial func(context.Context, string, string) (net.Conn, error)) (at string, asked func() string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	var mu sync.Mutex
	var names []string
	read := func(c net.Conn, n int) []byte {
		b := make([]byte, n)
		if _, err := io.ReadFull(c, b); err != nil {
			return make([]byte, n)
		}
		return b
	}
	text := func(c net.Conn) string { return string(read(c, int(read(c, 1)[0]))) }
	serve := func(c net.Conn) {
		defer c.Close()
		read(c, 1)
		text(c) // the ways to log in that it offers
		_, _ = c.Write([]byte{5, 2})
		read(c, 1)
		if user, password := text(c), text(c); user != "ada" || password != "lamp" {
			_, _ = c.Write([]byte{1, 1})
			return
		}
		_, _ = c.Write([]byte{1, 0})
		if read(c, 4)[3] != 3 { // not a name
			return
		}
		name := text(c)
		hostport := fmt.Sprintf("%s:%d", name, binary.BigEndian.Uint16(read(c, 2)))
		mu.Lock()
		names = append(names, hostport)
		mu.Unlock()
		far, err := dial(t.Context(), "tcp", hostport)
		if err != nil {
			return
		}
		defer far.Close()
		_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		go func() { _, _ = io.Copy(far, c); _ = far.Close() }()
		_, _ = io.Copy(c, far)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return ln.Addr().String(), func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(names, " ")
	}
}

// TestProxyServerRefused: a proxy that can't be used as it was asked for is refused at the start,
// and the words have no login.
func TestProxyServerRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--proxy-server=http://ada:lamp@proxy:3128", "--block-private"}, "looks names up by itself"},
		{[]string{"--proxy-server=http://ada:lamp@proxy:3128", "--blocked-domains=10.0.0.1"}, "looks names up by itself"},
		{[]string{"--proxy-server=http://ada:lamp@proxy:3128", "--cdp=1"}, "leave it out with --cdp"},
		{[]string{"--proxy-server=ftp://ada:lamp@proxy"}, "expected http://, https:// or socks5://"},
		{[]string{"--proxy-server=http://ada:la#mp@proxy"}, "expected http://, https:// or socks5://"},
		{[]string{"--proxy-server=proxy:1", "--proxy-bypass=10.0.0.0/8"}, `bypass: expected hosts such as`},
		{[]string{"--proxy-bypass=a"}, "belongs to --proxy-server"},
	} {
		_, got, status := pipetest.Run(t, "", c.args...)
		if status == 0 || !strings.Contains(got, c.want) || strings.Contains(got, "mp@") || strings.Contains(got, "lamp") {
			t.Errorf("%v: status %d, %s", c.args, status, got)
		}
	}
}
