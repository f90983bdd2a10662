//go:build evidence

package devtools_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestReactSource(t *testing.T) {
	pipetest.Nightly(t, "it fetches React, and TestReactWithoutABundle is quick")
	t.Parallel()
	development := []string{"--jsx-dev", "--sourcemap"}
	for name, c := range map[string]struct {
		version string
		flags   []string
	}{
		"18":            {"18.3.1", development},
		"19":            {"19.3.1", development},
		"19 inline map": {"19.3.1", []string{"--jsx-dev", "--sourcemap=inline"}},
		"19 minified":   {"19.3.1", []string{"--jsx-dev", "--sourcemap", "--minify-whitespace", "--minify-syntax"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := startIn(t)
			p.Call("nav", []string{reactPage(t, c.version, c.flags...)})
			s := pipetest.Get[reactSource](p, "react-source", []string{"button.go"})
			same(t, []any{s.ComponentName, s.FileName, s.LineNumber}, []any{"Button", "src/Button.jsx", 5})
			if s.ColumnNumber < 1 {
				t.Errorf("column %d", s.ColumnNumber)
			}
			same(t, s.Owners, []any{
				pipetest.Object{"ComponentName": "Button", "FileName": "src/Toolbar.jsx", "LineNumber": 5},
				pipetest.Object{"ComponentName": "Toolbar", "FileName": "src/main.jsx", "LineNumber": 7},
				pipetest.Object{"ComponentName": "App", "FileName": "src/main.jsx", "LineNumber": 13},
			})
			same(t, pipetest.Get[reactSource](p, "react-source", []string{"button.go b"}).LineNumber, 6)
			same(t, pipetest.Get[reactSource](p, "react-source", []string{"#inner"}).LineNumber, 8) // the element's line, not React's wrapper
			sameJSON(t, pipetest.Execute(p, `const s = await getReactSource({ locator: page.getByRole('button') });
[s.fileName, s.lineNumber, s.componentName]`),
				`["src/Button.jsx",5,"Button"]`)
			pipetest.Has(t, p.Fail("react-source", []string{"h1"}), "this element was not rendered by React")
			pipetest.Has(t, p.Fail("react-source", []string{"#nope"}, "timeout", 2), "#nope")
		})
	}
}

// TestPausedInABundle: the debugger, too, knows the original sources.
func TestPausedInABundle(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p, _ := startIn(t)
	p.Call("nav", []string{reactPage(t, "19.3.1", "--jsx-dev", "--sourcemap")})
	found := regexp.MustCompile(`:(\d+):\d+: function Button`).FindStringSubmatch(p.Text("code-search", []string{`function Button\(`, "app.js"}))
	if found == nil {
		t.Fatal("the bundle has no Button")
	}
	line, _ := strconv.Atoi(found[1])
	p.Call("debug-break", pipetest.Object{"file": "app.js", "line": line + 1})
	p.Try("reload", nil)
	w := pipetest.Get[struct{ Original, Function string }](p, "debug-wait", nil)
	same(t, w.Function, "Button")
	if !strings.HasPrefix(w.Original, "src/Button.jsx:5:") && !strings.HasPrefix(w.Original, "src/Button.jsx:4:") {
		t.Errorf("the original is %q", w.Original)
	}
}

func TestReactWithoutPlaces(t *testing.T) {
	pipetest.Nightly(t, "it fetches React, as TestReactWithoutABundle does")
	t.Parallel()
	p, _ := startIn(t)
	for _, version := range []string{"18.3.1", "19.3.1"} {
		p.Call("nav", []string{reactPage(t, version, "--minify", `--define:process.env.NODE_ENV="production"`)})
		pipetest.Has(t, p.Fail("react-source", []string{"button.go"}), "production build of React")
	}
	p.Call("nav", []string{reactPage(t, "18.3.1", "--jsx=automatic")}) // a development build whose transform records no positions
	pipetest.Has(t, p.Fail("react-source", []string{"button.go"}), "JSX transform for development")
	p.Call("nav", []string{pipetest.Site(t) + "/debug"})
	pipetest.Has(t, p.Fail("react-source", []string{"h1"}), "nothing on this page was rendered by React")
}
