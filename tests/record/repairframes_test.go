//go:build evidence

package record_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

const (
	frames = `<!doctype html><h1>Shop</h1><iframe id="pay" src="/pay?v=1"></iframe><iframe id="news" src="/news"></iframe>`
	inside = `<!doctype html><h1>%</h1><button id="go" onclick="parent.document.title = '%'">Go on</button>`
)

// framed serves a page with frames, which a test changes between two runs.
func framed(t *testing.T) (url string, page *atomic.Value) {
	t.Helper()
	page = &atomic.Value{}
	page.Store(frames)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		text := page.Load().(string)
		if r.URL.Path != "/" {
			text = strings.ReplaceAll(inside, "%", strings.Trim(r.URL.Path, "/"))
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(s.Close)
	return s.URL, page
}

// TestRepairFrames: a frame that its selector no longer finds is found again by what it shows
// and where it stands. One of two alike fails the step, and so does one that shows something
// else.
func TestRepairFrames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := framed(t)
	file := filepath.Join(t.TempDir(), "flow.ndjson")
	p := pipetest.Start(t, "--base-url", url)
	p.Call("log-start", []any{file})
	p.Call("nav", []any{"/"})
	p.Call("click", []any{"#pay >> internal:control=enter-frame >> #go"}, "timeout", 20)
	p.Call("expect-title", []any{"pay"}, "timeout", 20)
	p.Call("log-stop", nil)
	p.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, now := range []struct{ name, page, says string }{
		{"the same", frames, ""},
		{"other ids", strings.NewReplacer(`"pay"`, `"u1"`, `"news"`, `"u2"`, "v=1", "v=2").Replace(frames),
			`is now "iframe >> nth=0 >> internal:control=enter-frame >> #go"`},
		{"each other's places and ids", `<h1>Shop</h1><iframe id="pay" src="/news"></iframe><iframe id="news" src="/pay"></iframe>`,
			`is now "#news >> internal:control=enter-frame >> #go"`},
		{"two alike", strings.NewReplacer(`id="pay"`, `id="u1"`, `"/news"`, `"/pay"`).Replace(frames),
			"!of its frame, more than one element is like it"},
		{"gone", strings.Replace(frames, `<iframe id="pay" src="/pay?v=1"></iframe>`, "", 1), "!of its frame, no element is enough like it"},
		{"another", strings.NewReplacer("/pay?v=1", "/other", `"pay"`, `"p"`).Replace(frames),
			"!of its frame, no element is enough like it"},
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		page.Store(now.page)
		out, status := replayed(t, url, file, "--repair", "--update")
		want, fails := strings.CutPrefix(now.says, "!")
		if (status != 0) != fails || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s", now.name, status, out)
		}
		if now.says == "" || fails {
			continue
		}
		if out, status := replayed(t, url, file); status != 0 {
			t.Errorf("%s, updated: status %d, %s", now.name, status, out)
		}
	}
}

// TestRecordFrameRepair: what the recorder says of an element's frames finds them again.
func TestRecordFrameRepair(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := framed(t)
	r := records(t, url+"/")
	r.wants(`nav {"url":"/"}`)
	r.press("#go", "#pay", "left")
	r.wants(`click {"sel":"#pay >> internal:control=enter-frame >> role=button[name=\"Go on\"]"}`)
	page.Store(strings.NewReplacer(`"pay"`, `"u1"`, `"news"`, `"u2"`).Replace(frames))
	r.lines = append(r.lines, `{"method":"expect-title","params":["pay"]}`)
	r.replays("--repair")
}

// TestRecordPlace: a place of the document that the page itself goes to is no address that the
// person has entered.
func TestRecordPlace(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := served(t)
	page.Store(`<button onclick="document.title = 'pressed'">Go on</button><script>onload = () => location.hash = 'a'</script>`)
	r := records(t, url+"/")
	r.sees(`location.hash === '#a'`)
	r.click("button")
	r.sees(`document.title === 'pressed'`)
	r.wants(`nav {"url":"/"}`, `click {"sel":"role=button[name=\"Go on\"]"}`)
}
