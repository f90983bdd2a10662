//go:build evidence

package record_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestUpdateOfAChangedFlow: --update writes nothing into a flow that somebody has edited while it
// ran, and a link to a flow stays a link.
func TestUpdateOfAChangedFlow(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := served(t)
	page.Store(before)
	file := logged(t, url)
	link := filepath.Join(t.TempDir(), "link.ndjson")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	now := strings.NewReplacer(`id="name"`, `id="n1"`, `id="save"`, `id="s1"`).Replace(before)
	var once sync.Once
	edited := "# inserted meanwhile\n" + string(text)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		once.Do(func() { err = errors.Join(err, os.WriteFile(file, []byte(edited), 0o600)) })
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(now))
	}))
	t.Cleanup(site.Close)
	out, status := replayed(t, site.URL, link, "--repair", "--update")
	if status != 0 || !strings.Contains(out, "not updated: another program has changed it meanwhile") {
		t.Errorf("%d, %s", status, out)
	}
	if got, _ := os.ReadFile(file); err != nil || string(got) != edited {
		t.Fatalf("%v: %s", err, got)
	}
	out, status = replayed(t, site.URL, link, "--repair", "--update")
	if got, _ := os.ReadFile(file); status != 0 || !strings.Contains(string(got), "inserted meanwhile") || !strings.Contains(out, "lines updated: 2") {
		t.Errorf("%d, %s: %s", status, out, got)
	}
	if to, err := os.Readlink(link); err != nil || to != file {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}
