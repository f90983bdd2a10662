//go:build evidence

package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLoadingScreens: a page that shows that it is loading has a moment to go on; else what it shows is told, and
// what it waits for. One that has come is not waited for, nor one without scripts.
func TestLoadingScreens(t *testing.T) {
	pipetest.Nightly(t, "it waits for what never comes, and TestClickablesHaveRefs is quick")
	t.Parallel()
	screens := map[string]struct{ html, says string }{
		"words":    {`<p>Initializing…</p>`, `it says "Initializing…"`},
		"empty":    {`<header>Shop</header><main></main>`, "its main part is empty"},
		"root":     {`<div id=root></div>`, "its main part is empty"},
		"skeleton": {`<h1>Shop</h1><div class="skeleton-row" style="height:20px">&nbsp;</div>`, "it shows skeletons"},
		"spinner":  {`<h1>Shop</h1><div class="big spinner" style="width:20px;height:20px"></div>`, "it shows a spinner"},
		"busy":     {`<h1>Shop</h1><section aria-busy=true>Orders of today</section>`, "it shows a part that is busy"},
	}
	const arrives = `const come = () => { document.body.innerHTML = '<h1>Here it is</h1><button>Buy</button>' };`
	pages := map[string]string{
		"/plain": `<p>Loading…</p>`,
		"/full":  `<h1>Here it is</h1><button>Buy</button><script>0</script>`,
		"/start": `<a href="/words/never">Go on</a>`,
	}
	hang := unended(t) + "/hang"
	for name, screen := range screens {
		// It has asked for no request: a chain of timers is how scripts that compute look.
		pages["/"+name+"/soon"] = screen.html + `<script>` + arrives + `let n = 0; const step = () => ++n < 6 ? setTimeout(step, 60) : come(); step()</script>`
		pages["/"+name+"/never"] = screen.html + `<script>fetch('` + hang + `', {mode: 'no-cors'})</script>`
	}
	site := pipetest.ServePages(t, pages)
	p := startTelling(t, "/")
	call := pipetest.OverMCP(p)
	nav := func(path string) string { return call("nav", pipetest.Object{"url": site + path, "timeout": 60}) }
	for name, screen := range screens {
		got := nav("/" + name + "/soon")
		if !strings.Contains(got, "Here it is") { // on a busy machine a second may be too short
			pipetest.Has(t, got, "→ it seems to be loading: ")
		}
		pipetest.Eventually(t, "the page has come", func() bool {
			if !strings.Contains(got, `button "Buy" [ref=`) {
				got = call("snapshot", pipetest.Object{})
			}
			return strings.Contains(got, `button "Buy" [ref=`)
		})
		got = nav("/" + name + "/never")
		pipetest.Has(t, got, "→ it seems to be loading: "+screen.says+"; no answer yet from "+hang)
	}
	got := call("execute", pipetest.Object{"code": "await page.goto('" + site + "/root/never')", "timeout": 60})
	pipetest.Has(t, got, "→ it seems to be loading: its main part is empty; no answer yet from "+hang)
	pipetest.Lacks(t, nav("/plain"), "seems to be")
	pipetest.Lacks(t, nav("/full"), "seems to be")
	nav("/start")
	pipetest.Has(t, call("click", pipetest.Object{"sel": "a", "timeout": 60}), "→ went to ", `→ it seems to be loading: it says "Initializing…"`)
}
