//go:build evidence

package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPointerLockIsNamed: the act that led to it says that the page has locked the pointer.
func TestPointerLockIsNamed(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPickers is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<button onclick="document.body.requestPointerLock()">Lock</button>`})
	call := pipetest.OverMCP(pipetest.StartOn(t, site, "--profile", "agent"))
	got := call("click", pipetest.Object{"sel": "button", "timeout": 60})
	pipetest.Has(t, got, "→ the page has locked the pointer; the next act with the mouse frees it, as Escape does")
}
