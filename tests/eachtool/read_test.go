package eachtool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestReading(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript reads is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("text", list("h1"), `"Form"`),
		does("text", nil, "~Every kind of field"),
		does("value", list("#volume"), `"50"`),
		does("value", list("h1"), "!"),
		does("count", list("#sortable li"), "3"),
		does("count", list("#none"), "0"),
		does("all", list("#sortable li"), `["Anna","Bente","Clara"]`),
		does("all", list("#none"), "[]"),
		does("links", list("header"), `~{"text":"Shop","url":"http://`),
		does("box", list("#hidden"), "null"),
		does("box", list("h1"), `~"width":`),
		does("checked", list("[value=free]"), "true"),
		does("checked", list("h1"), "!"),
		does("enabled", list("#disabled-button"), "false"),
		does("editable", list("#readonly"), "false"),
		does("editable", list("#name"), "true"),
		does("wait", pipetest.Object{"sel": "h1, #hidden >> nth=1", "timeout": 0.5},
			"!; of 2 matches this is nth=1, and nth=0 is visible"),
		does("wait", pipetest.Object{"sel": "h1, #hidden >> nth=-1", "timeout": 0.5},
			"!; of 2 matches this is nth=1, and nth=0 is visible"),
		does("wait", pipetest.Object{"sel": "h1, #hidden >> nth=2", "timeout": 0.5}, "!nothing matches"),
		does("table", nil, "!nothing matches"),
		does("table", list("h1"), "!is not a table"),
		does("nav", list("/table"), "null"),
	)
	rows := pipetest.Decode[[][]string](t, p.Call("table", nil))
	if len(rows) < 5 || rows[0][0] != "Order" || rows[1][1] != "Ada Albers" || len(rows[1]) != len(rows[0]) {
		t.Errorf("%q", rows)
	}
}

func TestMarkdown(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript reads is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", list("/article"))
	md := p.Text("markdown", nil)
	for _, want := range []string{"# Five lights", "sixty-one kilometres", "](http://127.0.0.1:"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in %.300s", want, md)
		}
	}
	for _, no := range []string{"Sign in", "<div", "Letters from the rock"} {
		if strings.Contains(md, no) {
			t.Errorf("%q in the main content", no)
		}
	}
	if part := p.Text("markdown", list("aside .facts")); !strings.Contains(part, "1713") || strings.Contains(part, "sixty-one") {
		t.Errorf("a part: %q", part)
	}
	if whole := p.Text("markdown", pipetest.Object{"whole": true}); !strings.Contains(whole, "Sign in") {
		t.Errorf("the whole: %.200q", whole)
	}
}

// TestBudget reads a text in pieces and joins them.
func TestBudget(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", list("/article"))
	whole := p.Text("text", nil)
	type piece struct {
		Text, Cursor string
		Left         int
		JSON         bool
	}
	join := func(first string, max int) string {
		got, part := "", pipetest.Decode[piece](t, first)
		for {
			if n := len([]rune(part.Text)); n > max || n == 0 {
				t.Fatalf("a piece of %d characters", n)
			}
			got += part.Text
			if part.Cursor == "" {
				return got
			}
			part = pipetest.Decode[piece](t, p.Call("more", list(part.Cursor)))
		}
	}
	if got := join(p.Call("text", nil, "max", 700), 700); got != whole {
		t.Errorf("the pieces make %d characters, the text has %d", len(got), len(whole))
	}
	if got := join(p.Call("text", pipetest.Object{"max": 333}), 333); got != whole {
		t.Error("max among the params")
	}
	if got := p.Text("text", list("h1"), "max", 700); !strings.HasPrefix(got, "Five lights") {
		t.Errorf("what fits is not cut: %s", got)
	}
	links := p.Call("links", nil)
	if got := join(p.Call("links", nil, "max", 500), 500); got != links || !json.Valid([]byte(got)) {
		t.Error("JSON in pieces")
	}
	// Result and text are the same for a tool with a result schema.
	for _, params := range []pipetest.Object{{"selector": "article", "maxChars": 400}, {"selector": "article", "max": 400}} {
		cut := p.Call("page.text", params)
		if got, text := join(cut, 400), pipetest.Decode[piece](t, p.Call("page.text", pipetest.Object{"selector": "article"})).Text; got != text || pipetest.Decode[piece](t, cut).Left != len([]rune(text))-len([]rune(pipetest.Decode[piece](t, cut).Text)) {
			t.Errorf("page.text %v in pieces: %d characters of %d", params, len(got), len(text))
		}
	}
	html := pipetest.Decode[struct{ HTML, Cursor string }](t, p.Call("page.content", nil, "max", 300))
	if len(html.HTML) > 300 || html.Cursor == "" {
		t.Errorf("page.content: %+v", html)
	}
	pipetest.Steps(p,
		does("more", list(html.Cursor, 10), `~"cursor":"`),
		does("more", list("nonsense"), "!no reply continues"),
		does("more", list("nonsense-5"), "!no reply continues"),
		does("text", pipetest.Object{"max": 0}, "!max: expected a whole number"),
	)
}
