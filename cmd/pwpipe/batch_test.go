package main

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestBatch(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := pipetest.Shared(t)
	last := func(steps string) pipetest.Object {
		return pipetest.Object{"steps": steps, "on_error": "continue", "reply": "last"}
	}
	login := "nav /login\n# who it is\nfill [name=email] ada@mail.example\nfill '[name=password]' \"secret\"\nclick [type=submit]\nwait .dashboard\ntxt h1"
	pipetest.Steps(p,
		does("batch", pipetest.Object{"steps": login, "reply": "last"}, `"Welcome, ada@mail.example"`),
		does("batch", list(list(list("nav", "/form"), list("title"), list("fill", "#name", "$2"), list("value", "#name"),
			list("eval", "({a: [1, {b: 'deep'}]})"), list("fill", "#name", "${2} and ${5.a.1.b}"), list("value", "#name"),
			pipetest.Object{"method": "txt", "params": pipetest.Object{"sel": "h1"}}, list("txt", pipetest.Object{"sel": "h1"}),
			list("fill", "#password", "$$1$$"), list("value", "#password"))), ""),
		does("value", list("#name"), `"Form | Skerry and deep"`),
		does("value", list("#password"), `"$1$$"`),
		does("batch", pipetest.Object{"steps": "title\ncount #none\ntitle"}, `{"ok":true,"steps":[{"tool":"title","result":"Form | Skerry"},{"tool":"count","result":0},{"tool":"title","result":"Form | Skerry"}]}`),
		does("batch", pipetest.Object{"steps": list(list("title"), list("upload", "#attachment", "/none"), list("title")), "on_error": "continue"}, `~"ok":false,"failed":[2]`),
		does("batch", last("title\nupload #attachment /none"), "!step 2 of 2 failed (those before it are done): "),
		does("batch", last("upload #attachment /none\ntitle"), `"Form | Skerry"`),
		does("batch", pipetest.Object{"steps": list(list("title"), list("upload", "#attachment", "/none"), list("fill", "#name", "not reached"))}, "!step 2 of 3 failed (those before it are done): upload: path: /none: "),
		does("value", list("#name"), `"Form | Skerry and deep"`),
		does("batch", list("click text=Do nothing"), "!put a text of several words in quotes"),
		does("batch", list("click 'text=Do nothing'"), ""),
		does("batch", list(strings.Repeat("title\n", 1001)), "!steps: 1001 are more than 1000"),
		does("batch", list("sel #country 2\nvalue #country"), `~"result":"fr"`),
	)
	pipetest.Steps(p,
		does("batch", pipetest.Object{"steps": list(pipetest.Object{"tool": "nav", "params": list("/form")}, pipetest.Object{"method": "title"}), "reply": "last"}, `"Form | Skerry"`),
		does("batch", pipetest.Object{"steps": `{"tool":"title"}`, "reply": "last"}, `"Form | Skerry"`),
	)
	// Steps run on the batch's page unless they name another.
	p.Call("new-page", list("c1"))
	p.Call("nav", list("/shop"), "page", "p2")
	got := p.Call("batch", pipetest.Object{"steps": list(list("title"), pipetest.Object{"method": "title", "page": "p1"})}, "page", "p2")
	if !strings.Contains(got, "Shop") || !strings.Contains(got, "Form") {
		t.Error(got)
	}
}
