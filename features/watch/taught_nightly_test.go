//go:build evidence

package watch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestTaughtDialogs: a dialog that a person's click opens is dismissed, as without them,
// and the answer is in the log.
func TestTaughtDialogs(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	l := learns(t, "/dialogs")
	at := l.finds("#confirm")
	l.takes(func() { at("#confirm") })
	l.ask("expect-text", m{"sel": "#result", "text": "confirm: false"})
	got, _ := l.logged()
	want := "nav map[url:/dialogs]\ndialog map[action:dismiss]\nclick map[sel:role=button[name=\"Confirm\"]]\nexpect-text map[sel:#result text:confirm: false]"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	l.replays()
}

// TestTaughtEnds: what a person has done is in the log where they go away without handing
// back, and where the pipe ends. A secret that pwpipe knows is a name in any field.
func TestTaughtEnds(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	secrets := filepath.Join(t.TempDir(), "secrets")
	if err := os.WriteFile(secrets, []byte("CODE=lamp-and-lens\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := learns(t, "/form", "--secrets", secrets)
	at := l.finds("#name", "#email")
	l.person.Call("click", m{"sel": "#take"})
	l.until("document.querySelector('#standing').textContent.startsWith('You have it.')")
	at("#name")
	l.does("await page.keyboard.type('lamp-and-lens')")
	id := l.watched.Request("expect-value", m{"sel": "#name", "value": "{{CODE}}"})
	l.until("document.querySelector('#standing').textContent.includes('waiting')")
	l.person.Call("nav", m{"url": "about:blank"})
	l.must(id)
	l.person.Call("nav", m{"url": l.url + "/#own"})
	l.person.Call("wait", m{"sel": "canvas.lit"})
	l.person.Call("click", m{"sel": "#take"})
	l.until("document.querySelector('#standing').textContent.startsWith('You have it.')")
	at("#email")
	l.does("await page.keyboard.type('ada@mail.example')")
	l.person.Call("click", m{"sel": "#tab-outline"}) // whose answer comes after the keys
	l.until("document.querySelector('#panel pre').textContent.includes('ada@mail.example')")
	if _, status := l.watched.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	text, err := os.ReadFile(l.file)
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, string(text), `"val":"{{CODE}}"`, `"val":"ada@mail.example"`)
	pipetest.Lacks(t, string(text), "lamp-and-lens")
}

// TestTaughtNot: where nothing can be recorded the person has the session all the same,
// and the event says why the log lacks what they do.
func TestTaughtNot(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	site := pipetest.Site(t)
	cmd := exec.Command(pipetest.Binary(t), "--watch", "--base-url", site)
	cmd.Env = append(os.Environ(), "PWPIPE_NO_DRIVER_PARTS=1")
	l := learnsOn(pipetest.StartCmd(t, cmd), site, "/form")
	l.person.Call("click", m{"sel": "#take"})
	l.until("document.querySelector('#standing').textContent === 'You have it'")
	l.person.Call("click", m{"sel": "#take"})
	l.ask("title", nil)
	pipetest.Has(t, strings.Join(l.heard, ", "), "took-over what the person does is not in the log: ", "PWPIPE_NO_DRIVER_PARTS")
}
