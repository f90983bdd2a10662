//go:build evidence

package fastpath_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/refs"
)

// ariaStep is a step of one of Playwright's own tests: a page, or the snapshot that it expects
// of the page before it.
var ariaStep = regexp.MustCompile("(?s)page\\.setContent\\(`(.*?)`\\)|" +
	"page\\.locator\\('body'\\)(?:, |\\.ariaSnapshot\\(\\)\\)\\.to(?:Be|ContainYaml)\\()[`'](.*?)[`']\\);")

// ariaScript begins what needs more than the page's text.
var ariaScript = regexp.MustCompile(`page\.(evaluate|goto)|\$\{`)

// ariaDiffers are snapshots that our walk makes otherwise, or titles of tests, with the reasons.
var ariaDiffers = map[string]string{
	"- textbox \"Label\":\n  - /placeholder: Placeholder": "a placeholder beside a name is a note of the outline, not a property of the tree",
	"should not show visible children of hidden elements": "a person sees what is visible in what is hidden",
}

// written writes the tree of our walk, with nothing added to it, in Playwright's own format.
const written = `(() => { const module = {};
%INJECTED%
const walk = (%WALK%)((element, node) => node && Object.assign(node, { element }), () => {});
beginAriaCaches();
try {
	const text = renderAriaTree({ root: walk(document.body), elements: new Map(), refs: new Map(), iframeRefs: [] }, { mode: 'default' });
	return typeof text === 'string' ? text : text.text;
} finally {
	endAriaCaches();
} })()`

// TestWalkOnPlaywrightsTests gives our walk the pages of Playwright's own tests of aria
// snapshots, and compares what they expect. PWPIPE_TEST_PLAYWRIGHT names a checkout of
// microsoft/playwright at v1.60.0.
func TestWalkOnPlaywrightsTests(t *testing.T) {
	root := os.Getenv("PWPIPE_TEST_PLAYWRIGHT")
	if root == "" {
		t.Skip("PWPIPE_TEST_PLAYWRIGHT names no checkout of microsoft/playwright")
	}
	spec, err := os.ReadFile(filepath.Join(root, "tests", "page", "page-aria-snapshot.spec.ts"))
	if err != nil {
		t.Fatal(err)
	}
	var page atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page.Load().(string)))
	}))
	t.Cleanup(server.Close)
	s := start(t)
	passed := 0
	blocks := strings.Split(string(spec), "\nit('")[1:]
	for _, block := range blocks {
		name, body, _ := strings.Cut(block, "',")
		compared := 0
		if script := ariaScript.FindStringIndex(body); script != nil {
			body = body[:script[0]]
		}
		for _, step := range ariaStep.FindAllStringSubmatch(body, -1) {
			if strings.HasPrefix(step[0], "page.setContent") {
				page.Store(unescaped(step[1]))
				continue
			}
			compared++
			s.call("nav", server.URL)
			got, want := walkWritten(s), unshifted(unescaped(step[2]))
			switch reason := ariaDiffers[want] + ariaDiffers[name]; {
			case (got == want) == (reason != ""):
				t.Errorf("%s (%s):\n%s", name, reason, firstDifference(got, want))
			case reason != "":
				t.Logf("differs: %s: %s", name, reason)
			default:
				passed++
			}
		}
		if compared == 0 {
			t.Logf("not compared: %s", name)
		}
	}
	t.Logf("%d snapshots as expected, in %d tests", passed, len(blocks))
	if passed < 30 {
		t.Errorf("only %d snapshots were as expected", passed)
	}
}

func walkWritten(s *session) string {
	s.Helper()
	p := s.page()
	var reply struct {
		Result    struct{ Value string }
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	ask(s.T, p.Direct(), "Runtime.evaluate", map[string]any{"contextId": isolated(s.T, p.Direct())[0], "returnByValue": true,
		"expression": strings.NewReplacer("%INJECTED%", fastpath.InjectedScript(p.Engine.DriverDir), "%WALK%", refs.Walk()).Replace(written)}, &reply)
	if reply.Exception != nil {
		s.Fatalf("%.2000s", reply.Exception)
	}
	return reply.Result.Value
}

// unescaped reads a template literal.
func unescaped(text string) string {
	return strings.NewReplacer("\\`", "`", `\"`, `"`, `\\`, `\`, `\n`, "\n", `\u00ad`, "\u00ad", `\u200b`, "\u200b").Replace(text)
}

// unshifted takes the indent of the first line from all lines, and empty lines away.
func unshifted(text string) string {
	var lines []string
	indent := ""
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if lines == nil {
			indent = line[:len(line)-len(strings.TrimLeft(line, " "))]
		}
		lines = append(lines, strings.TrimPrefix(line, indent))
	}
	return strings.Join(lines, "\n")
}
