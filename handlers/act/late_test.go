//go:build evidence

package act_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestClickLeadsNowhereYet: when the server is late, each way of clicking
// reports that the click was made.
func TestClickLeadsNowhereYet(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<form action=/late><button id=s>go</button><input type=checkbox id=c onclick="this.form.submit()"></form>`)
	})
	mux.HandleFunc("/late", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	site := httptest.NewServer(mux)
	t.Cleanup(func() { site.CloseClientConnections(); site.Close() })
	p := pipetest.Start(t)
	for _, click := range []struct {
		tool   string
		params any
		sel    string
		warm   bool // the fast path has clicked before
	}{
		{"click", list("#s"), "#s", false},
		{"click", list("#s"), "#s", true},
		{"rclick", pipetest.Object{"sel": "#s", "button": "left"}, "#s", false},
		{"page.click", pipetest.Object{"selector": "#s"}, "#s", false},
		{"download", pipetest.Object{"sel": "#s"}, "#s", false},
	} {
		p.Call("nav", list(site.URL+"/"))
		if click.warm {
			p.Call("click", list("form"))
			p.Call("eval", list("1"))
		}
		limit := 5 // seconds, for a busy machine
		if click.tool == "page.click" {
			limit *= 1000 // this profile counts in milliseconds
		}
		said := p.Fail(click.tool, click.params, "timeout", limit)
		pipetest.Has(t, said, fmt.Sprintf("clicked %q, but the page it leads to did not answer within 5 s", click.sel))
		if t.Failed() {
			t.Fatalf("%s, warm %v", click.tool, click.warm)
		}
	}
	// check waits only for its box, so it may end before the page leaves.
	p.Call("nav", list(site.URL+"/"))
	if r := p.Try("check", list("#c"), "timeout", 3); r.Error != "" {
		pipetest.Has(t, r.Error, `clicked "#c", but the page it leads to did not answer within 3 s`)
	}
	p.Call("nav", list(site.URL+"/"))
	p.Complains(`nothing matches "#none"`, "click", list("#none"), "timeout", 1)
}
