package guard_test

import (
	"net"
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

// A name that resolves to a forbidden address is blocked, not unreachable.
func TestRefusedAddressIsBlocked(t *testing.T) {
	t.Parallel()
	p := pipetest.StartSite(t, "--blocked-domains", "::1,127.0.0.1")
	for _, u := range pipetest.Some([]string{"http://localhost:1234/", "https://localhost:1234/"}, 2) {
		pipetest.Has(t, p.Fail("nav", []any{u}), "nav: blocked: "+u, "stands for an address that may not be reached")
		pipetest.Has(t, p.Fail("execute", map[string]any{"code": "await page.goto('" + u + "')"}), "blocked: "+u)
		pipetest.Has(t, p.Fail("execute", map[string]any{"code": "await page.request.get('" + u + "')"}), "blocked: "+u)
		p.Call("nav", []any{"about:blank"})
		p.Call("eval", []any{"document.body.innerHTML = '<a href=" + u + ">Leads there</a>', 1"})
		pipetest.Has(t, p.Fail("click", []any{"a"}), "click: blocked: "+u, "stands for an address that may not be reached", "about:blank")
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
		p.Call("nav", []any{"/form"}, "timeout", 60)
		p.Call("execute", map[string]any{"code": "for (let i = 0; i < 2; i++) await page.goto('http://" + down + "').catch(() => 0); await page.goto('/form'); 0"}, "timeout", 60)
	}
}
