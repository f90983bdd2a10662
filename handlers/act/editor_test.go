package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// editors are pages with an element #e that is edited in place and holds "Old text" and "second". Those with a
// model learn of a selection some milliseconds after it was made, and draw the model anew, as CKEditor 5 does.
var editors = map[string]string{
	"model": `<input id=other><div id=e contenteditable></div><script>
let lines = ['Old text', 'second'], from = 0, to = 0, timer; // positions in lines.join('\n')
const draw = () => {
	e.replaceChildren(...lines.map((l) => { const p = document.createElement('p'); p.append(l || document.createElement('br')); return p }));
	if (document.activeElement === e) getSelection().setBaseAndExtent(...place(from), ...place(to));
};
const place = (n) => { for (const p of e.children) { const size = p.textContent.length; if (n <= size) return [p.firstChild.nodeName === 'BR' ? p : p.firstChild, n]; n -= size + 1 } };
const position = (node, offset) => {
	const range = document.createRange();
	range.setStart(e, 0);
	range.setEnd(node, offset);
	return Math.max(0, range.toString().length + range.cloneContents().querySelectorAll('p').length - (node === e && offset === e.children.length && offset ? 1 : node === e && !offset ? 0 : 1));
};
document.addEventListener('selectionchange', () => {
	const s = getSelection();
	if (!e.contains(s.anchorNode)) return;
	clearTimeout(timer);
	timer = setTimeout(() => { const at = [position(s.anchorNode, s.anchorOffset), position(s.focusNode, s.focusOffset)]; [from, to] = at.sort((a, b) => a - b) }, 30);
});
e.addEventListener('focus', () => setTimeout(draw, 20));
e.addEventListener('beforeinput', (ev) => {
	ev.preventDefault();
	const text = lines.join('\n'), data = ev.inputType.startsWith('delete') ? '' : ev.data ?? '\n';
	if (!data && from === to) return;
	lines = (text.slice(0, from) + data + text.slice(to)).split('\n');
	from = to = from + data.length;
	draw();
});
draw();
</script>`,
	"paragraphs": `<div id=e contenteditable><p>Old text</p><p>second</p></div>`,
	"breaks":     `<div id=e contenteditable>Old text<br>second</div>`,
	"plain text": `<div id=e contenteditable=plaintext-only style="white-space:pre-wrap">Old text
second</div>`,
	"shadow": `<x-e></x-e><script>customElements.define('x-e', class extends HTMLElement { constructor() { super().attachShadow({mode: 'open'}).innerHTML = '<div id=e contenteditable><div>Old text</div><div>second</div></div>' } })</script>`,
	"prompting": `<style>#e:not(:has(p)) span{color:grey}</style><div id=e contenteditable><p>Old text</p><p>second</p></div><script>
e.addEventListener('input', () => { if (!e.textContent) e.innerHTML = '<span contenteditable=false>Write something</span><br>'; else if (e.textContent !== 'Write something') e.querySelector('[contenteditable=false]')?.remove() });</script>`,
}

func TestEditors(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTypeAfterContents is quick")
	t.Parallel()
	pages := map[string]string{}
	for name, page := range editors {
		pages["/"+name] = page
	}
	site, p := pipetest.ServePages(t, pages), pipetest.Shared(t)
	for name := range editors {
		p.Call("nav", list(site+"/"+name))
		pipetest.Steps(p,
			does("value", list("#e"), `"Old text\nsecond"`),
			does("type", list("#e", ", third"), "null"),
			does("value", list("#e"), `"Old text\nsecond, third"`),
			does("type", list("#e", "!"), "null"),
			does("value", list("#e"), `"Old text\nsecond, third!"`),
			does("fill", list("#e", "one\n\ntwo"), "null"),
			does("value", list("#e"), `"one\n\ntwo"`),
		)
		if t.Failed() {
			t.Fatalf("the editor is %q: %s", name, p.Call("eval", list("document.body.innerHTML")))
		}
		p.Call("clear", list("#e"))
		if left := p.Text("value", list("#e")); left != "" && left != "Write something" {
			t.Errorf("%s: %q is left", name, left)
		}
		p.Call("reload", nil)
		p.Call("clear", list("#e")) // without the focus
		if left := p.Text("value", list("#e")); left != "" && left != "Write something" {
			t.Errorf("%s: after a reload, %q is left", name, left)
		}
	}
}

// TestTypeAfterContents: type goes on after the contents, wherever the caret is.
func TestTypeAfterContents(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<input id=i value=abc><textarea id=t>one
two</textarea><div id=d contenteditable>x<b>y</b></div>`})
	p := pipetest.SharedOn(t, site+"/")
	for sel, want := range map[string]string{"#i": "abc12", "#t": "one\ntwo12", "#d": "xy12"} {
		p.Call("type", list(sel, "1"))
		p.Call("press", list("Home"))
		p.Call("type", list(sel, "2"))
		if got := p.Text("value", list(sel)); got != want {
			t.Errorf("%s: %q, not %q", sel, got, want)
		}
	}
}
