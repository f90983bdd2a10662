package guard_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// lifting is a page with a button and a place to drop it on, and over each a frame of another origin that
// the page raises during an act.
const lifting = `<!doctype html><title>lifts</title><body style="margin:0"><style>
	.w { position: relative; width: 200px; height: 100px } .w * { position: absolute; inset: 0; width: 200px; height: 100px; border: 0 }
	iframe { opacity: 0.01; z-index: -1 }</style>
	<div class="w"><button id="b" draggable="%[2]s">b</button><iframe id="f1" src="%[1]s/frame"></iframe></div>
	<div class="w" style="top:200px"><div id="t" ondragover="event.preventDefault()">t</div><iframe id="f2" src="%[1]s/frame"></iframe></div>
	<script>let got = 0;
	b.addEventListener('click', () => got++);
	b.addEventListener('dragstart', (e) => e.dataTransfer.setData('text/plain', 'private'));
	t.addEventListener('drop', () => got++);
	addEventListener('mouseup', (e) => { if (e.target === t || e.target === b) got++ });
	const up = () => { f1.style.zIndex = f2.style.zIndex = 9 };
	const begins = (type) => type && addEventListener(type, up, true);</script>`

// A page puts a frame of another origin under a tap, a press at a point, the press of a drag or its drop.
// The frame does not get it; that is an error. Without that, each arrives.
func TestPressesStayInTheirDocument(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsNeverLeave is quick")
	t.Parallel()
	site, paid := twoOrigins(t, `<body style="margin:0" ondragover="event.preventDefault()"><script>
				for (const type of ['touchstart', 'touchend', 'pointerdown', 'mousedown', 'mouseup', 'click', 'drop'])
					addEventListener(type, () => fetch('/paid'), true)</script>`,
		func(path, other string) string { return fmt.Sprintf(lifting, other, fmt.Sprint(path == "/drags")) })
	p, dir := pipetest.SharedIn(t)
	touch := p.Text("new-page", []any{p.Text("open-ctx", pipetest.Object{"touch": true})})
	type press struct {
		path, tool, when string
		params           any
	}
	try := func(one press) {
		t.Helper()
		tool, on := strings.CutPrefix(one.tool, "touchscreen ")
		page := "p1"
		if on {
			page = touch
		}
		p.Call("use-page", []any{page})
		p.Call("nav", []any{site + one.path})
		p.Call("mouse-move", []any{600, 500})
		p.Call("eval", []any{fmt.Sprintf("begins(%q)", one.when)})
		before := paid.Load()
		most := 3 // of an act that may wait for what the page took away
		if one.when == "" || tool == "execute" {
			most = 60
		}
		got := p.Try(tool, one.params, "timeout", most)
		p.Call("eval", []any{"fetch('/').then(() => 1)"})
		n, arrived := paid.Load()-before, p.Call("eval", []any{"got"})
		switch {
		case n > 0:
			t.Errorf("%s on %s, %s: the other origin's frame got it; answer: %q", one.tool, one.path, one.when, got.Error)
		case one.when != "" && got.Error == "" && arrived == "0":
			t.Errorf("%s on %s, %s: answered ok, and nothing arrived", one.tool, one.path, one.when)
		case one.when == "" && (got.Error != "" || arrived == "0"):
			t.Errorf("%s on %s does not arrive: %q", one.tool, one.path, got.Error)
		}
	}
	dragTo := pipetest.Object{"code": "await page.locator('#b').dragTo(page.locator('#t'))"}
	dragLong := pipetest.Object{"code": "await page.locator('#b').dragTo(page.locator('#t'), {timeout: 50000})"}
	for _, one := range []press{
		{"/", "tap", "", []any{"#b"}},
		{"/", "tap", "touchstart", []any{"#b"}},
		{"/", "tap", "pointerdown", []any{"#b"}},
		{"/", "touchscreen tap", "", []any{"#b"}},
		{"/", "touchscreen tap", "touchstart", []any{"#b"}},
		{"/", "touchscreen tap", "pointerdown", []any{"#b"}},
		{"/", "mouse-click", "", []any{100, 50}},
		{"/", "mouse-click", "mousemove", []any{100, 50}},
		{"/", "click-at", "mouseover", []any{100, 50}},
		{"/", "drag", "", []any{"#b", "#t"}},
		{"/", "drag", "mousemove", []any{"#b", "#t"}},
		{"/", "drag", "mousedown", []any{"#b", "#t"}},
		{"/drags", "drag", "", []any{"#b", "#t"}},
		{"/drags", "drag", "dragstart", []any{"#b", "#t"}},
		{"/drags", "drag", "dragenter", []any{"#b", "#t"}},
		{"/drags", "drag", "dragover", []any{"#b", "#t"}},
		{"/", "execute", "", dragLong},
		{"/", "execute", "mousemove", dragTo},
		{"/", "execute", "mousedown", dragTo},
		{"/drags", "execute", "", dragLong},
		{"/drags", "execute", "dragenter", dragTo},
		{"/drags", "execute", "dragover", dragTo},
	} {
		try(one)
	}
	// While a trace is recorded, too.
	for _, one := range []press{
		{"/", "tap", "touchstart", []any{"#b"}},
		{"/", "mouse-click", "mousemove", []any{100, 50}},
		{"/", "drag", "mousedown", []any{"#b", "#t"}},
		{"/", "drag", "", []any{"#b", "#t"}},
	} {
		p.Call("use-page", []any{"p1"})
		p.Call("trace-start", nil)
		try(one)
		p.Call("trace-stop", []any{filepath.Join(dir, "trace.zip")})
	}
}
