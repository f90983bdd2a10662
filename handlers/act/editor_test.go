package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestTypeAfterContents: type goes on after the contents, wherever the caret is.
func TestTypeAfterContents(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<input id=i value=abc><textarea id=t>one
two</textarea><div id=d contenteditable>x<b>y</b></div>`})
	p := pipetest.SharedOn(t, site+"/")
	for sel, want := range map[string]string{"#i": "abc12", "#t": "one\ntwo12", "#d": "xy12"} {
		p.Call("type", list(sel, "1"))
		p.Call("press", list("Home"))
		p.Call("type", list(sel, "2"))
		if got := p.Text("value", list(sel)); got != want {
			t.Errorf("%s: %q, not %q", sel, got, want)
		}
	}
}
