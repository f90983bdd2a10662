//go:build evidence

package reach

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestOneConnection: tools and scripts share the connection to another person's browser. If
// it ends, a script reports it, and the next request connects again.
func TestOneConnection(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAttach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	way := pipetest.NewWire(t, c.addr)
	p := pipetest.Start(t, "--cdp", "http://"+way.Addr, "--base-url", site)
	p.Call("nav", []any{"/form"})
	if got := pipetest.Execute(p, "state.n = 1; return page.url()"); got != `"`+site+`/form"` {
		t.Error(got)
	}
	id := p.Request("execute", []any{"await page.evaluate(() => { document.title = 'running'; return new Promise(() => {}); })"}, "timeout", 30)
	pipetest.Eventually(t, "the script runs", func() bool { return strings.Contains(string(c.ask("GET", "/json/list")), `"title": "running"`) })
	way.CutLast()
	if r := p.Reply(); string(r.ID) != fmt.Sprint(id) || !strings.Contains(r.Error, "went away while the request ran") || !strings.Contains(r.Error+fmt.Sprint(r), "again") {
		t.Errorf("%s %s", r.ID, r.Error)
	}
	pipetest.Has(t, p.Call("pages", nil), `"running"`)
	way.Close()
	way.CutLast()
	why := ""
	pipetest.Eventually(t, "the end is noticed", func() bool { // the first request may only report the loss
		why = p.Try("title", nil).Error
		return strings.Contains(why, "can't attach")
	})
	pipetest.Has(t, why, "http://"+way.Addr, "nothing listens there")
}
