package agent_test

import (
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// After an act in an editor the outline says what it holds now: its files, its selection, its formats.
func TestEditorsAfterActs(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p, dir := start(t, "/"), t.TempDir()
	show(p, `<input type=file multiple aria-label=Photos><textarea id=ta aria-label=Notes>some brave new words</textarea><div id=ed contenteditable>other brave old words</div>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `button "Photos"`, "some brave new words")
	var files []string
	for _, name := range []string{"boat.png", "house.png"} {
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(files[len(files)-1], []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	next := func() string { return p.Text("snapshot", pipetest.Object{"diff": true}) }
	p.Call("upload", pipetest.Object{"sel": ref(t, outline, "Photos"), "files": files})
	pipetest.Has(t, next(), `button "Photos"`, "boat.png, house.png")
	p.Call("eval", []string{"ta.focus(), ta.setSelectionRange(5, 14), 1"})
	pipetest.Has(t, next(), "selected: brave new)")
	p.Call("eval", []string{"ta.setSelectionRange(5, 5), getSelection().selectAllChildren(ed), 1"})
	pipetest.Has(t, next(), "selected: other brave old words)")
	p.Call("eval", []string{"document.execCommand('bold'), 1"})
	pipetest.Has(t, next(), "**other brave old words**")
	p.Call("eval", []string{"getSelection().collapseToEnd(), 1"})
	pipetest.Lacks(t, p.Text("snapshot", nil), "selected")
}
