package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// The parts of a drawing stand below its line, so that it is plain where it ends. One that has no parts to tell
// apart has no line of its own.
func TestDrawingsEnd(t *testing.T) {
	pipetest.InCI(t, "it is about drawn pages, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	const box = `<svg width=120 height=90>`
	outlinesOf(t, p, []pageCase{
		{name: "a button below", html: `<h2>Pond</h2>` + box + `<circle r=9 cx=20 cy=20 fill=#ffff00 /><ellipse cx=60 cy=30 rx=20 ry=9 fill=#00ff00 /></svg><button>Throw a stone</button><p>It is cold.</p>`,
			has: []string{"- h2 \"Pond\"\n- drawing:\n - shape [ref=", "ellipse #00ff00", "\n- button \"Throw a stone\"", "\n- \"It is cold.\""}, lacks: []string{"\n - button"}},
		{name: "two of them", html: `<main>` + box + `<rect width=20 height=20 fill=#aa0000 /><rect x=50 width=20 height=20 fill=#aa0000 /></svg>` + box + `<line x2=90 y2=80 stroke=#0000aa /><rect width=20 height=20 fill=#0000aa /></svg></main>`,
			has: []string{" - drawing:\n  - shape", "\n - drawing:\n  - shape [ref="}},
		{name: "parts that are used, and words", html: box + `<g onclick=1><circle r=20 cx=40 cy=40 fill=#336699 /></g><text x=5 y=80>Weir</text><text x=60 y=80>Mill</text></svg>Below`,
			has: []string{"- drawing:\n - clickable [ref=", "\n - \"Weir Mill\"\n- \"Below\""}},
		{name: "a box of one colour after it", html: box + `<circle r=9 cx=20 cy=20 fill=#ffff00 /><circle r=9 cx=60 cy=20 fill=#ffff00 /></svg><div style="width:20px;height:20px;background:#ff00ff"></div>`,
			has: []string{"\n- shape [ref=", "(box #ff00ff"}},
		{name: "words alone, one shape, an icon", html: box + `<text x=5 y=80>North</text><text x=60 y=80>South</text></svg>` + box + `<circle r=9 cx=20 cy=20 fill=#ffff00 /></svg><button>` + box +
			`<circle r=9 cx=20 cy=20 fill=#ff0000 /><circle r=9 cx=50 cy=20 fill=#ff0000 /></svg>Sail</button>`, has: []string{"- \"North South\"", "- shape ["}, lacks: []string{"drawing"}},
		{name: "a named one", html: `<svg role=img aria-label=Tides width=120 height=90><circle r=9 cx=20 cy=20 fill=#ffff00 onclick=1 /><circle r=9 cx=60 cy=20 fill=#ffff00 onclick=1 /></svg><p>After</p>`,
			has: []string{"img \"Tides\":\n - clickable", "\n- \"After\""}, lacks: []string{"drawing"}},
	})
}

// A shape that is only a line around nothing says so, and an act on it, in scripts too, presses the line. What covers a
// shape is not pressed.
func TestShapesOfOneLine(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	const line = ` fill=none stroke=#ff0000 `
	outline := showNoting(p, `<svg width=300 height=150><circle class=hit cx=60 cy=60 r=40`+line+`/><rect class=hit x=150 y=30 width=80 height=80 stroke-width=9 transform="rotate(20 190 60)"`+line+`/>
<g class=hit style="cursor:pointer"><path d="M250 120 A 20 20 0 1 1 290 120"`+line+`/></g><line x2=9 y2=9 stroke=#0000ff /></svg>`)
	pipetest.Has(t, outline, "(circle outline #ff0000, ", "(rect outline #ff0000, ", "(path outline #ff0000, ", "(line #0000ff, ")
	clickEach(t, p, outline, "circle outline", "rect outline", "clickable")
	p.Call("eval", []string{"window.hit = '', 1"})
	p.Call("execute", pipetest.Object{"code": "await page.click('circle')"})
	if hit := p.Text("eval", []string{"window.hit"}); hit != "yes" {
		t.Errorf("a script's click: %q", hit)
	}
	p.Call("eval", []string{"document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0\">Fog</div>'), 1"})
	pipetest.Has(t, p.Fail("click", []string{"circle"}, "timeout", 2), "is covered", "Fog")
}
