package guard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestReadURLUnderPolicy: what is read without a browser is judged as a page is, and so is each
// redirect before it is followed.
func TestReadURLUnderPolicy(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/out" {
			http.Redirect(w, r, strings.Replace(v.url("redirect"), "http://", "http://ada:lamp@", 1), http.StatusFound)
			return
		}
		if r.URL.Path == "/away" {
			http.Redirect(w, r, v.url("away"), http.StatusTemporaryRedirect)
			return
		}
		_, _ = w.Write([]byte("inside"))
	}))
	t.Cleanup(site.Close)
	p := pipetest.Start(t, "--allowed-domains", "127.0.0.1")
	if got := p.Text("read", list{site.URL + "/x"}); got != "inside" {
		t.Errorf("an allowed host: %s", got)
	}
	p.Complains("is not an allowed domain", "read", list{v.url("direct")})
	p.Complains("is not an allowed domain", "read", list{site.URL + "/away"})
	pipetest.Lacks(t, p.Fail("read", list{site.URL + "/out"}), "ada", "lamp")
	p.Complains("is not an allowed domain", "batch", pipetest.Object{"steps": list{list{"read", v.url("batch")}}})

	s := pipetest.StartService(t, "ALLOW_HOST_REGEX=^http://127\\.0\\.0\\.1:\\d+/in", "--block-private=false")
	for path, want := range map[string]int{"/inside": http.StatusOK, "/other": http.StatusForbidden} {
		if status, text, _ := s.Do("POST", "/tools/read", `{"url":"`+site.URL+path+`"}`); status != want {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}

	p = pipetest.Start(t, "--block-private")
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]", "169.254.169.254", "0x7f.1", "a.localhost"} {
		p.Complains("blocked", "read", list{"http://" + host + strings.TrimPrefix(site.URL, "http://127.0.0.1") + "/"})
	}
	if names := v.names(); len(names) > 0 {
		t.Errorf("came through: %v", names)
	}
}

// TestReadURLByProxy: with --proxy-server it is read through that proxy, with its login.
func TestReadURLByProxy(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefusedAddressIsBlocked is quick")
	t.Parallel()
	plain, secure := behindUpstream(t)
	up := newUpstream(t)
	up.dial = namesFor(plain, secure)
	at := strings.TrimPrefix(up.URL, "http://")
	p := pipetest.Start(t, "--proxy-server", "http://ada:lamp@"+at, "--allowed-domains", "shop.test")
	got := p.Text("read", list{"http://shop.test/one"})
	pipetest.Lacks(t, got, "lamp", "YWRhOmxhbXA", "Proxy-Auth")
	p.Complains("certificate", "read", list{"https://shop.test/two"})
	p.Complains("not an allowed domain", "read", list{"http://evil.test/"})
	pipetest.Has(t, up.seen(), "GET http://shop.test/one", "CONNECT shop.test:443")
	pipetest.Lacks(t, up.seen(), "evil")

	p = pipetest.Start(t, "--proxy-server", "http://ada:wrong@"+at)
	for _, url := range []string{"http://shop.test/", "https://shop.test/"} {
		p.Complains("net::ERR_PROXY_CONNECTION_FAILED", "read", list{url})
	}
	socks, asked := serveSOCKS(t, namesFor(plain, secure))
	p = pipetest.Start(t, "--proxy-server", "socks5://ada:lamp@"+socks)
	p.Text("read", list{"http://shop.test/three"})
	pipetest.Has(t, asked(), "shop.test:80")
}
