package agent_test

import (
	"regexp"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestCoveredElements: what can't be used on a page at rest fails after three seconds, in scripts too, and the error
// names what covers it and what may close that, with their refs.
func TestCoveredElements(t *testing.T) {
	pipetest.InCI(t, "it waits for what never comes, and TestClickablesHaveRefs is quick")
	t.Parallel()
	const buy, layer = `<h1>Shop</h1><button id=buy>Buy</button>`, `style="position:fixed;inset:0;background:#fff9"`
	site := pipetest.ServePages(t, map[string]string{
		"/banner":   buy + `<div ` + layer + `><p>Cookies?</p><button>Accept all</button></div>`,
		"/dialog":   buy + `<dialog id=d aria-label=News><p>News</p><button aria-label="Close">×</button></dialog><script>d.showModal()</script>`,
		"/role":     buy + `<div role=dialog aria-label=Sign ` + layer + `><p>Sign in</p><input></div>`,
		"/icon":     buy + `<div ` + layer + `><p>Offer</p><button class="btn-close"><svg width=9 height=9></svg></button></div>`,
		"/veil":     buy + `<div ` + layer + `>Wait</div>`,
		"/hidden":   `<h1>Shop</h1><button id=buy style="display:none">Buy</button>`,
		"/disabled": `<h1>Shop</h1><button id=buy disabled>Buy</button>`,
	})
	p := startTelling(t, "/")
	call := pipetest.OverMCP(p)
	for path, c := range map[string]struct {
		says string
		tool bool
	}{
		"/banner":   {`is covered: <div.*; what covers it is the layer \(e\d+\); "Accept all" \(e\d+\) may close it`, true},
		"/dialog":   {`; what covers it is the dialog "News" \(e\d+\); "Close" \(e\d+\) or Escape may close it`, true},
		"/role":     {`; what covers it is the dialog "Sign" \(e\d+\); Escape may close it`, false},
		"/icon":     {`; what covers it is the layer \(e\d+\); "Close" \(e\d+\) may close it`, false},
		"/veil":     {`is covered: <div.*Wait</div> intercepts pointer events; what covers it is the layer \(e\d+\)`, false},
		"/hidden":   {`is not visible`, true},
		"/disabled": {`is disabled`, false},
	} {
		call("nav", pipetest.Object{"url": site + path, "timeout": 60})
		got := call("execute", pipetest.Object{"code": "await page.click('#buy')"})
		if !regexp.MustCompile(c.says).MatchString(got) {
			t.Errorf("%s, a script: %s", path, got)
		}
		pipetest.Has(t, got, "nothing has changed on the page for 3 s (a timeout waits longer)")
		if !c.tool {
			continue
		}
		got = call("click", pipetest.Object{"sel": "#buy"})
		if !regexp.MustCompile(c.says).MatchString(got) {
			t.Errorf("%s, a tool: %s", path, got)
		}
		pipetest.Has(t, got, "nothing has changed there for 3 s (a timeout waits longer)")
	}
}
