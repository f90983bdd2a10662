package login_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNoClipboardOfLogins: what a log-in typed leaves its page neither by the clipboard nor with the
// mouse, though the site's own button shows it. Other texts are copied and pasted as usual.
func TestNoClipboardOfLogins(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingLeaves is quick")
	t.Parallel()
	const other = `<input id=to autofocus><p id=said ondragover="event.preventDefault()" ondrop="this.textContent = event.dataTransfer.getData('text')">drop</p>`
	h := serve(t, map[string]any{
		"shop/login": field + `<button>Log in</button></form><button id=show onclick="pw.type = 'text'; pw.select()">Show</button>
			<p id=in hidden>in</p><p id=echo></p>` + other + `<script>f.onsubmit = (e) => { e.preventDefault(); document.querySelector('#in').hidden = false;
				const own = echo.textContent = pw.value; setInterval(() => { if (!pw.value) pw.value = own }, 5) }</script>`, // as frameworks do
		"evil/": form + other,
	})
	p := h.start(shop + "done = \"#in\"\n")
	away := func(how string) {
		t.Helper()
		if got := p.Text("clip", nil); got != "" && got != "<secret:SHOP_PASSWORD>" {
			t.Errorf("%s: the clipboard holds %q", how, got)
		}
		p.Call("nav", []any{h.at("evil") + "/"})
		p.Call("focus", []any{"#to"})
		p.Call("press", []any{"Control+V"})
		if got := p.Text("eval", []any{"document.querySelector('#to').value.replace(/ /g, '_')"}); got != "" && got != "<secret:SHOP_PASSWORD>" {
			t.Errorf("%s: another origin got %q", how, got)
		}
		p.Call("eval", []any{"document.querySelector('#to').value = ''"})
	}
	again := func() { // once the page has written it again
		p.Call("eval", []any{"new Promise((r) => { const t = setInterval(() => pw.value && r(clearInterval(t)), 5) })"})
	}
	for how, keys := range map[string][]string{
		"all":    {"Control+A", "Control+C"},
		"cut":    {"Control+A", "Control+X"},
		"a part": {"Home", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Control+C"},
		"insert": {"Control+A", "Control+Insert"},
	} {
		p.Call("nav", []any{h.at("shop") + "/login"})
		p.Call("login", []any{"shop"})
		again()
		p.Call("click", []any{"#show"})
		p.Call("copy", []any{""})
		p.Call("focus", []any{"#pw"})
		for _, key := range keys {
			p.Call("press", []any{key})
		}
		away(how)
	}
	p.Call("nav", []any{h.at("shop") + "/login"})
	p.Call("login", []any{"shop"})
	p.Call("eval", []any{"getSelection().selectAllChildren(echo)"})
	p.Call("press", []any{"Control+C"})
	away("a text of the page")
	p.Call("nav", []any{h.at("shop") + "/login"})
	p.Call("login", []any{"shop"})
	p.Call("eval", []any{"getSelection().setBaseAndExtent(echo.firstChild, 0, echo.firstChild, 4)"})
	p.Call("copy", []any{""})
	p.Call("press", []any{"Control+C"})
	away("a part of a text")
	p.Call("nav", []any{h.at("shop") + "/login"})
	p.Call("login", []any{"shop"})
	again()
	p.Call("click", []any{"#show"})
	if got := p.Text("eval", []any{"pw.type + getComputedStyle(pw).webkitTextSecurity"}); got != "textdisc" {
		t.Errorf("pictures show %s", got)
	}
	p.Try("drag", []any{"#pw", "#said"})
	p.Try("drag", []any{"#pw", "#to"})
	p.Call("eval", []any{"getSelection().selectAllChildren(echo)"})
	p.Try("drag", []any{"#echo", "#said"})
	p.Try("drag", []any{"#echo", "#to"})
	if got := p.Text("eval", []any{"said.textContent + document.querySelector('#to').value"}); got != "drop" {
		t.Errorf("dragged: %q", got)
	}

	p.Call("fill", []any{"#to", "a plain text"})
	p.Call("press", []any{"Control+A"})
	p.Call("press", []any{"Control+C"})
	if got := p.Text("clip", nil); got != "a plain text" {
		t.Errorf("copied %q", got)
	}
	p.Call("nav", []any{h.at("evil") + "/"})
	p.Call("focus", []any{"#to"})
	p.Call("press", []any{"Control+V"})
	if got := p.Text("eval", []any{"document.querySelector('#to').value"}); got != "a plain text" {
		t.Errorf("pasted %q", got)
	}
	pipetest.Has(t, p.Fail("execute", []any{"await context.grantPermissions(['clipboard-read'])"}), "clipboard-read")
	h.quiet()
}
