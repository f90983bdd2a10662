//go:build evidence

package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestWaitForStates: wait takes states, and a number is not a selector.
func TestWaitForStates(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and the transcript reads is quick")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": `<p id=here>here</p><p id=hidden style="display:none">hidden</p>`})
	short := func(sel, state string) pipetest.Object {
		return pipetest.Object{"sel": sel, "state": state, "timeout": 0.5}
	}
	later := func(code string) pipetest.Step {
		return does("eval", list("setTimeout(() => { "+code+" }, 100); 1"), "1")
	}
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("wait", list("#hidden", "attached"), "null"),
		does("wait", list("#hidden", "hidden"), "null"),
		does("wait", list("#none", "detached"), "null"),
		does("wait", short("#hidden", "visible"), `!"#hidden" is not visible after 0.5 s`),
		does("eval", list("document.body.insertAdjacentHTML('beforeend', '<b class=two hidden>A</b><b class=two>B</b>')"), "null"),
		does("wait", short(".two", "visible"), `!".two" is not visible after 0.5 s on p1 (`),
		does("wait", short(".two", "visible"), "!; of 2 matches this is nth=0, and nth=1 is visible"),
		does("wait", short(".two >> nth=0", "visible"), "!; of 2 matches this is nth=0, and nth=1 is visible"),
		does("wait", short(".two >> nth=-2", "visible"), "!; of 2 matches this is nth=0, and nth=1 is visible"),
		does("wait", short("#here", "hidden"), `!"#here" is still visible after 0.5 s on p1`),
		does("wait", short("#hidden", "detached"), `!"#hidden" is still there after 0.5 s on p1`),
		does("wait", short("#none", "attached"), `!nothing matches "#none" after 0.5 s`),
		does("wait", list("#here", "gone"), "!state: expected one of visible, hidden, attached, detached"),
		later("here.style.display = 'none'"),
		does("wait", list("#here", "hidden"), "null"),
		later("here.remove()"),
		does("wait", list("#here", "detached"), "null"),
		does("wait", list("500"), `!"500" is a time, not a selector; page.waitFor ["idleFor", 500] pauses`),
		does("wait", list(500), `!sel: expected a string, got a number; page.waitFor idleFor with milliseconds is what pauses`),
		does("page.waitFor", list("idleFor", 5), `{"state":"idleFor"}`),
	)
}
