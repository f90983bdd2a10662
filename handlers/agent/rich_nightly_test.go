//go:build evidence

package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// A frame whose body is the editor, as older editors have it, says so, with a ref that is written in.
func TestBodiesThatAreEdited(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestEditedInPlace is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<iframe title=Letter srcdoc="<body contenteditable><p>Dear <b>Ada</b></p></body>"></iframe>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `iframe "Letter"`, "editor [ref=f", "Dear **Ada**")
	p.Call("fill", []string{ref(t, outline, "editor"), "Dear Bob"})
	pipetest.Has(t, p.Text("snapshot", nil), "Dear Bob")
}
