//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestBrowserDiesInAnAct: an act during which the browser dies is an error, also where the page had
// taken the act's events: nobody knows what became of it.
func TestBrowserDiesInAnAct(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrowserKilled is quick")
	t.Parallel()
	var browser atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/die" {
			_ = syscall.Kill(int(browser.Load()), syscall.SIGKILL)
			return
		}
		// A page waits for the answer to such a request within its event.
		_, _ = fmt.Fprint(w, `<!doctype html><button id=a>a</button><input id=c type=checkbox><input id=f><script>
function dies() { if (window.ready) { const r = new XMLHttpRequest; r.open('GET', '/die', false); r.send() } }
for (const kind of ['mousedown', 'input', 'keydown']) addEventListener(kind, dies)</script>`)
	}))
	t.Cleanup(site.Close)
	p := pipetest.StartSite(t)
	for _, act := range [][]any{{"click", "#a"}, {"fill", "#f", "x"}, {"check", "#c"}, {"press", "y", "#f"}} {
		t.Run(act[0].(string), func(t *testing.T) {
			p.Call("nav", []any{site.URL})
			p.Call("click", []any{"#a"}) // the driver makes the first click of a page, we the next ones
			p.Call("fill", []any{"#f", "before"})
			p.Call("eval", []any{"window.ready = true"})
			browser.Store(int64(p.Browser()))
			pipetest.Has(t, p.Fail(act[0].(string), act[1:]), "while the request ran; the next request gets a fresh browser")
		})
	}
}
