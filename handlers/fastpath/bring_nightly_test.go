//go:build evidence

package fastpath_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// TestTheDriverTakesWhatIsThere: in a document that was read, the driver
// instantiates the loaded injected script, with all of its engines. In other
// documents and in frames it sends its own.
func TestTheDriverTakesWhatIsThere(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTheLibraryIsReady is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{
		"/": "<p>a</p><iframe srcdoc='<button>in</button>'></iframe><button onclick='this.textContent = 1'>go</button>"})
	s := start(t)
	s.call("nav", site)
	s.call("txt", "p")
	w := watch(t, s.page())
	s.call("nav", site)
	s.call("txt", "p")
	if got := w.have(`(() => { const own = globalThis[Symbol.for('pwpipe')], make = own?.injected; if (own) own.injected = () => { own.taken = true; return make(); }; return !!own })()`); got != "main __playwright_utility_world__" {
		t.Fatalf("the library is in %q", got)
	}
	s.call("click", "button")
	if got := w.have(`!!globalThis[Symbol.for('pwpipe')]?.taken`); got != "main __playwright_utility_world__" {
		t.Errorf("the driver took it in %q", got)
	}
	if got := s.call("txt", "button"); got != `"1"` {
		t.Errorf("the button says %s", got)
	}
	short, cancel := context.WithTimeout(s.ctx, 3*time.Second)
	defer cancel()
	if got := s.try(short, "click", "role=button[name=none]"); !strings.Contains(got, `button here: "1"`) { // uses the engine names
		t.Errorf("what could be meant: %s", got)
	}
	s.call("click", "iframe >> internal:control=enter-frame >> button")
	s.call("nav", site)
	s.call("click", "button")
	if got := s.call("txt", "button"); got != `"1"` {
		t.Errorf("in a document that nobody read, the button says %s", got)
	}
}
