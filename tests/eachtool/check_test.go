package eachtool_test

import (
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestExpectShot(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	file := filepath.Join(t.TempDir(), "heading.png")
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("expect-shot", list(file, "h1"), "!call it once with update: true"),
		does("expect-shot", pipetest.Object{"path": file, "sel": "h1", "update": true}, "null"),
		does("expect-shot", list(file, "h1"), "null"),
		does("expect-shot", list("x.gif"), "!expected a .png file"),
		does("eval", list("document.querySelector('h1').style.color = 'red'"), ""),
		does("expect-shot", pipetest.Object{"path": file, "sel": "h1", "ratio": 0.5}, "null"),
	)
	whole := pipetest.Object{"path": file + ".png", "full": true}
	pipetest.Steps(p,
		does("expect-shot", pipetest.Object{"path": file + ".png", "full": true, "update": true}, "null"),
		does("expect-shot", whole, "null"),
		does("eval", list("document.querySelector('footer').remove()"), ""), // below the viewport
	)
	p.Complains("a picture of 1280x720 instead of 1280x", "expect-shot", list(file+".png"), "timeout", 1)
	p.Complains("instead of 1280x", "expect-shot", whole, "timeout", 1)
	p.Complains("different pixels (", "expect-shot", list(file, "h1"), "timeout", 1)
	p.Complains("heading.diff.png", "expect-shot", list(file, "h1"), "timeout", 1)
	for _, f := range []string{"heading.actual.png", "heading.diff.png"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(file), f)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	p.Call("eval", list("document.querySelector('h1').style.width = '50px'"))
	p.Complains("instead of", "expect-shot", list(file, "h1"), "timeout", 1)
}
