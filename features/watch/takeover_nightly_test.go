//go:build evidence

package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestPipe(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	w := &watched{Pipe: pipetest.StartSite(t, "--watch")}
	w.ask("nav", m{"url": "/login"})
	_, url, ok := strings.Cut(w.Stderr(), "watch: ")
	url, _, _ = strings.Cut(url, "\n")
	address, _, keyed := strings.Cut(url, "/#key=")
	if !ok || !keyed {
		t.Fatalf("no address: %q", w.Stderr())
	}
	p := person{pipetest.Shared(t), address}
	p.Call("nav", m{"url": url})
	p.Call("click", m{"sel": "#sessions a"})
	p.Call("wait", m{"sel": "canvas.lit"})
	pipetest.Lacks(t, p.eval("location.href"), "key")
	pipetest.Has(t, p.Text("txt", m{"sel": "#sessions"}), "the pipe's own", "Sign in")
	w.ask("events", m{"kinds": []string{"person"}})
	t.Run("take over", func(t *testing.T) { takesOver(t, p, w) })
	t.Run("ask", func(t *testing.T) { isAsked(t, p, w) })
	t.Run("record", func(t *testing.T) { records(t, p, w) })
	t.Run("once", func(t *testing.T) {
		p.T = t
		p.does("await context.clearCookies()") // another person's browser
		p.Call("nav", m{"url": "about:blank"})
		p.Call("nav", m{"url": url})
		p.until("document.body.textContent.includes('good once')")
	})
}

// takesOver logs in with mouse and keys in the live picture, while calls wait.
func takesOver(t *testing.T, p person, w *watched) {
	p.T, w.T = t, t
	box := func(sel string) [4]float64 {
		return pipetest.Decode[[4]float64](t, w.ask("eval", m{"code": "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('" + sel + "').getBoundingClientRect())"}))
	}
	email, password := box("#email"), box("#password")
	w.ask("clear", m{"sel": "#email"})
	p.at(email) // nobody has the session, so the click has no effect
	p.does("await page.keyboard.type('nobody')")
	if got := w.ask("eval", m{"code": "document.querySelector('#email').value"}); got != `""` {
		t.Fatalf("typed without the session: %s", got)
	}
	slow := w.Request("eval", m{"code": "new Promise((done) => { window.done = done; })"}, "timeout", 30)
	p.until("document.querySelector('#standing').textContent.startsWith('eval')")
	p.Call("click", m{"sel": "#take"})
	p.until("document.querySelector('#standing').textContent.includes('when its calls have ended')")
	wanted := w.Request("url", nil)
	w.Send(`{"method":"cancel","params":{"id":` + fmt.Sprint(slow) + `}}`)
	if r := w.reply(); string(r.ID) != fmt.Sprint(slow) || !strings.Contains(r.Error, "cancelled") {
		t.Fatalf("%s %s", r.ID, r.Error)
	}
	p.until("document.querySelector('#take').textContent === 'Hand back' && document.querySelector('#standing').textContent.startsWith('You have it')")
	p.until("document.querySelector('#standing').textContent.includes('waiting')")
	place := p.eval("document.querySelector('#live').getBoundingClientRect().top")
	late := w.Request("title", nil, "timeout", 0.4, "page", "p1")
	p.until("document.querySelector('#failed').textContent.includes('a person controls the session')")
	if got := p.eval("document.querySelector('#live').getBoundingClientRect().top"); got != place {
		t.Errorf("the failure of a call moved the picture under the pointer from %s to %s", place, got)
	}
	p.at(email)
	p.does("await page.keyboard.type('Ada@skerry.example'); await page.keyboard.press('Tab'); await page.keyboard.type('sec')")
	p.at(password)
	p.does("await page.keyboard.press('End')")
	p.Call("fill", m{"sel": "#typed", "val": "ret"})
	p.Call("press", m{"sel": "#typed", "key": "Enter"})
	p.picture("taken")
	axe(t, p)
	p.at(password)
	p.does("await page.keyboard.press('Enter')")
	p.until("document.querySelector('#address').textContent.endsWith('/dashboard')")
	p.does("await page.focus('#live'); await page.keyboard.press('Escape')")
	if got := p.eval("document.activeElement.id"); got != `"take"` {
		t.Errorf("Escape leads to %s", got)
	}
	p.does("await page.keyboard.press('Enter')") // Hand back
	for range 2 {
		switch r := w.reply(); string(r.ID) {
		case fmt.Sprint(wanted):
			pipetest.Has(t, string(r.Result), "/dashboard")
		case fmt.Sprint(late):
			pipetest.Has(t, r.Error, "a person controls the session")
		default:
			t.Fatalf("%s %s", r.ID, r.Error)
		}
	}
	pipetest.Has(t, strings.Join(w.heard, ", "), "took-over", "handed-back")
	p.until("document.querySelector('#standing').textContent === 'Idle'")
}

