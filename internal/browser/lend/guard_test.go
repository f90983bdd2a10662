package lend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNoCodeInThePersonsPages: what an agent has set up in its tab does not work in a page that is
// the person's, and the agent does not hear where that is. history.back() takes a lent tab there.
func TestNoCodeInThePersonsPages(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	file := filepath.Join(t.TempDir(), "secret.html")
	const text = "<title>SECRET</title><script>addEventListener('load', () => 1)</script>" +
		"<iframe></iframe><iframe srcdoc='x'></iframe>"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lent := p.tab("file://" + file)
	hands := p.hands(lent)
	p.waitsFor(hands, file)
	p.goes(hands, p.site+"/form?lent")
	a := newAgent(t, p.lender(), "?lent")
	session := a.attach(lent)
	for _, domain := range []string{"Page", "Network", "Runtime", "DOM"} {
		a.works(session, domain+".enable", "{}", nil)
	}
	a.works(session, "Runtime.addBinding", `{"name":"tell"}`, nil)
	const does = `(top.code ||= []).push(location.href); tell(document.title);`
	for _, source := range []string{does, "} " + does + " if (0) {", "}} " + does + " {{", "function origin() {} " + does,
		"function Array() {} function RegExp() {} " + does, "function location() {} " + does, "*/ " + does, "\n" + does,
		"function addEventListener() { " + does + " }", "'use strict'; function onload() { " + does + " } " + does} {
		for _, rest := range []string{"", `,"worldName":"own"`, `,"Source":""`} {
			a.works(session, "Page.addScriptToEvaluateOnNewDocument", fmt.Sprintf(`{"source":%q%s}`, source, rest), nil)
		}
	}
	a.works(session, "Page.addScriptToEvaluateOnLoad", fmt.Sprintf(`{"scriptSource":%q}`, does), nil)
	for id := range 100 { // those of ours among them
		one := fmt.Sprintf(`"identifier":"%d"`, id)
		if !strings.Contains(a.all(), one) {
			a.refuses(session, "Page.removeScriptToEvaluateOnNewDocument", "{"+one+"}")
		}
	}
	p.goes(hands, p.site+"/form?again")
	pipetest.Has(t, p.sees(hands, "JSON.stringify(top.code)"), "?again")
	a.ask(session, "Runtime.evaluate", `{"expression":"history.go(-2)","userGesture":true}`)
	p.waitsFor(hands, file)
	if got := p.sees(hands, "String(top.code) + frames.length"); got != "undefined2" {
		t.Errorf("code of the agent's ran in %s", got)
	}
	pipetest.Lacks(t, a.all(), "SECRET", "secret.html")
	p.goes(hands, p.site+"/form?back")
	pipetest.Eventually(t, "the agent has the tab again", func() bool {
		return strings.Contains(a.ask("", "Target.getTargets", "{}"), lent)
	})
	pipetest.Has(t, a.does(a.attach(lent), "location.href"), "?back")
}
