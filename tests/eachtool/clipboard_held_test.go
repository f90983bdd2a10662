package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHeldControlPastes: v pastes while Control is held, and not once it is let go.
func TestHeldControlPastes(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClipboard is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": "<input id=from value=secret><input id=to>"})
	p := pipetest.SharedOn(t, site)
	const value = "document.querySelector('#to').value"
	pipetest.Steps(p,
		does("press", pipetest.Object{"sel": "#from", "key": "Control+A"}, "null"),
		does("press", pipetest.Object{"sel": "#from", "key": "Control+C"}, "null"),
		does("clip", nil, `~secret`),
		does("focus", list("#to"), "null"),
		does("key-down", list("Control"), "null"),
		does("press", list("v"), "null"),
		does("eval", list(value), `"secret"`),
		does("key-up", list("Control"), "null"),
		does("press", list("v"), "null"),
		does("eval", list(value), `"secretv"`),
	)
}
