//go:build evidence

package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestTypeIntoWhatNobodySees(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTypeAfterContents is quick")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": typingPage})
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("type", list(".ime", "let x = 1"), "null"),
		does("txt", list("#lines"), `"let x = 1"`),
		does("type", list("", "; é灯"), "null"),
		does("txt", list("#lines"), `"let x = 1; é灯"`),
		does("type", list(".xterm-helper-textarea", "ls -l\nA+"), "null"),
		does("txt", list("#screen"), `"ls -l\n$ A+"`),
		does("type", list(".xterm", "!"), "null"),
		does("txt", list("#screen"), `"ls -l\n$ A+!"`),
		does("type", pipetest.Object{"sel": "#otp input", "text": "123", "delay": 1}, "null"),
		does("eval", list("[...otp.children].map(e => e.value).join()"), `"1,2,3"`),
		does("type", list("#field", "in the shadow"), "null"),
		does("eval", list("field.value"), `"in the shadow"`),
		does("type", list("#plain", "x"), `!"#plain" can't take the keyboard focus on p1`),
		does("type", pipetest.Object{"sel": "#late", "text": "x", "timeout": 2}, `!"#late" is not visible after 2 s`),
		does("type", pipetest.Object{"sel": "#off", "text": "x", "timeout": 2}, `!"#off" is disabled after 2 s`),
		does("eval", list("setTimeout(() => { late.style.display = '' }, 100); 1"), "1"),
		does("type", list("#late", "now"), "null"),
		does("value", list("#late"), `"now"`),
		does("type", list("#late", "!"), "null"),
		does("value", list("#late"), `"now!"`),
	)
}

// typingPage has the hidden fields into which editors and terminals type.
const typingPage = `
<div class=monaco-editor><textarea class=ime style="width:0;height:19px;padding:0;border:0;resize:none;opacity:0"></textarea><pre id=lines></pre></div>
<div class=xterm tabindex=0><textarea class=xterm-helper-textarea style="position:absolute;opacity:0;left:-9999em;top:0;width:0;height:0;z-index:-5"></textarea><pre id=screen></pre></div>
<input id=late style="display:none"><div id=plain>plain</div><input id=off disabled>
<p id=otp><input maxlength=1 size=1><input maxlength=1 size=1><input maxlength=1 size=1></p>
<x-field id=field></x-field>
<script>
const ime = document.querySelector('.ime'), helper = document.querySelector('.xterm-helper-textarea');
ime.addEventListener('beforeinput', (e) => { e.preventDefault(); if (e.data) lines.textContent += e.data });
document.querySelector('.xterm').addEventListener('focus', () => helper.focus());
helper.addEventListener('keydown', (e) => { screen_.textContent += e.key === 'Enter' ? '\n$ ' : e.key; e.preventDefault() });
const screen_ = document.getElementById('screen');
otp.addEventListener('input', (e) => e.target.nextElementSibling?.focus());
customElements.define('x-field', class extends HTMLElement {
	constructor() { super().attachShadow({mode: 'open'}).innerHTML = '<input>' }
	focus() { this.shadowRoot.firstChild.focus() }
	get value() { return this.shadowRoot.firstChild.value }
});
</script>`
