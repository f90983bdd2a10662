//go:build evidence

package agent_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestReplacedPagesAreTold: pages that hang in other ways than in a script of ours are replaced likewise, and named by the next reply, once.
func TestReplacedPagesAreTold(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsSayWhatTheyDid is quick")
	t.Parallel()
	// A request that the page waits for in this way can't be interrupted.
	stuck := fmt.Sprintf("(() => { const x = new XMLHttpRequest(); x.open('GET', '%s/hang', false); x.send() })()", unended(t))
	kinds := []struct {
		name, page string
		tool       string
		params     pipetest.Object
	}{
		{"a click", `<button id=b onclick="` + stuck + `">B</button>`, "click", pipetest.Object{"sel": "#b"}},
		{"a key", `<input id=i oninput="` + stuck + `">`, "press", pipetest.Object{"sel": "#i", "key": "a"}},
		{"a timer", `<p id=p>P</p><script>setTimeout(() => ` + stuck + `, 500)</script>`, "wait", pipetest.Object{"sel": "#never"}},
		{"a frame", `<p id=p>P</p><iframe srcdoc="<button id=b onclick=&quot;` + stuck + `&quot;>B</button>"></iframe>`,
			"click", pipetest.Object{"sel": "iframe >> internal:control=enter-frame >> #b"}},
		{"a new document", `<a id=a href=/stuck>A</a>`, "click", pipetest.Object{"sel": "#a"}},
		{"a message", `<button id=b onclick="postMessage(1)">B</button><script>onmessage = () => ` + stuck + `</script>`,
			"click", pipetest.Object{"sel": "#b"}},
	}
	pages := map[string]string{"/stuck": "<script>" + stuck + "</script>"}
	for _, k := range kinds {
		pages["/"+strings.ReplaceAll(k.name, " ", "-")] = k.page
	}
	site := pipetest.ServePages(t, pages)
	p := start(t, site+"/a-click")
	call := pipetest.OverMCP(p)
	told := regexp.MustCompile(`→ before this call: page p\d+ is gone: it hung and was closed; calls go on with p\d+`)
	for _, k := range kinds {
		var calls []string
		calls = append(calls, call("nav", pipetest.Object{"url": site + "/" + strings.ReplaceAll(k.name, " ", "-"), "timeout": 30}))
		k.params["timeout"] = 10
		calls = append(calls, call(k.tool, k.params))
		pipetest.Eventually(t, "the page that hung in "+k.name+" is told", func() bool {
			calls = append(calls, call("snapshot", pipetest.Object{"timeout": 10}))
			return told.MatchString(strings.Join(calls, "\n"))
		})
		if n := len(told.FindAllString(strings.Join(calls, "\n"), -1)); n != 1 {
			t.Errorf("%s: it is told %d times: %q", k.name, n, calls)
		}
		pipetest.Lacks(t, call("snapshot", pipetest.Object{}), "before this call")
	}
}
