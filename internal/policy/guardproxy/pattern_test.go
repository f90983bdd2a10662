package guardproxy

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pwpipe/internal/policy"
)

// visited is a server that records the requested paths. It answers upgrades with an
// echo.
type visited struct {
	*httptest.Server
	mu    sync.Mutex
	paths []string
}

func newVisited(t *testing.T, secure bool) *visited {
	t.Helper()
	v := &visited{}
	v.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.mu.Lock()
		v.paths = append(v.paths, r.URL.Path)
		v.mu.Unlock()
		if r.Header.Get("Upgrade") == "" {
			fmt.Fprint(w, r.Host)
			return
		}
		c, b, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		line, _ := b.ReadString('\n')
		_, _ = io.WriteString(c, "echo "+line)
	}))
	if v.Config.ErrorLog = nil; secure {
		v.StartTLS()
	} else {
		v.Start()
	}
	t.Cleanup(v.Close)
	return v
}

func (v *visited) seen() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.paths)
}

func (v *visited) hostport() string { return v.Listener.Addr().String() }

// in is a conversation inside of a tunnel.
type in struct {
	t *testing.T
	c net.Conn
	r *bufio.Reader
}

func tunnelTo(t *testing.T, p *Proxy, hostport string) *in {
	t.Helper()
	c, err := net.Dial("tcp", p.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", hostport, hostport)
	i := &in{t, c, bufio.NewReader(c)}
	if r, err := http.ReadResponse(i.r, &http.Request{Method: "CONNECT"}); err != nil || r.StatusCode != 200 {
		t.Fatalf("CONNECT %s: %v %v", hostport, r, err)
	}
	return i
}

// ask sends a request; an empty answer is a closed connection.
func (i *in) ask(path string, headers ...string) string {
	i.t.Helper()
	fmt.Fprintf(i.c, "GET %s HTTP/1.1\r\nHost: elsewhere.example\r\n%s\r\n", path, strings.Join(headers, ""))
	r, err := http.ReadResponse(i.r, nil)
	if err != nil {
		return ""
	}
	if r.StatusCode == http.StatusSwitchingProtocols {
		return "101"
	}
	b, _ := io.ReadAll(r.Body)
	return fmt.Sprint(r.StatusCode, " ", string(b))
}

func TestPatternOfPaths(t *testing.T) {
	v, s := newVisited(t, false), newVisited(t, true)
	p := start(t, policy.Options{Pattern: regexp.MustCompile(`^(https?|ws)://127\.0\.0\.1:\d+/app/`)}, nil)
	if code, body := get(t, p, v.URL+"/app/plain"); code != 200 {
		t.Error(code, body)
	}
	for _, path := range []string{"/", "/admin", "/app", "/app/../admin", "/app/%2e%2e/admin", "/admin?/app/", "//app/"} {
		if code, body := get(t, p, v.URL+path); code != 0 || !strings.Contains(body, "URLs must match") {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
	host := v.hostport()
	for _, path := range []string{"/admin", "/app/../admin", "http://" + host + "/admin", "http://127.0.0.2/app/", "/app\\..\\..\\admin"} {
		i := tunnelTo(t, p, host)
		if got := i.ask("/app/inside"); got != "200 "+host {
			t.Errorf("inside: %q", got)
		}
		if got := i.ask(path); got != "" {
			t.Errorf("inside, %s: %q", path, got)
		}
	}
	upgrade := "Connection: Upgrade\r\nUpgrade: WebSocket\r\n"
	i := tunnelTo(t, p, host)
	if got := i.ask("/app/ws", upgrade); got != "101" {
		t.Errorf("upgrade: %q", got)
	}
	fmt.Fprint(i.c, "hello\n")
	if line, err := i.r.ReadString('\n'); line != "echo hello\n" {
		t.Errorf("%q, %v", line, err)
	}
	if got := tunnelTo(t, p, host).ask("/ws", upgrade); got != "" {
		t.Errorf("upgrade elsewhere: %q", got)
	}
	for _, path := range v.seen() {
		if !strings.HasPrefix(path, "/app/") {
			t.Errorf("%s came through", path)
		}
	}
	// Of TLS only the host is visible.
	secure := tls.Client(tunnelTo(t, p, s.hostport()).c, &tls.Config{InsecureSkipVerify: true})
	if err := secure.Handshake(); err != nil {
		t.Error(err)
	}
	if code, _ := connect(t, p, "127.0.0.2:443"); code != 502 {
		t.Errorf("another host: %d", code)
	}
}

// A tunnel to a host that is allowed only over https carries nothing else.
func TestTunnelsCarryWhatIsAllowed(t *testing.T) {
	v, s := newVisited(t, false), newVisited(t, true)
	p := start(t, policy.Options{Pattern: regexp.MustCompile(`^https://127\.0\.0\.1:\d+/`)}, nil)
	if got := tunnelTo(t, p, v.hostport()).ask("/x"); got != "" || len(v.seen()) != 0 {
		t.Errorf("plain: %q, %v", got, v.seen())
	}
	if err := tls.Client(tunnelTo(t, p, s.hostport()).c, &tls.Config{InsecureSkipVerify: true}).Handshake(); err != nil {
		t.Error(err)
	}
	p = start(t, policy.Options{Pattern: regexp.MustCompile(`^http://127\.0\.0\.1:\d+/`)}, nil)
	if got := tunnelTo(t, p, v.hostport()).ask("/x"); !strings.HasPrefix(got, "200") {
		t.Errorf("plain: %q", got)
	}
	if err := tls.Client(tunnelTo(t, p, s.hostport()).c, &tls.Config{InsecureSkipVerify: true}).Handshake(); err == nil {
		t.Error("TLS went where only http is allowed")
	}
}

// Failure returns what the browser is not told, until a request succeeds.
func TestFailure(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := ln.Addr().String()
	_ = ln.Close()
	p := start(t, policy.Options{BlockPrivate: false, Blocked: []string{"blocked.example"}}, func(_ context.Context, host string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	})
	var dns *net.DNSError
	var refused *policy.Refusal
	for target, is := range map[string]func(error) bool{
		"http://" + dead + "/x":          func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) },
		"http://nowhere.example/":        func(err error) bool { return errors.As(err, &dns) },
		"http://BLOCKED.example:81/":     func(err error) bool { return errors.As(err, &refused) },
		"https://nowhere.example:444/":   func(err error) bool { return errors.As(err, &dns) },
		"https://sub.blocked.example./x": func(err error) bool { return errors.As(err, &refused) },
	} {
		if host, https := strings.CutPrefix(target, "https://"); https {
			host, _, _ = strings.Cut(host, "/")
			connect(t, p, withPort(host, "443"))
		} else {
			get(t, p, target)
		}
		if err := p.Failure(target); !is(err) {
			t.Errorf("%s: %v", target, err)
		}
	}
	ln, err = net.Listen("tcp", dead)
	if err != nil {
		t.Skip(err)
	}
	s := &http.Server{Handler: http.NotFoundHandler()}
	go func() { _ = s.Serve(ln) }()
	defer s.Close()
	if code, _ := get(t, p, "http://"+dead+"/x"); code != 404 || p.Failure("http://"+dead+"/x") != nil {
		t.Errorf("%d, %v", code, p.Failure("http://"+dead+"/x"))
	}
	for n := range 3 * maxFailures {
		p.failures.note(fmt.Sprint("h", n, ".example:80"), err)
	}
	if len(p.failures.of) > maxFailures {
		t.Errorf("%d failures are kept", len(p.failures.of))
	}
}

// Our proxies can't be reached through each other. There, https would be judged by
// host and port only, which is not enough for a script.
func TestOwnProxies(t *testing.T) {
	s := newVisited(t, true)
	o := policy.Options{Pattern: regexp.MustCompile(`^(http://(127\.0\.0\.1|0\.0\.0\.0|localhost|\[::ffff:7f00:1\]):\d+/|https://` + regexp.QuoteMeta(s.hostport()) + `/app/)`)}
	p, another := start(t, o, nil), start(t, o, nil)
	for _, to := range []*Proxy{p, another} {
		_, port, _ := net.SplitHostPort(to.ln.Addr().String())
		for _, host := range []string{"127.0.0.1", "0.0.0.0", "localhost", "[::ffff:127.0.0.1]"} {
			status, c := connect(t, p, host+":"+port)
			if status == 200 {
				fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n\r\n", s.hostport())
				line, err := bufio.NewReader(c).ReadString('\n')
				t.Errorf("%s: it is connected to, and answers %q %v", host, line, err)
			}
			if code, body := get(t, p, "http://"+host+":"+port+"/"); code != 0 || !strings.Contains(body, "own proxy") {
				t.Errorf("%s: %d %s", host, code, body)
			}
		}
	}
}
