package guard_test

import (
	"fmt"
	"net"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// deadAddr is an address of this machine at which nobody listens until the test ends:
// one end of an open connection, so that nobody else gets its port.
func deadAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	own := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	c, err := own.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(); _ = l.Close() })
	return c.LocalAddr().String()
}

// rude serves a port that closes every connection.
func rude(t *testing.T) string {
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
			_, _ = c.Read(make([]byte, 4096))
			_ = c.Close()
		}
	}()
	return ln.Addr().String()
}

// told requests unreachable targets by every API, and returns the errors.
func told(p *pipetest.Pipe, targets []string) map[string]string {
	said := map[string]string{}
	p.Call("playwright_browser", map[string]any{"action": "launch"})
	for _, u := range pipetest.Some(targets, 2) {
		said["nav "+u] = p.Fail("nav", []any{u})
		said["nav again "+u] = p.Fail("nav", []any{u})
		said["url after "+u] = p.Text("url", nil)
		said["reload "+u] = p.Fail("reload", nil)
		said["page.goto "+u] = p.Fail("page.goto", map[string]any{"url": u})
		said["goto "+u] = p.Fail("execute", map[string]any{"code": "await page.goto('" + u + "')"})
		if strings.HasPrefix(u, "http") {
			said["playwright_browser "+u] = p.Call("playwright_browser", map[string]any{"action": "navigate", "url": u})
			said["page.request "+u] = p.Fail("execute", map[string]any{"code": "await page.request.get('" + u + "')"})
		}
		p.Call("nav", []any{"/form"})
		said["fetch "+u] = p.Text("eval", []any{"fetch('" + u + "', {mode: 'no-cors'}).then(r => 'answered', e => String(e))"})
		said["requests "+u] = reFailed.FindString(p.Call("requests", map[string]any{"type": "fetch", "last": 1}))
	}
	for what := range said {
		said[what] = strings.ReplaceAll(said[what], p.Site, "SITE")
	}
	return said
}

var reFailed = regexp.MustCompile(`"failed":"[^"]*"`)

// Errors for unreachable targets are the same with and without a policy, by
// every API.
func TestUnreachedAsWithoutAPolicy(t *testing.T) {
	pipetest.InCI(t, "TestRefusedAddressIsBlocked covers its core")
	t.Parallel()
	down, hangsUp := deadAddr(t), rude(t)
	targets := []string{"http://" + down + "/x", "https://" + down + "/x", "http://nowhere.invalid/x", "https://nowhere.invalid/x", "http://" + hangsUp + "/",
		"/redirect?to=http://" + down + "/x", "/redirect?to=https://nowhere.invalid/x"}
	p, _ := pipetest.SharedIn(t)
	without := told(p, targets)
	all := fmt.Sprint(without)
	pipetest.Has(t, all, "ERR_CONNECTION_REFUSED", "ERR_NAME_NOT_RESOLVED", "ERR_EMPTY_RESPONSE", "ECONNREFUSED "+down, "ENOTFOUND nowhere.invalid", "nothing listens there", "no such host")
	p, _ = pipetest.SharedIn(t, listed...)
	with := told(p, targets)
	for what, said := range without {
		if strings.HasPrefix(what, "page.request") && strings.Contains(what, hangsUp) {
			continue // Node itself reports what the server did
		}
		if with[what] != said {
			t.Errorf("%s:\nwith    %s\nwithout %s", what, with[what], said)
		}
	}
}

// A name that resolves to a forbidden address is blocked, not unreachable.
func TestRefusedAddressIsBlocked(t *testing.T) {
	t.Parallel()
	p := pipetest.StartSite(t, "--blocked-domains", "::1,127.0.0.1")
	for _, u := range []string{"http://localhost:1234/", "https://localhost:1234/"} {
		pipetest.Has(t, p.Fail("nav", []any{u}), "nav: blocked: "+u, "stands for an address that may not be reached")
		pipetest.Has(t, p.Fail("execute", map[string]any{"code": "await page.goto('" + u + "')"}), "blocked: "+u)
		pipetest.Has(t, p.Fail("execute", map[string]any{"code": "await page.request.get('" + u + "')"}), "blocked: "+u)
	}
}

// Two failed navigations do not disturb the next one.
func TestNavigationAfterFailures(t *testing.T) {
	pipetest.InCI(t, "it is for a race, and takes its time")
	t.Parallel()
	p, _ := pipetest.SharedIn(t)
	down := deadAddr(t)
	for range 6 {
		p.Fail("nav", []any{"/redirect?to=http://" + down})
		p.Fail("nav", []any{"http://" + down})
		p.Call("nav", []any{"/form"}, "timeout", 10)
		p.Call("execute", map[string]any{"code": "for (let i = 0; i < 2; i++) await page.goto('http://" + down + "').catch(() => 0); await page.goto('/form'); 0"}, "timeout", 10)
	}
}
