package eachtool_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestPaste(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClipboard is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/form"})
	text := "first line\nsecond \"line\"\n\tthird 😀"
	p.Call("clear", []any{"#message"})
	p.Call("eval", []any{"window.inputs = 0; document.querySelector('#message').addEventListener('input', () => inputs++)"})
	if got := p.Call("browser_paste", map[string]any{"selector": "#message", "text": text}); got != `{"success":true}` {
		t.Error(got)
	}
	if got := p.Text("eval", []any{"document.querySelector('#message').value"}); got != text {
		t.Errorf("%q", got)
	}
	if got := p.Call("eval", []any{"inputs"}); got == "0" {
		t.Errorf("no input event")
	}
	long := strings.Repeat("0123456789", 20000)
	p.Call("paste", []any{"#notes", long})
	if got := p.Text("txt", []any{"#notes"}); !strings.Contains(got, long) {
		t.Errorf("%d characters in the notes", len(got))
	}
	p.Call("nav", []any{"/shadow"})
	p.Call("paste", []any{"#shadow-input", "inside"})
	if got := p.Text("eval", []any{"document.querySelector('sk-outer').shadowRoot.querySelector('sk-inner').shadowRoot.querySelector('input').value"}); got != "inside" {
		t.Errorf("%q", got)
	}
	p.Call("nav", []any{"/form"})
	for _, sel := range []string{"h1", "#readonly", "#disabled", "#subscribe"} {
		pipetest.Has(t, p.Fail("paste", []any{sel, "x"}), "paste: ", sel, "is not a field that takes text")
	}
	p.Complains(`nothing matches "#nowhere"`, "paste", []any{"#nowhere", "x"}, "timeout", 2)
	pipetest.Has(t, p.Fail("paste", []any{"]["}, "timeout", 2), `missing parameter "text"`)
	pipetest.Has(t, p.Fail("paste", []any{"][", "x"}, "timeout", 2), "is not a valid selector")
}
