//go:build evidence

package act_test

import (
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLockedForGood: an act on a page that never leaves the pointer free for long fails, and says why.
func TestLockedForGood(t *testing.T) {
	pipetest.Nightly(t, "it waits for ten seconds, and the transcript pointer is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<button id=go onclick="document.title = 'went'">Go</button><button id=other>Other</button>
<script>let asking; setInterval(() => document.pointerLockElement || asking || (asking = document.body.requestPointerLock().catch(() => {}).then(() => asking = null)), 1)</script>`})
	p := pipetest.SharedOn(t, site)
	pipetest.Eventually(t, "it is named", func() bool { // now and then the click, or the look, comes in between
		r := p.Try("click", pipetest.List("#go"), "timeout", 10)
		return strings.Contains(r.Error, "the page has locked the pointer (requestPointerLock)")
	})
}

// TestLockedMouse: acts with the mouse on pages that lock the pointer while the act goes on, or again as soon as
// it is free. Chromium without windows moved its own cursor without an end then, and took minutes for an act.
func TestLockedMouse(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript pointer is quick")
	t.Parallel()
	const lock = "document.body.requestPointerLock().catch(() => {})"
	const content = `<title>-</title><button id=go onclick="document.title += 'g'">Go</button><button id=x ondblclick="document.title += 'x'">X</button>
<input type=checkbox id=k onchange="document.title += 'k'"><p id=d onmousedown="document.title += 'd'">Drag me</p>`
	pages := map[string]string{
		"/click": content + `<script>document.onclick = () => ` + lock + `</script>`,
		"/again": content + `<script>document.onpointerlockchange = () => document.pointerLockElement || ` + lock + `; document.onclick = () => ` + lock + `</script>`,
		"/frame": content + `<iframe srcdoc="<button id=f>F</button><script>onmousedown = () => ` + lock + `</script>"></iframe>`,
		"/open":  `<button id=o onclick="window.open('/mousedown')">Open</button>`,
	}
	for _, event := range []string{"mousedown", "pointerdown", "mouseup", "mousemove", "keydown", "load"} {
		pages["/"+event] = content + `<script>on` + event + ` = () => ` + lock + `</script>`
	}
	site := pipetest.ServePages(t, pages)
	p := pipetest.Shared(t)
	type act struct {
		tool   string
		params any
	}
	acts := []act{
		{"click", pipetest.List("#go")}, {"mouse-click", pipetest.List(3, 3)}, {"dclick", pipetest.List("#x")}, {"hover", pipetest.List("#go")},
		{"check", pipetest.List("#k")}, {"drag", pipetest.List("#d", "#go")}, {"wheel", pipetest.List(0, 9)}, {"click", pipetest.List("#go")},
	}
	open := func(path string) {
		p.Call("nav", pipetest.List(site+path), "timeout", 60)
		switch path {
		case "/again":
			p.Call("click", pipetest.List("#go"), "timeout", 60)
			p.Call("eval", pipetest.List("document.title = '-'"))
		case "/frame":
			p.Call("click", pipetest.List("iframe >> internal:control=enter-frame >> #f"), "timeout", 60)
		case "/keydown":
			p.Call("press", pipetest.Object{"sel": "body", "key": "a"}, "timeout", 60)
		case "/open":
			p.Call("click", pipetest.List("#o"), "timeout", 60)
			pipetest.Eventually(t, "the pop-up is there", func() bool { return p.Try("use-page", pipetest.List("p2")).Error == "" })
			p.Call("wait", pipetest.List("#go"), "timeout", 60)
		}
	}
	paths := []string{"/open"} // first, so that the pop-up is p2
	for path := range pages {
		if path != "/open" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths[1:])
	for _, path := range paths {
		open(path)
		for _, a := range acts {
			// Chromium takes minutes at worst, and a busy machine seconds.
			if r := p.Try(a.tool, a.params, "timeout", 60); r.Error != "" {
				t.Errorf("%s: %s: %s", path, a.tool, r.Error)
			}
		}
		if got := p.Text("title", nil); path != "/again" && !strings.HasSuffix(got, "gxkdg") {
			t.Errorf("%s: the page saw %q", path, got)
		}
	}
}
