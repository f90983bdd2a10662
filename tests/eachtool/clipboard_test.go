package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestClipboard(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/form"})
	text := "two lines\nand \"quotes\" </script> \u2028 😀"
	if got := p.Call("browser_clipboard_write", []any{text}); got != `{"success":true,"textLength":37}` {
		t.Error(got)
	}
	if got := p.Text("clip", nil); got != text {
		t.Errorf("%q", got)
	}
	p.Call("copy", []any{"short"})
	if got := p.Call("browser_clipboard_read", nil); got != `{"text":"short"}` {
		t.Error(got)
	}
	// Text that the page copies is read too.
	p.Call("fill", []any{"#name", "from the page"})
	p.Call("eval", []any{"document.querySelector('#name').select(); document.execCommand('copy')"})
	if got := p.Text("clip", nil); got != "from the page" {
		t.Errorf("%q", got)
	}
	p.Call("copy", []any{""})
	if got := p.Text("clip", nil); got != "" {
		t.Errorf("%q", got)
	}
	pipetest.Has(t, p.Fail("copy", []any{5}), "copy: text: expected a string")
}

// No context reads what another one copied, by a tool or by its page.
func TestClipboardsOfContexts(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/form"})
	p.Call("new-ctx", nil)
	p.Call("new-page", []any{"c2"})
	p.Call("nav", []any{"/form"}, "page", "p2")
	read := func(page, want string) {
		t.Helper()
		if got := p.Text("clip", nil, "page", page); got != want {
			t.Errorf("%s: got %q, want %q", page, got, want)
		}
	}
	p.Call("copy", []any{"one"}, "page", "p1")
	read("p2", "")
	read("p1", "one")
	p.Call("copy", []any{"two"}, "page", "p2")
	read("p1", "one")
	read("p2", "two")
	p.Call("fill", []any{"#name", "page one"}, "page", "p1")
	p.Call("eval", []any{"document.querySelector('#name').select(); document.execCommand('copy')"}, "page", "p1")
	read("p2", "two")
	read("p1", "page one")
	p.Call("copy", []any{"two again"}, "page", "p2")
	read("p1", "page one")
	read("p2", "two again")
}
