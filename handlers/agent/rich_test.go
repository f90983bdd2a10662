package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// What is set off in a rich text is so in the outline, by the marks of Markdown.
func TestFormatsOfRichText(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<style>.loud { font-weight: 700 }</style><div contenteditable id=text><h2>Plan</h2><p>Some <b>bold</b>, <i>slanted</i>, <u>under</u> and <s>gone</s>, <code>x = 1</code>,
<span class=loud>loud</span>, <b><i>both</i></b><b></b>, see <a href="/x">the notes</a></p><ul><li>milk<li>two <strong>eggs</strong></ul><ol start=3><li>mix<li>bake</ol><blockquote>they said</blockquote></div>
<div role=textbox aria-label=Message contenteditable><p>Dear <b>Ada</b></p></div><p>not <b>an</b> editor</p>
<div contenteditable style="font-family:Menlo,monospace">if <b>(x)</b></div>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `h2 "Plan"`, "Some **bold**, *slanted*, <u>under</u> and ~~gone~~, `x = 1`, **loud**, ***both***, see", `link "the notes"`,
		"• milk", "• two **eggs**", "3. mix", "4. bake", "> they said", `textbox "Message" [ref=`, "]: Dear **Ada**", "not an editor", "if (x)")
	// A format that comes is news, and so is one that goes.
	p.Call("eval", []string{"text.querySelector('li').style.fontStyle = 'italic', text.querySelector('b').replaceWith('bold'), 1"})
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"diff": true}), `"• *milk*"`, `+  "Some bold, *slanted*`)
	p.Call("eval", []string{"document.querySelector('style').sheet.cssRules[0].style.fontWeight = 400, 1"})
	pipetest.Has(t, p.Text("snapshot", nil), ", loud, ***both***")
	if got := p.Text("value", []string{ref(t, outline, `"Message"`)}); got != "Dear Ada" {
		t.Errorf("the value has marks: %q", got)
	}
	p.Call("fill", []string{ref(t, outline, `"Message"`), "plain words"})
	pipetest.Has(t, p.Text("snapshot", nil), "]: plain words")
}
