package devtools_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// TestReactWithoutABundle: each source is its own script, as on development
// servers.
func TestReactWithoutABundle(t *testing.T) {
	pipetest.InCI(t, "it installs React")
	t.Parallel()
	p, _ := startIn(t)
	p.Call("nav", []string{reactPage(t, "19.3.1", "--jsx-dev", "--sourcemap=inline", "--splitting", "--format=esm", "--outdir=out/js", "src/Button.jsx", "src/Toolbar.jsx")})
	s := pipetest.Get[reactSource](p, "react-source", []string{"button.go"})
	same(t, []any{s.ComponentName, s.FileName, s.LineNumber}, []any{"Button", "src/Button.jsx", 5})
}
