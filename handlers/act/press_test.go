package act_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPressOnce: a form is submitted once, however late the server answers and whatever the
// tool's name.
func TestPressOnce(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	var submits atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<form action=/late><input id=i name=i><input type=checkbox id=c onchange="this.form.submit()">
			<select id=o onchange="this.form.submit()"><option>a<option>b</select>
			<input id=n onchange="this.form.submit()"><button id=s>go</button></form>`)
	})
	mux.HandleFunc("/late", func(_ http.ResponseWriter, r *http.Request) {
		submits.Add(1)
		<-r.Context().Done()
	})
	site := httptest.NewServer(mux)
	t.Cleanup(func() { site.CloseClientConnections(); site.Close() })
	p := pipetest.Shared(t)
	home := func() { // a pending navigation may commit first, but only once
		if p.Try("nav", list(site.URL+"/")).Error != "" {
			p.Call("nav", list(site.URL+"/"))
		}
	}
	const pressed = `pressed the key in "#i", but the page it leads to did not answer within 4 s`
	for _, act := range pipetest.Sample([]struct {
		tool   string
		params any
		limit  int    // in the profile's unit
		says   string // "" if the tool may end before the page leaves
	}{
		{"press", list("Enter", "#i"), 4, pressed},
		{"page.press", pipetest.Object{"selector": "#i", "key": "Enter"}, 4000, pressed},
		{"click", list("#s"), 4, `clicked "#s", but`},
		{"page.click", pipetest.Object{"selector": "#s"}, 4000, `clicked "#s", but`},
		{"dclick", list("#s"), 4, ""},
		{"tap", list("#s"), 4, ""},
		{"check", list("#c"), 4, ""},
		{"sel", list("#o", "b"), 4, ""},
		{"type", list("#i", "a\n"), 4, ""},
	}, 3) {
		home()
		submits.Store(0)
		r := p.Try(act.tool, act.params, "timeout", act.limit)
		if act.says != "" {
			pipetest.Has(t, r.Error, act.says)
		}
		pipetest.Eventually(t, act.tool+" submits", func() bool { return submits.Load() > 0 })
		home() // any pending submit has been sent or never will be
		// The second click finds a pending submit, and submits again, as in any browser.
		if n := submits.Load(); n < 1 || n > 1 && act.tool != "dclick" {
			t.Errorf("%s: %d submits, and it said %q", act.tool, n, r.Error)
		}
	}
}
