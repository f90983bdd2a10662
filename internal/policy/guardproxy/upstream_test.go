package guardproxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/policy"
)

func TestNewUpstream(t *testing.T) {
	for server, want := range map[string]string{"proxy:3128": "http://proxy:3128/", "http://proxy": "http://proxy:80/", "https://u:p@proxy": "http://proxy:443/",
		"socks5://[::1]": "http://[::1]:1080/", "direct://": "", "ftp://proxy": "", "": "", "http://": "", "socks4://proxy": "", "http://a b": ""} {
		u, err := NewUpstream(server, "", "", "")
		if (err == nil) != (want != "") || err == nil && u.Address() != want {
			t.Errorf("%q: %v, %v", server, u, err)
		}
	}
	u, _ := NewUpstream("proxy", "a.com, .b.com;*.c.com [::1]", "", "")
	for host, want := range map[string]bool{"a.com": false, "A.COM": false, "x.a.com": true, "b.com": false, "x.b.com": false, "xb.com": true, "x.c.com": false, "[::1]": false, "d.com": true} {
		if u.serves(host) != want {
			t.Errorf("%s: %v", host, !want)
		}
	}
	for _, bypass := range []string{"*", "A.Com"} {
		if u, err := NewUpstream("proxy", bypass, "", ""); err != nil || u.serves("a.com") {
			t.Errorf("none for %s: %v", bypass, err)
		}
	}
	for _, bypass := range []string{"a.com:80", "10.0.0.0/8", "<local>", "a.com, b..com", "http://a.com"} {
		if _, err := NewUpstream("proxy", bypass, "", ""); err == nil || !strings.Contains(err.Error(),
			"bypass: expected hosts") {
			t.Errorf("%s: %v", bypass, err)
		}
	}
	for user, want := range map[string]string{"": "u:p", "v": "v:w"} {
		if u, err := NewUpstream("http://u:p@proxy", "", user, "w"); err != nil || u.url.User.String() != want {
			t.Errorf("user %q: %v, %v", user, u, err)
		}
	}
}

// TestUpstreamIsJudged: the address of an upstream proxy is judged, unless whoever started pwpipe chose it; what is
// reached
// through it is judged by name.
func TestUpstreamIsJudged(t *testing.T) {
	port, _ := counted(t, "127.0.0.1")
	pol, err := policy.New(policy.Options{BlockPrivate: true})
	if err != nil {
		t.Fatal(err)
	}
	up, err := NewUpstream("http://127.0.0.1:"+port, "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	p := newProxy(Options{Policy: pol, Log: discard, Upstream: up})
	for _, up.Trusted = range []bool{false, true} {
		for _, dial := range []func(context.Context, string, string) (net.Conn, error){p.dialUpstream, p.dialPlain} {
			c, err := dial(t.Context(), "tcp", up.url.Host)
			if (err == nil) != up.Trusted {
				t.Errorf("trusted %t: %v", up.Trusted, err)
			}
			if c != nil {
				_ = c.Close()
			}
		}
		if _, err := p.dialPlain(t.Context(), "tcp", "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(),
			"private") {
			t.Errorf("another private address: %v", err)
		}
	}
}

// socks is a SOCKS5 proxy that maps one host name to an address.
func socks(t *testing.T, name, addr string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				head := make([]byte, 3)
				_, _ = io.ReadFull(c, head)
				_, _ = c.Write([]byte{5, 0})
				ask := make([]byte, 5+len(name)+2)
				if _, err := io.ReadFull(c, ask); err != nil || string(ask[5:5+len(name)]) != name {
					_, _ = c.Write([]byte{5, 4, 0, 1, 0, 0, 0, 0, 0, 0})
					return
				}
				far, err := net.Dial("tcp", addr)
				if err != nil {
					return
				}
				_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
				go func() { _, _ = io.Copy(far, c); _ = far.Close() }()
				_, _ = io.Copy(c, far)
			}()
		}
	}()
	return ln.Addr().String()
}

// The upstream proxy resolves names. It does not see requests that the policy
// refuses.
func TestThroughSOCKS(t *testing.T) {
	v := newVisited(t, false)
	pol, err := policy.New(policy.Options{Pattern: regexp.MustCompile(`^http://app\.example:81/`)})
	if err != nil {
		t.Fatal(err)
	}
	up, err := NewUpstream("socks5://"+socks(t, "app.example", v.hostport()), "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(Options{Policy: pol, Log: discard, Upstream: up})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if code, body := get(t, p, "http://app.example:81/x"); code != 200 {
		t.Error(code, body)
	}
	if got := tunnelTo(t, p, "app.example:81").ask("/y"); !strings.HasPrefix(got, "200") {
		t.Errorf("through a tunnel: %q", got)
	}
	if code, body := get(t, p, "http://other.example/x"); code != 0 || !strings.Contains(body, "URLs must match") {
		t.Error(code, body)
	}
	if fmt.Sprint(v.seen()) != "[/x /y]" {
		t.Error(v.seen())
	}
	p.o.Upstream, _ = NewUpstream("socks5://"+socks(t, "nay.example", v.hostport()), "", "", "")
	if _, err := p.reach(context.Background(), "app.example:81"); !errors.Is(err, ErrUpstream) {
		t.Error(err)
	}
}
