//go:build evidence

package act_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// framePlaces are pages with a frame f below zoom and transforms. The frame's document
// is /in, and IN stands for its address; OTHER for that of another site, whose frames have a process of their own.
var framePlaces = map[string]string{
	"plain":         `<iframe id=f src=IN></iframe>`,
	"border":        `<style>#f{border:20px solid;padding:15px 3px;margin-left:40px;zoom:.8}</style><iframe id=f src=IN></iframe>`,
	"border-box":    `<style>#f{border:9px solid;padding:5%;box-sizing:border-box;zoom:1.3;transform:scale(.9)}</style><iframe id=f src=IN></iframe>`,
	"body":          `<style>body{zoom:1.5}</style><iframe id=f src=IN></iframe>`,
	"root":          `<style>html{zoom:.7}</style><iframe id=f src=IN></iframe>`,
	"both":          `<style>body{zoom:1.5}#f{transform:scale(.7);transform-origin:0 0}</style><iframe id=f src=IN></iframe>`,
	"rotated":       `<style>div{zoom:1.2;rotate:12deg;margin:80px}#f{scale:.8 1.1}</style><div><iframe id=f src=IN></iframe></div>`,
	"shadow":        `<div id=h style="zoom:1.4"><template shadowrootmode=open><div style="rotate:8deg;margin:60px"><slot></slot></div></template><iframe id=f src=IN></iframe></div>`,
	"scrolled":      `<style>body{zoom:1.3}</style><p style="height:2000px"><iframe id=f src=IN></iframe><p style="height:2000px">`,
	"nested":        `<style>body{zoom:1.25}</style><iframe id=outer width=400 height=260 srcdoc="<base href=/><style>body{zoom:.9}</style><iframe id=f src=IN></iframe>"></iframe>`,
	"flipped":       `<style>#f{zoom:1.2;transform:scaleX(-1)}</style><iframe id=f src=IN></iframe>`,
	"other":         `<style>#f{border:12px solid;padding:7px}</style><iframe id=f src=OTHER></iframe>`,
	"otherZoom":     `<style>body{zoom:1.5}#f{zoom:.8;border:5px solid}</style><iframe id=f src=OTHER></iframe>`,
	"otherMoved":    `<style>body{zoom:1.2}#f{transform:rotate(20deg);margin:60px}</style><iframe id=f src=OTHER></iframe>`,
	"otherDeep":     `<style>body{zoom:1.2}</style><iframe width=400 height=260 srcdoc="<style>#f{zoom:.9}</style><iframe id=f src=OTHER></iframe>" id=outer></iframe>`,
	"inPerspective": `<style>div{perspective:500px;width:300px;margin:50px}#f{transform:rotateY(30deg)}</style><div><iframe id=f src=IN></iframe></div>`,
}

const placedFrame = `<style>button{width:24px;height:18px;padding:0}p{height:600px}</style><button id=a>a</button> <button id=b>b</button><p></p><button id=y>y</button> <button id=z>z</button>
<script>hit = '-'; addEventListener('mousedown', (e) => { hit = e.target.id || e.target.nodeName })</script>`

// TestPlacesInFrames: a click of an element hits it, and its box is where it is, whatever the frame's zoom and transform.
func TestPlacesInFrames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTranscripts of cmd/pwpipe is quick")
	t.Parallel()
	pages := map[string]string{"/in": placedFrame}
	for name, page := range framePlaces {
		pages["/"+name] = page
	}
	site := pipetest.ServePages(t, pages)
	other := strings.Replace(site, "127.0.0.1", "localhost", 1)
	for name, page := range framePlaces {
		pages["/"+name] = strings.NewReplacer("IN", site+"/in", "OTHER", other+"/in").Replace(page)
	}
	p := pipetest.Shared(t)
	for name := range framePlaces {
		p.Call("nav", list(site+"/"+name))
		if name == "nested" || name == "otherDeep" {
			p.Call("frame", list("#outer"))
		}
		p.Call("frame", list("#f"))
		for _, id := range []string{"a", "b", "y", "z"} {
			hits := func(how string) {
				t.Helper()
				if hit := p.Text("eval", list("const was = hit; hit = '-'; was")); hit != id {
					t.Errorf("%s: %s hit %q, not %q", name, how, hit, id)
				}
			}
			p.Call("click", list("#"+id))
			hits("click")
			box := pipetest.Get[struct{ X, Y, Width, Height float64 }](p, "box", list("#"+id))
			p.Call("mouse-click", list(box.X+box.Width/2, box.Y+box.Height/2))
			hits(fmt.Sprintf("the middle of box %v", box))
			if id == "z" {
				p.Call("hover", list("#a"))
				p.Call("dclick", list("#"+id))
				hits("dclick")
				pipetest.Execute(p, fmt.Sprintf("await page.frames().at(-1).click('#%s')", id))
				hits("a script's click")
			}
		}
	}
}

// TestCoveredFrames: below a transform, too, it is an error if something covers the frame where the element is.
func TestCoveredFrames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTranscripts of cmd/pwpipe is quick")
	t.Parallel()
	pages := map[string]string{"/in": placedFrame}
	for name, style := range map[string]string{
		"turned": "#f{transform:rotate(10deg)}", "far": "div{perspective:500px}#f{transform:rotateY(20deg)}", "zoomed": "div{zoom:1.5}#f{transform:scale(.5)}",
		"moved": "#f{translate:20px 10px;border:7px solid}", "padded": "div{zoom:.8}#f{zoom:1.3;padding:9px}",
	} {
		pages["/"+name] = "<style>" + style + "div{width:300px;margin:50px}#cover{position:absolute;inset:0}</style><div><iframe id=f src=/in></iframe></div><p id=cover>"
	}
	site := pipetest.ServePages(t, pages)
	p := pipetest.Shared(t)
	for _, name := range []string{"turned", "far", "zoomed", "moved", "padded"} {
		pipetest.Steps(p,
			does("nav", list(site+"/"+name), "null"),
			does("frame", list("#f"), ""),
			does("click", pipetest.Object{"sel": "#a", "timeout": 2}, `!"#a" is covered: <p id="cover"></p>`),
		)
	}
}
