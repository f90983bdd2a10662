package record_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// served serves a page that a test changes between two runs.
func served(t *testing.T) (url string, page *atomic.Value) {
	t.Helper()
	page = &atomic.Value{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page.Load().(string)))
	}))
	t.Cleanup(s.Close)
	return s.URL, page
}

const before = `<h1>Boats</h1><form onsubmit="return false"><label>Name <input id="name"></label>
<button id="save" onclick="done.textContent = 'saved ' + document.querySelector('input').value">Save</button>
<button id="drop" onclick="done.textContent = 'dropped'">Drop</button></form><output id="done"></output>`

// logged writes the log of a flow on a page, and answers its file.
func logged(t *testing.T, url string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "flow.ndjson")
	p := pipetest.Start(t, "--base-url", url)
	p.Call("log-start", []any{file})
	p.Call("nav", []any{"/"})
	p.Call("fill", []any{"#name", "Anna"}, "timeout", 10)
	p.Call("click", []any{"#save"}, "timeout", 10)
	p.Call("expect-text", []any{"output", "saved Anna"}, "timeout", 10)
	p.Call("log-stop", nil)
	return file
}

func replayed(t *testing.T, url, file string, args ...string) (string, int) {
	t.Helper()
	out, errs, status := pipetest.Run(t, "", append([]string{"run", "--base-url", url, file}, args...)...)
	return out + errs, status
}

// TestRepair: a flow whose elements have other ids and places runs with --repair, which
// says so; --update writes what it found, and the rest of the file stays.
func TestRepair(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := served(t)
	page.Store(before)
	file := logged(t, url)
	text, err := os.ReadFile(file)
	whole := append([]byte("# a flow\n\n"), text...)
	if err := errors.Join(err, os.WriteFile(file, whole, 0o600), os.Chmod(file, 0o640)); err != nil {
		t.Fatal(err)
	}
	page.Store(strings.NewReplacer(`id="name"`, `id="n1"`, `id="save"`, `id="s1"`,
		"<button", "<div><button", "</button>", "</button></div>").Replace(before))
	if out, status := replayed(t, url, file); status != 1 {
		t.Fatalf("without repair: %d, %s", status, out)
	}
	out, status := replayed(t, url, file, "--repair", "--update")
	if status != 0 || strings.Count(out, "repaired: ") != 2 ||
		!strings.Contains(out, `sel "#save" is now "role=button[name=\"Save\"]"`) {
		t.Fatalf("with repair: %d, %s", status, out)
	}
	if out, status = replayed(t, url, file); status != 0 || strings.Contains(out, "repaired") {
		t.Fatalf("what was updated: %d, %s", status, out)
	}
	page.Store(strings.Replace(before, "<button", "<button>Save</button><button", 1))
	out, _ = replayed(t, url, file, "--repair")
	pipetest.Has(t, out, "no longer finds its element for sure: more than one element is like it")
	now, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(now), "# a flow\n\n") ||
		strings.Count(string(now), "\n") != strings.Count(string(text), "\n")+2 || !strings.Contains(string(now), `"timeout":10`) {
		t.Errorf("%v: %s", err, now)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
}
