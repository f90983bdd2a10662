package agent_test

import (
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// What only DevTools knows of is in the outline, with refs that act: closed shadow roots, one in the other and with
// slots, and elements that have a listener and nothing else, in frames too.
func TestClosedRootsAndListeners(t *testing.T) {
	t.Parallel()
	p := start(t, "/")
	show(p, `<p id=out>nothing yet</p><div id=host></div><my-card><b>slotted</b></my-card><p><span id=reply>Reply</span> <span id=forward>Forward</span></p>
<ul id=list><li>One<li>Two</ul><div id=box>Words alone</div><iframe id=frame srcdoc="<span id=inner>Within</span>"></iframe>`)
	p.Call("eval", []string{`(() => {
const say = (text) => () => { document.querySelector('#out').textContent = text };
const shut = (host, html) => Object.assign(host.attachShadow({mode: 'closed'}), {innerHTML: html});
shut(document.querySelector('#host'), '<button>Open vault</button><input aria-label=Code>').querySelector('button').onclick = say('vault');
customElements.define('my-card', class extends HTMLElement { constructor() {
  super(); const inner = shut(this, '<slot></slot><div style="height:30px"></div>').querySelector('div');
  shut(inner, '<a href="#deep">Deeper</a>') } });
reply.addEventListener('click', say('reply'));
forward.addEventListener('mousedown', say('forward'));
list.addEventListener('click', (e) => say('item ' + e.target.textContent)());
return new Promise((done) => { const f = () => { const b = frame.contentDocument?.querySelector('#inner'); if (!b) return setTimeout(f, 20);
  b.addEventListener('click', say('within')); done(1) }; f() }) })()`})
	outline := ""
	pipetest.Eventually(t, "the listeners are found, for which an outline has little time", func() bool {
		outline = p.Text("snapshot", nil)
		for _, name := range []string{"Open vault", ": Reply", ": Forward", ": Two", ": Within", `link "Deeper" [ref=`, "Code"} {
			if !strings.Contains(outline, name) {
				return false
			}
		}
		return true
	})
	for line, want := range map[string]string{"Open vault": "vault", ": Reply": "reply", ": Forward": "forward", ": Two": "item Two", ": Within": "within"} {
		p.Call("click", []string{ref(t, outline, line)})
		if got := p.Text("txt", []string{"#out"}); got != want {
			t.Errorf("a click on %s: %q, want %q\n%s", line, got, want, outline)
		}
	}
	pipetest.Has(t, outline, `"slotted"`, `"Words alone"`)
	pipetest.Lacks(t, outline, "Reply Forward")
	code := ref(t, outline, "Code")
	p.Call("fill", []string{code, "1234"})
	pipetest.Has(t, p.Text("snapshot", nil), `textbox "Code" [ref=`+code+"]: 1234")
	pipetest.Has(t, pipetest.Execute(p, `await page.click('aria-ref=`+ref(t, outline, "Open vault")+`'); await page.textContent('#out')`), "vault")
	// The page's own scripts see no more of the roots than before, and what loses its listener its ref.
	pipetest.Has(t, p.Text("eval", []string{"String(document.querySelector('#host').shadowRoot)"}), "null")
	p.Call("eval", []string{"reply.replaceWith(reply.cloneNode(true)), 1"})
	pipetest.Lacks(t, p.Text("snapshot", nil), ": Reply")
}

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

// What stands in a canvas for those who don't see it is there, and a click on it comes.
func TestCanvasFallback(t *testing.T) {
	t.Parallel()
	p := start(t, "/")
	show(p, `<canvas width=200 height=100><table role=grid><tr><td role=gridcell tabindex=-1 onfocus="this.ariaSelected=true">Berlin<td role=gridcell
tabindex=-1>3.4 m</table><button onclick="document.title='rolled'">Roll</button></canvas>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, "Berlin [ref=", "3.4 m [ref=", `button "Roll" [ref=`)
	p.Call("click", []string{ref(t, outline, "Roll")})
	if got := p.Text("title", nil); got != "rolled" {
		t.Errorf("a click in a canvas: %q", got)
	}
	p.Call("click", []string{ref(t, outline, "row: ")})
	pipetest.Has(t, p.Text("snapshot", nil), "[selected]")
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

// A form whose fields have the names of an element's methods hides nothing but itself.
func TestHijackedForm(t *testing.T) {
	t.Parallel()
	p := start(t, "/")
	show(p, `<form id=f>Words<input name=querySelector><input name=nodeName><input name=localName><input name=getBoundingClientRect><input name=hasAttribute>
<input name=closest><input name=parentElement><input name=shadowRoot><button>Within</button></form><div id=host></div>`)
	p.Call("eval", []string{`f.addEventListener('click', () => 1), host.attachShadow({mode: 'closed'}).innerHTML = '<button>Vault</button>'`})
	pipetest.Has(t, p.Text("snapshot", nil), `"Words"`, `button "Within" [ref=`, `button "Vault" [ref=`)
}

// Whatever a form's fields are called, and wherever the form is: the rest of the page is in the outline, and closed
// roots are closed again.
func TestHijackedFormsElsewhere(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHijackedForm is quick")
	t.Parallel()
	p := start(t, "/")
	const vault = `<div id=host style="width:20px;height:20px"></div><button>After</button>`
	for _, markup := range []string{
		`<my-host><form><input name=assignedSlot></form></my-host>`,
		`<canvas><form><input name=checkVisibility></form></canvas>`,
		`<form><input name=nextSibling><input name=nextElementSibling></form>`,
		`<input name=nextSibling form=f><form id=f></form>`,
		`<fieldset name=shadowRoot form=f><form id=f><b>in</b></form></fieldset>`,
		`<div style="cursor:pointer"><span class=a>A</span><form><input name=getAttribute></form></div>`,
		`<form id=f aria-modal=true style="position:fixed;inset:0;z-index:-1"><input name=parentElement><input name=getBoundingClientRect></form>`,
		`<form id=f><input name=getRootNode></form>`,
		`<form><input name=closest><span class=btn>B</span><span style="cursor:pointer">C</span></form>`,
	} {
		show(p, markup+vault+`<span id=said>Use me</span>`)
		p.Call("eval", []string{`(() => {
const shut = (host, html) => { host.attachShadow({mode: 'closed'}).innerHTML = html };
const slotted = document.querySelector('my-host');
if (slotted) customElements.define('my-host', class extends HTMLElement { constructor() { super(); shut(this, '<slot></slot>') } });
shut(host, '<button>Vault</button>');
document.querySelector('form').addEventListener('click', () => 1);
said.addEventListener('click', () => 1) })()`})
		used := regexp.MustCompile(`\[ref=\w+\]: Use me`)
		pipetest.Eventually(t, "the outline has what is beside "+markup, func() bool { // DevTools may be too slow for one snapshot
			outline := p.Text("snapshot", nil)
			return strings.Contains(outline, `button "Vault" [ref=`) && strings.Contains(outline, `button "After" [ref=`) && used.MatchString(outline)
		})
		if strings.Contains(markup, "nextSibling") || strings.Contains(markup, "shadowRoot") {
			continue // Playwright's own selectors get lost in such a form
		}
		if got := string(p.Call("count", []string{"#host button"})); got != "0" {
			t.Errorf("%s: %s elements of a closed root are found after a snapshot", markup, got)
		}
	}
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
