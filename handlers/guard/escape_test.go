package guard_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/pipetest/until"
)

// leastWays is the number of different attempts that must reach the other host
// without a guard, so that the guarded run proves something.
const leastWays = 60

// try has a page try every way out, and then the tools every way to go there.
func try(t *testing.T, p *pipetest.Pipe, v *victim, guarded bool) {
	t.Helper()
	p.Call("nav", []any{v.escapePage()})
	p.Call("wait", []any{"#state:has-text('tried')"}, "timeout", 60)
	_, port, _ := strings.Cut(v.addr, ":")
	// Each call must be answered, with a result or an error.
	navigations := []string{v.url("nav"), v.url("nav-userinfo"), "HTTP://2130706434:" + port + "/hit/nav-decimal",
		"http://0x7f.0.0.2:" + port + "/hit/nav-hex", "http://127.0.0.2.:" + port + "/hit/nav-dot",
		"http://[::ffff:127.0.0.2]:" + port + "/hit/nav-mapped", "http:\\\\127.0.0.2:" + port + "\\hit\\nav-backslash",
		"http://127.0.0.1@127.0.0.2:" + port + "/hit/nav-user", " \thttp://127.0.0.2:" + port + "/hit/nav-space"}
	for _, status := range []int{301, 302, 303, 307, 308} {
		navigations = append(navigations, fmt.Sprintf("/redirect?status=%d&to=%s", status, url.QueryEscape(v.url(fmt.Sprint("nav-", status)))))
	}
	navigations = append(navigations,
		"/redirect?n=3&to="+url.QueryEscape(v.url("nav-chain")),
		"/redirect-js?to="+url.QueryEscape(v.url("nav-js")),
		"/redirect-meta?to="+url.QueryEscape(v.url("nav-meta")))
	for _, u := range navigations {
		p.Try("nav", []any{u})
	}
	for _, do := range []string{"#go", "#send"} {
		p.Try("nav", []any{"/escape/link-page?to=" + v.addr})
		p.Try("click", []any{do})
		p.Try("eval", []any{"new Promise(done => setTimeout(done, 300))"})
	}
	for _, code := range []string{
		"location.href = '" + v.url("eval-href") + "'", "location.replace('" + v.url("eval-replace") + "')",
		"document.body.innerHTML = '<img src=\"" + v.url("eval-img") + "\">'",
		"fetch('" + v.url("eval-fetch") + "', {mode: 'no-cors'}).then(() => 1, () => 0)",
		"navigator.sendBeacon('" + v.url("eval-beacon") + "', 'x')",
	} {
		p.Try("nav", []any{"/"})
		p.Try("eval", []any{code})
	}
	if !guarded {
		return
	}
	if r := p.Call("txt", []any{"h1"}); !strings.Contains(r, "null") && strings.Contains(r, "stolen") {
		t.Errorf("the other host's text was read: %s", r)
	}
}

// Without a guard the attempts succeed, so the next test proves something.
func TestEscapesAreReal(t *testing.T) {
	pipetest.InCI(t, "it says that the attacks of TestNothingEscapes are some")
	t.Parallel()
	v := newVictim(t)
	p, _ := pipetest.SharedIn(t)
	try(t, p, v, false)
	until.Held(func() bool { return len(v.names()) >= leastWays })
	t.Logf("%d ways came through: %s", len(v.names()), strings.Join(v.names(), " "))
	if n := len(v.names()); n < leastWays {
		t.Errorf("%d ways reach the other host, expected at least %d", n, leastWays)
	}
}

// Nothing reaches a forbidden host: no connection, no datagram.
func TestNothingEscapes(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	p, _ := pipetest.SharedIn(t, listed...)
	try(t, p, v, true)
	// By now the page's attempts are refused. Wait for late ones.
	p.Try("nav", []any{"/"})
	p.Call("eval", []any{"new Promise(done => setTimeout(done, 3000))"})
	const least = 40
	refused := 0
	until.Held(func() bool {
		refused = strings.Count(p.Stderr(), "msg=blocked")
		return refused >= least
	})
	t.Logf("%d connections refused by the proxy", refused)
	if refused < least {
		t.Errorf("the proxy refused %d connections: the page did not try", refused)
	}
	if names := v.names(); len(names) > 0 {
		t.Errorf("these came through: %s", strings.Join(names, " "))
	}
	if got := p.Text("title", nil); !strings.Contains(got, "Skerry") {
		t.Errorf("the allowed site still works: %q", got)
	}
}
