package watch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// learner is a pipe whose log a person adds to.
type learner struct {
	*watched
	person
	file, site string
}

// learns starts one on a page, with a person who looks at it.
func learns(t *testing.T, path string, args ...string) learner {
	t.Helper()
	site := pipetest.Site(t)
	return learnsOn(pipetest.Start(t, append([]string{"--watch", "--base-url", site}, args...)...), site, path)
}

// learnsOn is learns on a pipe that has started.
func learnsOn(pipe *pipetest.Pipe, site, path string) learner {
	t := pipe.T
	t.Helper()
	w := &watched{Pipe: pipe}
	l := learner{watched: w, file: filepath.Join(t.TempDir(), "flow.ndjson"), site: site}
	w.ask("events", m{"kinds": []string{"person"}})
	w.ask("log-start", m{"path": l.file})
	w.ask("nav", m{"url": path})
	_, url, _ := strings.Cut(w.Stderr(), "watch: ")
	url, _, _ = strings.Cut(url, "\n")
	address, _, _ := strings.Cut(url, "/#key=")
	l.person = person{pipetest.Shared(t), address}
	l.person.Call("nav", m{"url": url})
	l.person.Call("click", m{"sel": "#sessions a"})
	l.person.Call("wait", m{"sel": "canvas.lit"})
	return l
}

// finds is where elements are in the picture.
func (l learner) finds(css ...string) (at func(css string)) {
	l.watched.T.Helper()
	boxes := map[string][4]float64{}
	for _, sel := range css {
		boxes[sel] = pipetest.Decode[[4]float64](l.watched.T, l.ask("eval", m{"code": "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('" + sel + "').getBoundingClientRect())"}))
	}
	return func(css string) { l.at(boxes[css]) }
}

// takes gives the session to the person for a while.
func (l learner) takes(does func()) {
	l.watched.T.Helper()
	l.person.Call("click", m{"sel": "#take"})
	l.until("document.querySelector('#standing').textContent.startsWith('You have it. What you do is in the session')")
	does()
	l.person.Call("click", m{"sel": "#take"})
	l.until("document.querySelector('#take').textContent === 'Take over'")
}

// line is a line of a log, without what says what its element was.
type line struct {
	ID     int
	Method string
	Params any
	Note   string
}

// logged are the lines of the log, without the calls that look for elements.
func (l learner) logged() (list []string, notes string) {
	l.watched.T.Helper()
	l.ask("log-stop", nil)
	text, err := os.ReadFile(l.file)
	if err != nil {
		l.watched.T.Fatal(err)
	}
	for i, raw := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		one := pipetest.Decode[line](l.watched.T, raw)
		if one.ID != i+1 {
			l.watched.T.Errorf("line %d: %s", i+1, raw)
		}
		if one.Method != "eval" {
			// Who types slowly fills a field twice: the last one counts.
			now := fmt.Sprint(one.Method, " ", one.Params)
			field, _, fills := strings.Cut(now, " val:")
			if n := len(list); fills && n > 0 && strings.HasPrefix(list[n-1], field+" val:") {
				list = list[:n-1]
			}
			list = append(list, now)
		}
		notes += one.Note
	}
	if strings.Contains(string(text), `"secret"`) { // the page itself says the word
		l.watched.T.Errorf("the log has the password: %s", text)
	}
	return list, notes
}

// TestTaught: what a person does during two takeovers is in the session's log, between the
// calls before and after, and the log replays without the person. A password is a name.
func TestTaught(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestService is quick")
	t.Parallel()
	l := learns(t, "/login")
	at := l.finds("#email", "#password", "main form button")
	id := l.watched.Request("ask-person", m{"message": "log in"})
	l.until("document.querySelector('#asks').textContent.includes('log in')")
	l.takes(func() {
		at("#email")
		l.does("await page.keyboard.type('ada@skerry.example')")
		at("#password")
		l.does("await page.keyboard.type('secret')")
		at("main form button")
		l.until("document.querySelector('#address').textContent.endsWith('/dashboard')")
	})
	l.must(id)
	l.ask("expect-url", m{"url": "/dashboard"})
	l.ask("nav", m{"url": "/form"})
	at = l.finds("#name")
	l.takes(func() { at("#name"); l.does("await page.keyboard.type('Ada')") })
	l.ask("expect-value", m{"sel": "#name", "value": "Ada"})
	want := []string{"nav map[url:/login]", "fill map[sel:role=textbox[name=\"E-mail\"] val:ada@skerry.example]",
		"fill map[sel:role=textbox[name=\"Password\"] val:{{PASSWORD}}]", `click map[sel:role=button[name="Sign in"]]`,
		"expect-url map[url:/dashboard]", "nav map[url:/form]", `fill map[sel:role=textbox[name="Full name (required)"] val:Ada]`, "expect-value map[sel:#name value:Ada]"}
	got, notes := l.logged()
	if strings.Join(got, "\n") != strings.Join(want, "\n") || !strings.Contains(notes, "PASSWORD=") {
		t.Fatalf("%s\nwant\n%s\nnotes: %s", strings.Join(got, "\n"), strings.Join(want, "\n"), notes)
	}
	l.replays()
}

// replays runs the log without the person.
func (l learner) replays() {
	l.watched.T.Helper()
	secrets := filepath.Join(l.watched.T.TempDir(), "secrets")
	if err := os.WriteFile(secrets, []byte("PASSWORD=secret\n"), 0o600); err != nil {
		l.watched.T.Fatal(err)
	}
	out, errs, status := pipetest.Run(l.watched.T, "", "run", "--base-url", l.site, "--secrets", secrets, l.file)
	if status != 0 {
		l.watched.T.Errorf("replay: %d, %s%s", status, out, errs)
	}
}