// isAsked: an agent asks for a person, who hands back, refuses, or does not come.
func isAsked(t *testing.T, p person, w *watched) {
	p.T, w.T = t, t
	id := w.Request("ask-person", m{"message": "solve the <b>riddle</b>"})
	p.until("document.querySelector('#asks').textContent.includes('solve the <b>riddle</b>')")
	p.picture("asked")
	p.Call("click", m{"sel": "#take"})
	p.until("document.querySelector('#standing').textContent.startsWith('You have it')")
	p.Call("click", m{"sel": "#take"})
	if got := w.must(id); got != `"done"` {
		t.Errorf("handed back: %s", got)
	}
	id = w.Request("ask-person", m{"message": "again"})
	p.until("document.querySelector('#asks').textContent.includes('again')")
	p.Call("click", m{"sel": "#asks >> text=Refuse"})
	if r := w.reply(); string(r.ID) != fmt.Sprint(id) || !strings.Contains(r.Error, "refused by the person") {
		t.Errorf("refused: %s %s", r.ID, r.Error)
	}
	id = w.Request("ask-person", m{"message": "in vain"}, "timeout", 0.2)
	if r := w.reply(); string(r.ID) != fmt.Sprint(id) || !strings.Contains(r.Error, "expired: nobody handed the session back within 0.2 s") {
		t.Errorf("expired: %s %s", r.ID, r.Error)
	}
	pipetest.Has(t, strings.Join(w.heard, ", "), "asked solve the <b>riddle</b>", "asked again")
	// Leaving the page hands the session back.
	p.Call("click", m{"sel": "#take"})
	p.until("document.querySelector('#standing').textContent.startsWith('You have it')")
	id = w.Request("title", nil)
	p.Call("nav", m{"url": "about:blank"})
	w.must(id)
	pipetest.Has(t, w.heard[len(w.heard)-1], "handed-back the viewer went away")
	p.Call("nav", m{"url": p.url + "/#own"})
	p.Call("wait", m{"sel": "canvas.lit"})
}

// records: a person saves a trace and a film.
func records(t *testing.T, p person, w *watched) {
	p.T, w.T = t, t
	for what, c := range map[string]struct{ saved, begins string }{"trace": {"#record-trace", "PK"}, "film": {"#films a", "Eß£"}} {
		button := "#record-" + what
		p.Call("click", m{"sel": button})
		p.until("document.querySelector('" + button + "').getAttribute('aria-pressed') === 'true'")
		w.ask("click", m{"sel": "h1"})
		if c.saved != button { // a film plays first, and is saved from there
			p.Call("click", m{"sel": button})
			p.Call("wait", m{"sel": c.saved})
		}
		got := p.does("const [d] = await Promise.all([page.waitForEvent('download'), page.click('" + c.saved + "')]); const fs = require('fs'); const b = fs.readFileSync(await d.path()); b.toString('latin1', 0, 4)")
		if !strings.Contains(got, c.begins) {
			t.Errorf("%s: %s", what, got)
		}
	}
}
