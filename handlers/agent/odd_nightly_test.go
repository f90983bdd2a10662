//go:build evidence

package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestVisibleInHidden(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	outline := showNoting(p, `<div id=out style="visibility:hidden">dark <b>gloomy</b><p style="visibility:visible"><button class=hit>Seen</button></p>
<section><button style="visibility:visible" class=hit>Too</button><button>dark</button></section></div>
<div style="display:none">never <b style="visibility:visible">never</b></div><div aria-hidden=true style="visibility:hidden"><b style="visibility:visible">never</b></div>`)
	pipetest.Lacks(t, outline, "dark", "gloomy", "never")
	clickEach(t, p, outline, `"Seen"`, `"Too"`)
	// Also where only that has changed since the last outline.
	p.Call("eval", []string{"document.querySelector('section button').style.visibility = '', 1"})
	pipetest.Lacks(t, p.Text("snapshot", nil), "Too")
	p.Call("eval", []string{"out.style.visibility = '', 1"})
	pipetest.Has(t, p.Text("snapshot", nil), "dark gloomy", `"Seen"`, `"Too"`)
}

func TestFramesets(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript page-frames is quick")
	t.Parallel()
	p := start(t, "/")
	for path, body := range map[string]string{
		"**/all":  `<frameset cols="50%,50%"><frame src="/list" name=list><frame src="/text"></frameset>`,
		"**/list": `<button onclick="document.title = 'yes'; this.textContent = 'Pressed'">Press</button>`,
		"**/text": `<p>some words</p>`,
	} {
		p.Call("route", []any{path, pipetest.Object{"contentType": "text/html", "body": body}})
	}
	p.Call("nav", []string{"/all"})
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `iframe "list" [ref=`, "some words")
	p.Call("click", []string{ref(t, outline, `"Press"`)})
	pipetest.Has(t, p.Text("snapshot", nil), `button "Pressed"`)
}

func TestURLsAtADepth(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<ul><li><a href="/deep">Deep</a> and more</ul>`)
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"full": true, "depth": 3}), "/url: /deep")
}

// A picture without a name that can be clicked stands beside others of these; the data of its URL is no name.
func TestPicturesThatCanBeClicked(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	data := `src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width=9 height=9`
	outline := showNoting(p, `<div class=hit onclick=1><i style="display:block;width:9px;height:9px"></i></div><img class="hit heart" style="cursor:pointer" `+data+`>
<img `+data+`><img class=hit alt="A cat" style="cursor:pointer" `+data+`>`)
	clickEach(t, p, outline, "icon hit heart", `"A cat"`)
	pipetest.Lacks(t, outline, "base64", "R0lG")
	if n := strings.Count(outline, "img"); n != 2 {
		t.Errorf("%d pictures, of which two can be clicked or have a name:\n%s", n, outline)
	}
}

// The ref of a box to tick that has no size is that of the label which a person clicks.
func TestBoxesWithoutSize(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<style>.own { width:0; height:0; opacity:0; margin:0; position:absolute }</style><label><input class=own type=radio name=r id=apple><i></i>Apple</label>
<label><input class=own type=radio name=r id=pear>Pear</label><input class=own type=checkbox id=terms><label for=terms>Terms</label>
<label><input type=checkbox id=plain>Plain</label>`)
	outline := p.Text("snapshot", nil)
	p.Call("click", []string{ref(t, outline, `radio "Pear"`)})
	p.Call("check", []string{ref(t, outline, `checkbox "Terms"`)})
	p.Call("check", []string{ref(t, outline, `checkbox "Plain"`)})
	now := p.Text("snapshot", nil)
	pipetest.Has(t, now, `radio "Pear" [checked] [ref=`+ref(t, outline, `"Pear"`)+"]", `checkbox "Terms" [checked]`, `checkbox "Plain" [checked]`, `radio "Apple" [ref=`)
	p.Call("uncheck", []string{ref(t, now, `checkbox "Terms"`)})
	pipetest.Lacks(t, p.Text("snapshot", nil), `"Terms" [checked]`)
	if got := p.Call("eval", []string{"[apple, pear, terms, plain].map((e) => +e.checked).join('')"}); got != `"0101"` {
		t.Errorf("ticked: %s", got)
	}
}
