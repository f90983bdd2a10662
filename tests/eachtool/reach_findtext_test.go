package eachtool_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

type found struct {
	Matches []struct {
		Text, TagName string
		Context       *string
		BoundingBox   struct{ X, Y, Width, Height int }
		Center        struct{ X, Y int }
	}
	Count int
}

func find(t *testing.T, p *pipetest.Pipe, method string, params any) found {
	t.Helper()
	var f found
	if err := json.Unmarshal([]byte(p.Call(method, params)), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// only is the single match, which must exist.
func only(t *testing.T, p *pipetest.Pipe, text string) (x, y int) {
	t.Helper()
	f := find(t, p, "find", []any{text, true})
	if f.Count != 1 || len(f.Matches) != 1 {
		t.Fatalf("%q: %d matches: %+v", text, f.Count, f)
	}
	m := f.Matches[0]
	if b := m.BoundingBox; b.Width <= 0 || b.Height <= 0 || m.Center.X < b.X || m.Center.X > b.X+b.Width || m.Center.Y < b.Y || m.Center.Y > b.Y+b.Height {
		t.Errorf("%q: box %+v, centre %+v", text, b, m.Center)
	}
	return m.Center.X, m.Center.Y
}

func TestFindMatchesAsTheSeedSays(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"about:blank"})
	p.Call("eval", []any{"document.body.innerHTML = " + strconv.Quote(`
		<p id=a>Save&nbsp;&nbsp;the&#x2003;file</p><div><b>save the file now</b> and more words around it</div>
		<p style="display:none">save the file hidden</p><p style="visibility:hidden">save the file hidden</p>
		<p style="width:0;height:0;overflow:hidden">save the file nowhere</p><script>"save the file script"</script>
		<span style="display:contents">save the file contents</span>`)})
	f := find(t, p, "browser_find_text", map[string]any{"text": "SAVE the  FILE"})
	if f.Count != 2 || f.Matches[0].TagName != "p" || f.Matches[1].TagName != "b" {
		t.Fatalf("%+v", f)
	}
	if c := f.Matches[1].Context; c == nil || *c != "save the file now and more words around it" {
		t.Errorf("context %v", c)
	}
	if got := p.Call("find", []any{"nothing of the kind"}); got != `{"matches":[],"count":0}` {
		t.Error(got)
	}
	pipetest.Has(t, p.Fail("find", []any{""}), "find: text: expected some text")
	pipetest.Has(t, p.Fail("browser_find_text", nil), `missing parameter "text"`)
}

// Shadow roots, frames, nested frames, and content below the fold: each centre
// can be clicked.
func TestFindThenClick(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestFindMatchesAsTheSeedSays is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	clickText := func(text string) {
		t.Helper()
		x, y := only(t, p, text)
		p.Call("click-at", []any{x, y})
	}
	p.Call("nav", []any{"/shadow"})
	clickText("Outer button")
	pipetest.Has(t, p.Text("txt", []any{"#result"}), "outer button")
	clickText("Greet")
	pipetest.Has(t, p.Text("txt", []any{"#result"}), "Hello, stranger")

	p.Call("nav", []any{"/frames"})
	clickText("Send from details")
	p.Call("wait-text", []any{"#result", "details: details"})
	clickText("Press in srcdoc")
	p.Call("wait-text", []any{"#result", "srcdoc: pressed"})
	x, y := only(t, p, "Send from outer")
	clickText("Send from outer")
	p.Call("wait-text", []any{"#result", "outer: outer"})
	if x2, y2 := only(t, p, "Send from outer"); x != x2 || y != y2 {
		t.Errorf("a click moved the page: %d,%d -> %d,%d", x, y, x2, y2)
	}

	const inside = `<iframe style="width:500px;height:300px;border:20px solid;padding:10px" srcdoc='`
	nested := "<iframe style=display:none srcdoc=nested></iframe>" + strings.ReplaceAll(inside, "'", "&#39;") +
		`<button onclick="top.document.title = 2">nested</button>&#39;></iframe>`
	p.Call("nav", []any{pipetest.ServePages(t, map[string]string{"/": inside + nested + `'></iframe>`})})
	clickText("nested")
	p.Call("expect-title", []any{"2"})

	p.Call("nav", []any{"data:text/html,<div style='height:5000px'></div><button onclick='document.title=1'>far down</button>"})
	x, y = only(t, p, "far down")
	if y < 4000 {
		t.Fatalf("at %d", y)
	}
	p.Call("click-at", []any{x, y})
	if got := p.Text("title", nil); got != "1" {
		t.Errorf("title %q", got)
	}
	if got := p.Call("eval", []any{"scrollY"}); got != "0" {
		t.Errorf("scrolled to %s", got)
	}
	pipetest.Has(t, p.Fail("click-at", []any{10, 99999}), "outside of the page")
	pipetest.Has(t, p.Fail("click-at", []any{"a", 1}), "x: expected a number")
}

func TestFindIsBounded(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestFindMatchesAsTheSeedSays is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"about:blank"})
	p.Call("eval", []any{`document.body.innerHTML = "<p>again</p>".repeat(1500)`})
	if f := find(t, p, "find", []any{"again"}); f.Count != 1500 || len(f.Matches) != 1000 {
		t.Error(fmt.Sprint(f.Count, len(f.Matches)))
	}
}
