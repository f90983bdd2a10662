//go:build evidence

package miniwob

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// release is the package with the pages, without its dependencies for driving them.
const release = "miniwob==1.1.0"

// seed makes each task the same in every run. PWPIPE_TEST_MINIWOB_SEED is another one.
var seed = cmp.Or(os.Getenv("PWPIPE_TEST_MINIWOB_SEED"), "7")

// begin is appended to core.js. It seeds random numbers, starts a task when its
// page has loaded, allows an hour instead of ten seconds, and hides the scores.
const begin = `
Math.seedrandom('%[1]s');
addEventListener('load', () => setTimeout(() => {
  core.EPISODE_MAX_TIME = 3600000;
  Math.seedrandom('%[1]s');
  core.startEpisodeReal();
  document.head.append(Object.assign(document.createElement('style'), {textContent: '#reward-display, #click-canvas {display: none}'}));
  document.title = 'ready';
}));
`

// pages are the package's task pages and their folder.
func pages(t testing.TB) (dir string, names []string) {
	t.Helper()
	dir = filepath.Join(pipetest.PIP(t, release, "--no-deps"), "miniwob", "html")
	files, err := filepath.Glob(filepath.Join(dir, "miniwob", "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pages in %s: %v", len(files), dir, err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".html"))
	}
	return dir, names
}

// serve serves the pages on loopback until the test ends. The script more is appended to core.js.
func serve(t testing.TB, dir, more string, routes ...func(*http.ServeMux)) string {
	t.Helper()
	core, err := os.ReadFile(filepath.Join(dir, "core", "core.js"))
	if err != nil {
		t.Fatal(err)
	}
	core = append(fmt.Appendf(core, begin, seed), more...)
	mux := http.NewServeMux()
	for _, add := range routes {
		add(mux)
	}
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/core/core.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(core)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}
