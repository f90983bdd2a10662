package fastpath_test

import (
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"testing"

	"pwpipe/handlers/browser"
	"pwpipe/internal/pipetest"
)

// TestTheLibraryIsReady: after the second read, each new document has the library
// before it is asked, only in the driver's world of the main frame. This also
// holds in another process, and while the driver works.
func TestTheLibraryIsReady(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBothWays is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{
		"/a": "<p>a</p><button onclick='this.textContent = 1'>go", "/b": "<p>b</p><iframe srcdoc='<p>in'></iframe><button onclick='this.textContent = 2'>go"})
	s := start(t)
	s.call("nav", site+"/a")
	p := s.page()
	s.call("txt", "p") // the first document read
	w := watch(t, p)
	for i, url := range []string{site + "/a", site + "/b", site + "/a", strings.Replace(site, "127.0.0.1", "localhost", 1) + "/b", site + "/b"} {
		s.call("nav", url)
		want := ""
		if i >= 1 {
			want = "main __playwright_utility_world__"
		}
		if got := w.have(`typeof globalThis[Symbol.for('pwpipe.library')] === 'function'`); got != want {
			t.Errorf("document %d: it is in %q", i, got)
		}
		if got := s.call("txt", "p"); got != string(encode(url[len(url)-1:])) {
			t.Errorf("document %d: %s", i, got)
		}
		if i%2 == 0 { // the driver adds its own
			s.call("click", "button")
		}
		if got := s.call("txt", "button"); (got == `"go"`) != (i%2 != 0) {
			t.Errorf("document %d: the button says %s", i, got)
		}
	}
}

// worlds are the execution contexts of a page's frames.
type worlds struct {
	t *testing.T
	p *browser.Page

	mu   sync.Mutex
	list map[string]string // context id -> frame and world name
}

func watch(t *testing.T, p *browser.Page) *worlds {
	w := &worlds{t: t, p: p, list: map[string]string{}}
	s := p.Direct()
	s.On("Runtime.executionContextsCleared", func(json.RawMessage) {
		w.mu.Lock()
		defer w.mu.Unlock()
		clear(w.list)
	})
	s.On("Runtime.executionContextCreated", func(params json.RawMessage) {
		var e struct {
			Context struct {
				Name, UniqueID string
				AuxData        struct{ FrameID string }
			}
		}
		_ = json.Unmarshal(params, &e)
		frame := "inner"
		if e.Context.AuxData.FrameID == p.Target() {
			frame = "main"
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.list[e.Context.UniqueID] = frame + " " + e.Context.Name
	})
	if err := s.Call(t.Context(), "Runtime.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	return w
}

// have returns the worlds in which an expression is true.
func (w *worlds) have(expression string) string {
	w.t.Helper()
	s := w.p.Direct()
	if err := s.Call(w.t.Context(), "Runtime.evaluate", map[string]any{"expression": "1"}, nil); err != nil { // by now all contexts are reported
		w.t.Fatal(err)
	}
	w.mu.Lock()
	list := maps.Clone(w.list)
	w.mu.Unlock()
	var found []string
	for id, name := range list {
		var reply struct{ Result struct{ Value bool } }
		if err := s.Call(w.t.Context(), "Runtime.evaluate", map[string]any{"expression": expression, "uniqueContextId": id}, &reply); err != nil {
			w.t.Fatal(err)
		}
		if reply.Result.Value {
			found = append(found, name)
		}
	}
	return strings.Join(found, ", ")
}
