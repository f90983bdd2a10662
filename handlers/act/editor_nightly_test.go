//go:build evidence

package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNothingCleared: where the text stays, clear and fill say so.
func TestNothingCleared(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<input id=amount value=1 oninput="value ||= 1"><textarea id=t oninput="value ||= 'kept'">kept</textarea>
<div id=e contenteditable><p>Fixed</p></div><div id=own contenteditable>mine</div>
<script>e.addEventListener('beforeinput', (ev) => ev.preventDefault()); own.addEventListener('input', () => { own.textContent = own.textContent.toUpperCase() })</script>`})
	p := pipetest.SharedOn(t, site+"/")
	pipetest.Steps(p,
		does("clear", list("#amount"), `!"#amount" still has its text after 1 try on p1`),
		does("clear", list("#t"), `!"#t" still has its text after 1 try on p1`),
		does("clear", list("#e"), `!"#e" still has its text after 3 tries on p1`),
		does("fill", list("#e", "new"), `!"#e" holds another text after 3 tries on p1`),
		does("value", list("#e"), `"Fixed"`),
		does("fill", list("#own", "yours"), "null"),
		does("value", list("#own"), `"YOURS"`),
		does("clear", list("#own"), "null"),
		does("clear", list("#own"), "null"),
	)
}

func TestEditors(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTypeAfterContents is quick")
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
