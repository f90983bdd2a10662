//go:build evidence

package login_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLoginAsksAPerson: if a site asks for what only a person can do, the log-in asks a person,
// and goes on when they hand the session back.
func TestLoginAsksAPerson(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestLogin is quick")
	t.Parallel()
	var h *hosts
	const puzzle = `<form method=post action=/login><input type=email name=email><input type=password name=pw>
		<label>Captcha: what is in the picture? <input name=captcha></label><button>Log in</button></form>`
	h = serve(t, map[string]any{
		"shop/login": func(w http.ResponseWriter, r *http.Request) {
			h.takes(puzzle, "/push", func(v url.Values) bool { return isAda(v) && v.Get("captcha") == "a cat" })(w, r)
		},
		"shop/push": `<p>Approve the sign-in on your phone</p><script>setInterval(() => fetch('/approved').then((r) => r.ok && (location = '/home')), 200)</script>`,
		"shop/home": "<h1>Welcome</h1>",
	})
	nobody := h.start(shop)
	got := nobody.Fail("login", []any{"shop"})
	pipetest.Has(t, got, "shop: the site asks for a captcha: ", "no person can see this session")
	if len(h.sent("shop", password)) > 0 {
		t.Error("sent without a person")
	}
	nobody.Close()
	p := h.start(shop, "--watch")
	p.Call("nav", []any{h.at("shop") + "/login"})
	_, address, ok := strings.Cut(p.Stderr(), "watch: ")
	address, _, _ = strings.Cut(address, "\n")
	if !ok {
		t.Fatal(p.Stderr())
	}
	person := pipetest.Shared(t)
	person.Call("nav", []any{address})
	person.Call("click", []any{"#sessions a"})
	person.Call("wait", []any{"canvas.lit"})
	p.Request("login", []any{"shop"}, "timeout", 120)
	asked := func(what string) {
		t.Helper()
		person.Call("wait", []any{"#asks >> text=" + what}, "timeout", 60)
		person.Call("click", []any{"#take"})
		person.Call("wait", []any{"#standing >> text=/^You have it/"}, "timeout", 30)
	}
	asked("log in as shop at " + h.at("shop") + ": a captcha")
	pipetest.Execute(person, `const live = page.locator('#live'), b = await live.boundingBox();
		const [w, h] = await live.evaluate((c) => [c.width, c.height]);
		await page.mouse.click(b.x, b.y); await live.focus()`)
	// The person's keys go to the picture: to the field that has the focus there.
	for range 3 {
		pipetest.Execute(person, "await page.keyboard.press('Tab')")
	}
	pipetest.Execute(person, "await page.keyboard.type('a cat')")
	person.Call("click", []any{"#take"})
	asked("a confirmation elsewhere")
	h.mu.Lock()
	h.pages["shop/approved"] = func(w http.ResponseWriter, _ *http.Request) { h.html(w, "yes") }
	h.mu.Unlock()
	person.Call("click", []any{"#take"})
	r := p.Reply()
	pipetest.Has(t, string(r.Result), `"gave":["a person: a captcha","user","password","a person: a confirmation elsewhere"]`, "/home")
}
