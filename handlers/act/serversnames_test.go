package act_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestServersNames: a download whose name the server chose replaces no file, and its name is cut
// to what the file system takes. A file that the caller names is replaced and keeps its mode.
func TestServersNames(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="`+r.URL.Query().Get("as")+`"`)
		fmt.Fprint(w, "theirs")
	}))
	t.Cleanup(site.Close)
	p, dir := pipetest.Shared(t), t.TempDir()
	own := filepath.Join(dir, "package.json")
	if err := os.WriteFile(own, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	saved := func(name, path string) string {
		return p.Text("download", pipetest.Object{"url": site.URL + "/?as=" + url.QueryEscape(name), "path": path})
	}
	if at := saved("package.json", dir); at != filepath.Join(dir, "package (1).json") {
		t.Errorf("beside: %s", at)
	}
	if text, _ := os.ReadFile(own); string(text) != "mine" {
		t.Errorf("package.json is now %s", text)
	}
	for _, path := range []string{dir, ""} {
		at := saved(strings.Repeat("n", 300)+".txt", path)
		if text, err := os.ReadFile(at); string(text) != "theirs" || filepath.Ext(at) != ".txt" {
			t.Errorf("a long name: %s, %v", at, err)
		}
	}
	saved("x", own)
	info, err := os.Stat(own)
	if text, _ := os.ReadFile(own); err != nil || string(text) != "theirs" || info.Mode().Perm() != 0o600 {
		t.Errorf("what the caller named: %s, %v, %v", text, info.Mode(), err)
	}
}
