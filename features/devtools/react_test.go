package devtools_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A small application of three components, each in a file.
var reactApp = map[string]string{
	"src/Button.jsx": `// The button.

export function Button({ label }) {
  return (
    <button className="go">
      <b>{label}</b>
    </button>
  );
}
`,
	"src/Toolbar.jsx": `import { memo } from 'react';
import { Button } from './Button.jsx';

export const Toolbar = memo(() => {
  return <div role="toolbar"><Button label="Go" /></div>;
});
Toolbar.displayName = 'Toolbar';
`,
	"src/main.jsx": `import { createRoot } from 'react-dom/client';
import { Toolbar } from './Toolbar.jsx';

function App() {
  return (
    <main>
      <Toolbar />
      <p id="raw" dangerouslySetInnerHTML={{ __html: '<i id="inner">raw</i>' }} />
    </main>
  );
}

createRoot(document.getElementById('root')).render(<App />);
`,
}

// reactPage builds the application with a version of React, and serves it.
func reactPage(t *testing.T, version string, flags ...string) string {
	t.Helper()
	modules := pipetest.NPM(t, "react@"+version, "react-dom@"+version, "esbuild@0.28.2")
	dir := t.TempDir()
	for name, text := range reactApp {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"src/main.jsx", "--bundle", "--jsx=automatic"}, flags...)
	script := "/app.js"
	if slices.Contains(flags, "--splitting") {
		script = "/js/main.js"
	} else {
		args = append(args, "--outfile=out/app.js")
	}
	cmd := exec.Command("node", append([]string{filepath.Join(modules, "esbuild/bin/esbuild")}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("esbuild: %v\n%s", err, out)
	}
	page := `<!doctype html><title>React</title><h1>Outside</h1><div id="root"></div><script type="module" src="` + script + `"></script>`
	if err := os.WriteFile(filepath.Join(dir, "out/index.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "out"))))
	t.Cleanup(site.Close)
	return site.URL
}

type reactSource struct {
	ComponentName, FileName  string
	LineNumber, ColumnNumber int
	Owners                   []struct {
		ComponentName, FileName string
		LineNumber              int
	}
}

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
			p := pipetest.Shared(t, "--profile", "devtools")
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

// TestReactWithoutABundle: each source is its own script, as on development
// servers.
func TestReactWithoutABundle(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t, "--profile", "devtools")
	p.Call("nav", []string{reactPage(t, "19.3.1", "--jsx-dev", "--sourcemap=inline", "--splitting", "--format=esm", "--outdir=out/js", "src/Button.jsx", "src/Toolbar.jsx")})
	s := pipetest.Get[reactSource](p, "react-source", []string{"button.go"})
	same(t, []any{s.ComponentName, s.FileName, s.LineNumber}, []any{"Button", "src/Button.jsx", 5})
}

// TestPausedInABundle: the debugger, too, knows the original sources.
func TestPausedInABundle(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := pipetest.Shared(t, "--profile", "devtools")
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
	p := pipetest.Shared(t, "--profile", "devtools")
	for _, version := range []string{"18.3.1", "19.3.1"} {
		p.Call("nav", []string{reactPage(t, version, "--minify", `--define:process.env.NODE_ENV="production"`)})
		pipetest.Has(t, p.Fail("react-source", []string{"button.go"}), "production build of React")
	}
	p.Call("nav", []string{reactPage(t, "18.3.1", "--jsx=automatic")}) // a development build whose transform records no positions
	pipetest.Has(t, p.Fail("react-source", []string{"button.go"}), "JSX transform for development")
	p.Call("nav", []string{pipetest.Site(t) + "/debug"})
	pipetest.Has(t, p.Fail("react-source", []string{"h1"}), "nothing on this page was rendered by React")
}
