//go:build evidence

package watch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNames: a session shows its client's name for it, its age, its owner and its last
// error. A call shows page and target. All of it may be hostile and has no secrets.
// Knowing only an id does not show the owner's address.
func TestNames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	secrets := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(secrets, []byte("TOKEN=hunter2-xyz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := pipetest.StartService(t, "OPERATOR_KEY="+operator, "--secrets="+secrets)
	pipetest.Has(t, s.Fail(-32602, "session.create", m{"name": strings.Repeat("ä", 101)}), "name: at most 100 characters, got 101")
	name := hostile[:60] + "\u202e\n hunter2-xyz hunter2\u200b-xyz"
	own := s.Open(m{"name": name})
	plain := s.Open(nil)
	long := s.Open(m{"name": strings.Repeat("long", 25)})
	for _, of := range []pipetest.Session{own, plain, long} {
		of.On("page.goto", m{"url": "/form"})
	}
	own.Refuse(-32000, "click", m{"sel": "text=none-hunter2-xyz<img src=x>", "timeout": 3})
	own.On("new-page", m{"ctx": "c1"})
	own.On("use-page", m{"pid": "p2"})
	own.On("nav", m{"url": "/login"})

	p := person{pipetest.Shared(t), s.URL}
	p.login(operator)
	p.until("document.querySelectorAll('#sessions a').length === 3")
	item := "[...document.querySelectorAll('#sessions li')][0]"
	p.until(item + ".querySelector('.failed').textContent.includes('nothing matches')")
	shown := p.Text("txt", m{"sel": "#sessions li >> nth=0"})
	pipetest.Has(t, shown, hostile[:60]+" <secret:TOKEN> <secret:TOKEN>", own.ID[:10]+"…", " old", "127.0.0.1, ", "nothing matches")
	p.Call("click", m{"sel": "#sessions a >> nth=0"})
	p.until("document.querySelector('#name').textContent.includes('onerror') && document.querySelector('#facts').textContent.includes('opened by 127.0.0.1, ')")
	p.until("document.querySelector('#failed').textContent.includes('nothing matches')")
	p.until("[...document.querySelectorAll('#panel tbody tr')].some((r) => r.cells[1].textContent === 'nav')")
	rows := p.eval("[...document.querySelectorAll('#panel tbody tr')].map((r) => [1, 2, 3].map((n) => r.cells[n].textContent).join(' | '))")
	pipetest.Has(t, rows, `"nav | p2 | /login"`, `"click | p1 | text=none-<secret:TOKEN><img src=x>"`, `"page.goto | p1 | /form"`)
	if got := p.eval("[window.owned ?? 0, document.querySelectorAll('main img, nav img').length, /hunter2|[\\u200b\\u202e]/.test(document.body.innerText)]"); got != "[0,0,false]" {
		t.Errorf("hostile text: %s", got)
	}
	p.picture("names")
	axe(t, p)

	// A running call shows its target.
	go plain.Try("wait", plain.With(m{"sel": "#never", "timeout": 5}))
	p.Call("click", m{"sel": "#sessions a:has-text('" + plain.ID[:10] + "')"})
	p.until("document.querySelector('#standing').textContent === 'wait #never'")

	p.Call("click", m{"sel": "text=Log out"})
	p.Call("wait", m{"sel": "#key"})
	p.login(pipetest.Key)
	p.Call("fill", m{"sel": "#session-id", "val": own.ID})
	p.Call("press", m{"sel": "#session-id", "key": "Enter"})
	p.until("document.querySelectorAll('#sessions a').length === 1 && document.querySelector('#facts').textContent.includes(' old')")
	if shown := p.Text("txt", m{"sel": "body"}); strings.Contains(shown, "127.0.0.1,") || !strings.Contains(shown, "onerror") {
		t.Errorf("with an id alone one sees %s", shown)
	}
}
