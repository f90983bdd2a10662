package guardproxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/policy"
)

// counted is a server on a loopback address that counts its connections.
func counted(t *testing.T, addr string) (port string, hits *atomic.Int64) {
	t.Helper()
	ln, err := net.Listen("tcp", addr+":0")
	if err != nil {
		t.Skipf("no second loopback address here: %v", err)
	}
	hits = new(atomic.Int64)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s", r.Host, r.Header.Get("Proxy-Connection"))
	}))
	_ = s.Listener.Close()
	s.Listener = ln
	s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			hits.Add(1)
		}
	}
	s.Config.SetKeepAlivesEnabled(false) // one connection per request, and so one look-up
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(ln.Addr().String())
	return port, hits
}

var discard = slog.New(slog.DiscardHandler)

func start(t *testing.T, o policy.Options, resolve func(context.Context, string) ([]netip.Addr, error)) *Proxy {
	t.Helper()
	pol, err := policy.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(Options{Policy: pol, Log: discard, Resolve: resolve})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// get requests a URL. If the request is refused or fails, it returns status 0
// and the proxy's text.
func get(t *testing.T, p *Proxy, target string) (int, string) {
	t.Helper()
	u, _ := url.Parse(p.URL())
	c := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(u), DisableKeepAlives: true}}
	r, err := c.Get(target)
	if err != nil {
		why := p.Failure(target)
		if why == nil {
			t.Fatalf("%s: %v, and the proxy knows of nothing", target, err)
		}
		return 0, why.Error()
	}
	defer r.Body.Close()
	b, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(b)
}

// connect requests a tunnel and returns the status.
func connect(t *testing.T, p *Proxy, hostport string) (int, net.Conn) {
	t.Helper()
	c, err := net.Dial("tcp", p.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", hostport, hostport)
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var status int
	if _, err := fmt.Sscanf(line, "HTTP/1.1 %d", &status); err != nil {
		t.Fatal(line, err)
	}
	return status, c
}

func TestPassesWhatIsAllowedOnly(t *testing.T) {
	good, goodHits := counted(t, "127.0.0.1")
	bad, badHits := counted(t, "127.0.0.2")
	p := start(t, policy.Options{Allowed: []string{"127.0.0.1", "localhost"}}, nil)
	if code, body := get(t, p, "http://127.0.0.1:"+good+"/"); code != 200 || !strings.HasPrefix(body, "127.0.0.1:"+good) {
		t.Errorf("allowed: %d %s", code, body)
	}
	if code, _ := get(t, p, "http://a.localhost:"+good+"/"); code != 200 {
		t.Errorf("a subdomain of localhost: %d", code)
	}
	for _, host := range []string{"127.0.0.2", "2130706434", "0x7f.2", "[::ffff:127.0.0.2]"} {
		if code, body := get(t, p, "http://"+host+":"+bad+"/"); code != 0 || !strings.Contains(body, "not an allowed domain") {
			t.Errorf("%s: %d %s", host, code, body)
		}
		if code, _ := connect(t, p, host+":"+bad); code != 502 {
			t.Errorf("CONNECT %s: %d", host, code)
		}
	}
	code, c := connect(t, p, "127.0.0.1:"+good)
	if code != 200 {
		t.Fatalf("CONNECT: %d", code)
	}
	fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: inside\r\nConnection: close\r\n\r\n")
	if b, _ := io.ReadAll(c); !strings.Contains(string(b), "inside") {
		t.Errorf("through the tunnel: %q", b)
	}
	if badHits.Load() != 0 || goodHits.Load() == 0 {
		t.Errorf("connections: allowed %d, refused %d", goodHits.Load(), badHits.Load())
	}
}

// A name that resolves first to an allowed address and then to another is
// judged by the address that is dialled.
func TestRebinding(t *testing.T) {
	good, _ := counted(t, "127.0.0.1")
	_, badHits := counted(t, "127.0.0.2")
	var asked atomic.Int64
	answers := [][]netip.Addr{
		{netip.MustParseAddr("127.0.0.1")},
		{netip.MustParseAddr("127.0.0.2")},
		{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")},
	}
	p := start(t, policy.Options{Allowed: []string{"rebind.example"}, Blocked: []string{"127.0.0.2"}},
		func(context.Context, string) ([]netip.Addr, error) {
			return answers[(asked.Add(1)-1)%int64(len(answers))], nil
		})
	for i, want := range []int{200, 0, 0} {
		if code, body := get(t, p, "http://rebind.example:"+good+"/"); code != want {
			t.Errorf("request %d: %d %s", i+1, code, body)
		}
	}
	if asked.Load() != 3 {
		t.Errorf("a request resolved more than once: %d", asked.Load())
	}
	if badHits.Load() != 0 {
		t.Errorf("%d connections reached the other address", badHits.Load())
	}
}

func TestPrivateAddressesBehindNames(t *testing.T) {
	_, hits := counted(t, "127.0.0.2")
	p := start(t, policy.Options{BlockPrivate: true}, func(_ context.Context, host string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr(map[string]string{
			"loop.example": "127.0.0.2", "meta.example": "169.254.169.254", "mapped.example": "::ffff:127.0.0.2", "nat.example": "64:ff9b::7f00:2"}[host])}, nil
	})
	for _, host := range []string{"loop.example", "meta.example", "mapped.example", "nat.example", "localhost", "127.0.0.2"} {
		if code, body := get(t, p, "http://"+host+"/"); code != 0 || !strings.Contains(body, "private") {
			t.Errorf("%s: %d %s", host, code, body)
		}
	}
	if hits.Load() != 0 {
		t.Error("a private address was reached")
	}
}

func TestIsNoWebServer(t *testing.T) {
	p := start(t, policy.Options{Allowed: []string{"127.0.0.1"}}, nil)
	r, err := http.Get(p.URL() + "/")
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	if r.StatusCode != 400 {
		t.Errorf("status %d", r.StatusCode)
	}
}
