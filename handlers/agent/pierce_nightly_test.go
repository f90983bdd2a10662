//go:build evidence

package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Cards of a column whose listener is on the column, as a library for sorting has it, are not one text.
func TestCardsOfAColumn(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClosedRootsAndListeners is quick")
	t.Parallel()
	p := start(t, "/")
	for _, cards := range [][]string{{"Fix the roof", "Paint the door"}, {"Fix the roof", "Paint the door", "Sell the boat"}} {
		show(p, `<div id=column><div class=card>`+strings.Join(cards, `</div><div class=card>`)+`</div></div>`)
		p.Call("eval", []string{"column.addEventListener('pointerdown', (e) => { document.title = e.target.textContent }), 1"})
		outline := p.Text("snapshot", nil)
		for _, card := range cards {
			p.Call("click", []string{ref(t, outline, ": "+card)})
			if got := p.Text("title", nil); got != card {
				t.Errorf("a click on %s hit %q:\n%s", card, got, outline)
			}
		}
	}
	show(p, `<div id=label><i class=icon>*</i><i class=words>Stern light</i></div>`)
	p.Call("eval", []string{"label.addEventListener('click', () => 1), 1"})
	pipetest.Has(t, p.Text("snapshot", nil), ": *Stern light")
}

// Shapes of a drawing say what they are, their colour and where, icons don't.
func TestShapes(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<style>body{margin:0}</style><svg width=200 height=100 style="display:block"><circle r=9 cx=20 cy=20 fill=red /><line x1=50 y1=50 x2=90 y2=50 stroke=blue />
<rect x=100 y=10 width=20 height=30 fill=none stroke=lime /></svg><button><svg width=16 height=16><circle r=5 cx=8 cy=8 /></svg></button>
<div style="width:20px;height:20px;background:#123456"></div><textarea></textarea>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, "(circle #ff0000, 18x18 at 11,11)", "(line #0000ff, 50,50 to 90,50)", "(rect #00ff00, 20x30 at 100,10)", "(box #123456, 20x20 at ",
		"(several lines)")
	pipetest.Lacks(t, outline, "#000000")
	p.Call("eval", []string{"document.onclick = (e) => { document.title = e.target.nodeName }, 1"})
	p.Call("click", []string{ref(t, outline, "circle")})
	if got := p.Text("title", nil); got != "circle" {
		t.Errorf("a click on a circle hit %q", got)
	}
}

// A handle whose middle its ancestors hide says which part shows. Slices of a closed pie, which
// nobody sees, are left out until it opens.
func TestHiddenParts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<style>body{margin:0} .pie{transform:scale(.01)} .pie.open{transform:none; transition:transform 50ms}</style>
<div style="position:relative;width:60px;height:40px;overflow:hidden"><div class=handle style="position:absolute;right:-5px;width:7px;height:40px"></div>
<div class=handle id=whole style="position:absolute;width:7px;height:20px"></div></div>
<svg width=100 height=100 onclick="this.firstElementChild.classList.add('open')"><g class=pie>
<path d="M50 50L90 50L50 90z" id=slice fill=red style="cursor:pointer"/></g><circle r=9 cx=9 cy=9 fill=blue /></svg>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, "(.handle, shows 2x40 at 58,0)", "(#whole .handle)", "circle")
	pipetest.Lacks(t, outline, "slice")
	p.Call("eval", []string{"document.querySelector('.pie').classList.add('open'), 1"})
	pipetest.Eventually(t, "the slice is listed", func() bool {
		return strings.Contains(p.Text("snapshot", nil), "slice")
	})
}

// A listener on a long list costs one look at what is in it, not one for each of its items: that would outlast the call.
func TestListenerOnALongList(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClosedRootsAndListeners is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, "<ul id=list></ul>")
	p.Call("eval", []string{`list.innerHTML = Array.from({length: 3000}, (_, i) => '<li><b>' + i + '</b>').join(''),
list.addEventListener('click', () => 1), 1`})
	pipetest.Eventually(t, "each item has a ref", func() bool { // DevTools may be too slow for one snapshot
		return strings.Contains(p.Text("snapshot", nil), "more like it) [refs:")
	})
}

// Elements of their own that have no closed root don't keep pwpipe from finding those that have, however many they are.
func TestManyHosts(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestClosedRootsAndListeners is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, "")
	p.Call("eval", []string{`(() => {
customElements.define('my-plain', class extends HTMLElement {});
customElements.define('my-vault', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<button>V</button>' } });
document.body.innerHTML = '<my-plain>p</my-plain>'.repeat(150) + '<my-vault></my-vault>'.repeat(12) })()`})
	if outline := p.Text("snapshot", nil); strings.Count(outline, `button "V" [ref=`) != 12 {
		t.Errorf("not all 12 closed roots are there:\n%s", outline)
	}
}
