//go:build evidence

package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestSecondNames: execute and search have names of seed 003 too. These take milliseconds, and lists leave them out.
func TestSecondNames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRefsAreSelectorsAndGoStaleAtOnce is quick")
	t.Parallel()
	p := pipetest.SharedOn(t, "/login")
	does, list := pipetest.Does, pipetest.List
	pipetest.Steps(p,
		does("browser_execute", pipetest.Object{"code": "await page.title()", "timeout": 30000}, "~Sign in"),
		does("browser_execute", pipetest.Object{"code": "await new Promise(() => {})", "timeout": 700}, "!did not end within 0.7 s"),
		does("browser_search_snapshot", pipetest.Object{"pattern": "SIGN IN", "ignoreCase": true, "lineLimit": 5}, "~Sign in"),
		does("browser_search_snapshot", list("sIGN"), `"no match; 3 with ignoreCase"`),
		does("browser_search_snapshot", pipetest.Object{"pattern": "x", "context": 2}, "!context"),
	)
	run, _, _ := pipetest.Run(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+
		"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n", "--profile", "agent")
	pipetest.Has(t, run, `"execute"`, `"search"`)
	pipetest.Lacks(t, run, "browser_execute", "browser_search_snapshot")
}

// TestPlayersAreBlue: the buttons of a video make it no button.
func TestPlayersAreBlue(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<video controls width=300 height=150></video><audio controls></audio>
<video controls muted loop poster=x.png width=200 height=100></video><video controls src=/none.mp4 width=200 height=100 onclick=1 style="cursor:pointer"></video>
<figure><video controls width=200 height=100><track kind=captions></video></figure><div onclick=1 style="cursor:pointer">Go</div>`})
	p := pipetest.SharedOn(t, site+"/")
	p.Call("snapshot", nil)
	for _, all := range []string{"true", "false"} {
		got := pipetest.Decode[struct {
			Labels []struct{ Role, Colour string }
		}](t, pipetest.Execute(p, "await showAriaRefLabels({page, interactiveOnly: "+all+"})"))
		colours := map[string]string{}
		players := 0
		for _, l := range got.Labels {
			if colours[l.Role] = l.Colour; l.Colour == "#B3E5FC" {
				players++
			}
		}
		if players != 5 {
			t.Errorf("interactiveOnly %s: %d of 5 players are blue: %v", all, players, got.Labels)
		}
		if colours["video"] != "#B3E5FC" || colours["audio"] != "#B3E5FC" || colours["clickable"] != "#FFE0B2" {
			t.Errorf("interactiveOnly %s: %v", all, colours)
		}
	}
}
