//go:build evidence

package fastpath_test

import (
	"strings"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// TestClickScrolls: an element out of view is scrolled to and clicked as by the driver, which
// clicks itself where something covers the element then, and where scrolling takes time.
func TestClickScrolls(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestMouseAfterClicks is quick")
	t.Parallel()
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": "<p>p</p>"}))
	s.call("click", "p") // the driver makes the first click
	const page = `<body style="margin: 0"><main style="height: 3000px">%</main><script>let seen = []
for (const kind of ['mousedown', 'click']) addEventListener(kind, (e) => seen.push([kind, e.target.localName, e.clientX, e.clientY].join(' ')))</script>`
	const told = `JSON.stringify([scrollX, scrollY, document.querySelector('div')?.scrollTop, seen])`
	for name, tc := range map[string]struct {
		page   string
		direct bool
	}{
		"below":  {`<p style="height: 2000px"></p><button>b</button>`, true},
		"beside": {`<p style="width: 4000px; text-align: right"><button>b</button></p>`, true},
		"cut":    {`<p style="height: calc(100vh - 32px); margin: 0"></p><button style="height: 40px">b</button>`, true},
		"in a box": {`<p style="height: 2000px"></p><div style="height: 90px; overflow: auto"><p style="height: 500px"></p><button>b</button>
			<p style="height: 500px"></p></div>`, true},
		"snapped": {`<style>html { scroll-snap-type: y mandatory } p { scroll-snap-align: start; height: 700px; margin: 0 }</style>
			<p></p><p></p><p><button>b</button></p>`, true},
		"under a bar": {`<p style="height: calc(100vh - 32px); margin: 0"></p><button style="height: 40px">b</button>
			<div style="position: fixed; bottom: 0; height: 60px; width: 100vw"></div>`, false},
		"smooth": {`<style>html { scroll-behavior: smooth }</style><p style="height: 2000px"></p><button>b</button>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			s.call("nav", pipetest.ServePages(t, map[string]string{"/": strings.Replace(page, "%", tc.page, 1)}))
			if _, err := s.table.Call(fastpath.Without(s.ctx), provider.Request{Tool: "click", Params: encode([]string{"button"})}); err != nil {
				t.Fatal(err)
			}
			want := s.call("eval", told)
			s.call("nav", s.page().PW.URL())
			before := fastpath.Counts(s.page()).Clicks
			s.call("click", "button")
			if got := s.call("eval", told); got != want {
				t.Errorf("%s\n the driver: %s", got, want)
			}
			if direct := fastpath.Counts(s.page()).Clicks > before; direct != tc.direct {
				t.Errorf("it took the direct line: %v", direct)
			}
		})
	}
}
