package reach

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// Open tabs become pages with handles, and stay when pwpipe has ended.
func TestAttach(t *testing.T) {
	t.Parallel()
	site := pipetest.Site(t)
	c := sharedChrome(t)
	c.open(site + "/form")
	c.open(site + "/shadow")
	p := pipetest.Start(t, append(cdp(c), "--base-url", site)...)
	titles := map[string]bool{}
	for _, page := range []string{"p1", "p2", "p3"} {
		titles[p.Text("url", nil, "page", page)] = true
	}
	for _, want := range []string{"about:blank", site + "/form", site + "/shadow"} {
		if !titles[want] {
			t.Errorf("no page at %s: %v", want, titles)
		}
	}
	p.Text("url", nil) // one of them is the active page
	if got := p.Text("new-page", []any{"c1"}); got != "p4" {
		t.Errorf("new-page: %s", got)
	}
	p.Call("nav", []any{"/frames"}, "page", "p4")
	if got := p.Text("new-ctx", nil); got != "c2" {
		t.Errorf("new-ctx: %s", got)
	}
	pipetest.Has(t, p.Fail("url", nil, "page", "p9"), "no page p9; open pages: p1, p2, p3, p4")
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	open := strings.Join(c.tabs(), " ")
	pipetest.Has(t, open, "about:blank", site+"/form", site+"/shadow", site+"/frames")
	t.Run("once more, with a policy", func(t *testing.T) { policyOnAnAttachedBrowser(t, c, site) })
}

// When the browser goes away, the request says so. The next one connects again
// once the browser is back.
func TestReconnect(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestAttach, and TestBrowserKilled of cmd/pwpipe, are quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	p := pipetest.Start(t, append(cdp(c), "--base-url", site)...)
	p.Call("nav", []any{"/form"})
	never, asked := pipetest.NeverAnswers(t)
	p.Request("nav", []any{never}, "timeout", 60)
	<-asked // the request runs
	c.kill()
	pipetest.Has(t, p.Reply().Error, "the browser at http://"+c.addr+" went away", "connects again")
	pipetest.Has(t, p.Fail("title", nil), "can't attach to the browser at http://"+c.addr, "nothing listens there")
	_, port, _ := strings.Cut(c.addr, ":")
	again := startChrome(t, port)
	again.open(site + "/shadow")
	pipetest.Has(t, p.Fail("title", nil, "page", "p1"), "page p1 is gone", "went away")
	p.Call("nav", []any{"/frames"})
	if got := p.Text("txt", []any{"h1"}); got != "Frames" {
		t.Error(got)
	}
}

func TestNothingToAttachTo(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	_ = ln.Close()
	for _, flag := range []string{"--cdp=http://" + addr, "--ws=ws://" + addr} {
		out, _, _ := pipetest.Run(t, `{"id":1,"method":"url"}`+"\n", flag)
		pipetest.Has(t, out, `"error":"can't attach to the browser at `, addr, "nothing listens there")
	}
	if _, stderr, status := pipetest.Run(t, "", "--cdp", "http://x", "--ws", "ws://x"); status != 2 {
		t.Error(stderr)
	}
}

// In a browser that pwpipe did not start the policy is weaker, but checks and
// interception work. A tab that was at a forbidden URL before is neither read
// nor changed.
func policyOnAnAttachedBrowser(t *testing.T, c *chrome, site string) {
	ln, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip(err)
	}
	var reached atomic.Int64
	other := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/own" && r.URL.Path != "/favicon.ico" {
			reached.Add(1)
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "<h1>elsewhere</h1>")
	})}
	go func() { _ = other.Serve(ln) }()
	t.Cleanup(func() { _ = other.Close() })
	elsewhere := "http://" + ln.Addr().String()

	c.open(elsewhere + "/own")
	p := pipetest.Start(t, append(cdp(c), "--base-url", site, "--allowed-domains", "127.0.0.1")...)
	theirs := ""
	for _, page := range []string{"p1", "p2", "p3", "p4", "p5"} {
		if r := p.Try("url", nil, "page", page); r.Error != "" {
			theirs = page
		}
	}
	pipetest.Has(t, p.Fail("txt", []any{"h1"}, "page", theirs), "blocked", "not an allowed domain", "stays as it is")
	pipetest.Has(t, strings.Join(c.tabs(), " "), elsewhere+"/own")

	page := p.Text("new-page", []any{"c1"})
	p.Call("nav", []any{"/form"}, "page", page)
	pipetest.Has(t, p.Fail("nav", []any{elsewhere + "/nav"}, "page", page), "blocked")
	got := p.Text("eval", []any{"Promise.all([fetch('" + elsewhere + "/fetch'), new Promise((y, n) => { const i = new Image(); i.onload = y; i.onerror = n; i.src = '" + elsewhere + "/img'; })]).then(() => 'reached', () => 'stopped')"}, "page", page)
	if got != "stopped" || reached.Load() != 0 {
		t.Errorf("%s, %d requests", got, reached.Load())
	}
	pipetest.Eventually(t, "stderr names docs/guard.md", func() bool { return strings.Contains(p.Stderr(), "docs/guard.md") })
}
