package guard_test

import (
	"context"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// upstream is a third party's proxy that records requests and requires a login.
type upstream struct {
	*httptest.Server
	dial  func(ctx context.Context, network, hostport string) (net.Conn, error) // nil: as usual
	mu    sync.Mutex
	asked []string
}

func newUpstream(t *testing.T) *upstream {
	u := &upstream{}
	u.Server = httptest.NewServer(u)
	t.Cleanup(u.Close)
	return u
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("ada:lamp")) {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	u.mu.Lock()
	u.asked = append(u.asked, r.Method+" "+r.RequestURI)
	u.mu.Unlock()
	if r.Method == http.MethodConnect {
		dial := u.dial
		if dial == nil {
			dial = (&net.Dialer{}).DialContext
		}
		far, err := dial(r.Context(), "tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		near, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
		_, _ = io.Copy(near, far)
		_ = near.Close()
		return
	}
	r.RequestURI = ""
	r.Header.Del("Proxy-Authorization") // it is for this proxy alone
	resp, err := (&http.Transport{DialContext: u.dial, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	for _, name := range []string{"Content-Type", "Location"} {
		if v := resp.Header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

func (u *upstream) seen() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return strings.Join(u.asked, "\n")
}

// A session's own proxy is used for URLs that the pattern allows, and for no
// others. The pattern must allow the proxy itself.
func TestSessionProxyBehindThePattern(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEnforcementPoints is quick")
	t.Parallel()
	v, up := newVictim(t), newUpstream(t)
	s := pipetest.SharedService(t, seed...)
	server := strings.TrimPrefix(up.URL, "http://")
	c := s.Open(pipetest.Object{"proxy": pipetest.Object{"server": server, "username": "ada", "password": "lamp", "bypass": "localhost"}})
	c.On("nav", pipetest.Object{"url": "/form"})
	pipetest.Has(t, c.On("title", nil), "Form")
	pipetest.Has(t, c.On("execute", pipetest.Object{"code": `(await page.request.get('/form')).status()`}), "200")
	pipetest.Has(t, up.seen(), "GET "+s.Site+"/form", "CONNECT "+strings.TrimPrefix(s.Site, "http://"))
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.Site, "http://"))
	c.On("nav", pipetest.Object{"url": "http://localhost:" + port + "/shop"})
	pipetest.Has(t, c.Refuse(-32003, "nav", pipetest.Object{"url": "/redirect?to=" + v.url("x")}), "blocked: "+v.url("x"))
	c.On("nav", pipetest.Object{"url": "/form"})
	pipetest.Has(t, c.On("page.evaluate", pipetest.Object{"expression": `fetch("` + v.url("fetch") + `").then(() => "reached", () => "refused")`}), "refused")
	for _, asked := range strings.Split(up.seen(), "\n") {
		if strings.Contains(asked, "//"+secondHost) && !strings.Contains(asked, "/redirect?") || strings.Contains(asked, "/shop") {
			t.Errorf("the proxy was asked for what it must not be: %s", asked)
		}
	}
	if names := v.names(); len(names) > 0 {
		t.Errorf("came through: %v", names)
	}

	wrong := s.Open(pipetest.Object{"proxy": pipetest.Object{"server": up.URL, "username": "eve", "password": "x"}})
	if r := wrong.Try("nav", pipetest.Object{"session_id": wrong.ID, "url": "/form"}); r.Error == nil && strings.Contains(wrong.On("title", nil), "Form") {
		t.Error("the wrong password did")
	}
	gone := s.Open(pipetest.Object{"proxy": pipetest.Object{"server": "http://" + deadAddr(t)}})
	pipetest.Has(t, gone.Refuse(-32000, "nav", pipetest.Object{"url": "/form"}), "net::ERR_PROXY_CONNECTION_FAILED")

	pipetest.Has(t, s.Fail(-32003, "session.create", pipetest.Object{"proxy": pipetest.Object{"server": "http://" + v.addr}}), "blocked: proxy: ", "URLs must match")
	pipetest.Has(t, s.Fail(-32003, "session.create", pipetest.Object{"proxy": pipetest.Object{"server": "socks5://evil.example"}}), "blocked: proxy: ")
	for _, server := range []string{"ftp://127.0.0.1", "direct://", "http://"} {
		pipetest.Has(t, s.Fail(-32602, "session.create", pipetest.Object{"proxy": pipetest.Object{"server": server}}), "proxy: server: expected http://")
	}
	for _, svc := range []*pipetest.Service{s, pipetest.StartService(t, "ALLOW_HOST_REGEX=.*")} {
		pipetest.Has(t, svc.Fail(-32602, "session.create", pipetest.Object{"proxy": pipetest.Object{"server": ""}}), "proxy: server is empty")
	}
}
