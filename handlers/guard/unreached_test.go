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
