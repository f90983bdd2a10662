package login_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestTracedLogin logs in while a trace is recorded: the page is then read past the driver too.
func TestTracedLogin(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestLogin is quick")
	t.Parallel()
	var h *hosts
	h = serve(t, map[string]any{
		"shop/login": func(w http.ResponseWriter, r *http.Request) { h.takes(form, "/home", isAda)(w, r) },
		"shop/home":  `<h1>Welcome</h1><p class=me>Ada Lovelace</p>`,
	})
	dir := t.TempDir()
	p := h.start(shop+"account = \".me\"\n", "--allow-dir", dir)
	p.Call("trace-start", nil)
	got := p.Call("login", []any{"shop"})
	if want := `{"login":"shop","account":"Ada Lovelace","url":"` + h.at("shop") + `/home","gave":["user","password"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p.Call("trace-stop", []any{filepath.Join(dir, "trace.zip")})
}
