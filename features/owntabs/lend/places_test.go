package lend

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// hands is the person at a tab, past the wall.
func (p *person) hands(tab string) *cdp.Session {
	p.t.Helper()
	whole := p.whole()
	s, err := whole.Attach(p.t.Context(), tab)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// whole is a session with the person's browser, past the wall.
func (p *person) whole() *cdp.Session {
	p.t.Helper()
	conn, err := p.lender().Dial(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	s, err := conn.Browser(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (p *person) goes(tab *cdp.Session, url string) {
	p.t.Helper()
	if err := tab.Call(p.t.Context(), "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		p.t.Fatal(err)
	}
	p.waitsFor(tab, url)
}

// waitsFor waits until a tab shows an address.
func (p *person) waitsFor(tab *cdp.Session, url string) {
	p.t.Helper()
	pipetest.Eventually(p.t, "the tab is at "+url, func() bool {
		return strings.HasSuffix(p.sees(tab, "location.href + ' ' + document.readyState"), url+" complete")
	})
}

// sees evaluates an expression in a tab.
func (p *person) sees(tab *cdp.Session, expression string) string {
	p.t.Helper()
	var got struct{ Result struct{ Value any } }
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if err := tab.Call(p.t.Context(), "Runtime.evaluate", params, &got); err != nil {
		p.t.Fatal(err)
	}
	return fmt.Sprint(got.Result.Value)
}

// refuses is ask for a command that must fail.
func (a *agent) refuses(session, method, params string) {
	a.t.Helper()
	if got := a.ask(session, method, params); !strings.Contains(got, `"error"`) {
		a.t.Errorf("%s %s: %s", method, params, got)
	}
}

// TestPagesOfTheBrowser: no page of an agent's goes to the browser's own pages or to a file,
// in the person's context and in its own, by an address or by the history of a lent tab.
func TestPagesOfTheBrowser(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	file := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(file, []byte("<title>SECRET</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	lent := p.tab("file://" + file)
	hands := p.hands(lent)
	p.waitsFor(hands, file)
	p.goes(hands, p.site+"/form?lent")
	l := p.lender()
	a := newAgent(t, l, "?lent")
	_, own := a.open(p.site + "/popups")
	var made struct{ BrowserContextID, TargetID string }
	a.works("", "Target.createBrowserContext", `{}`, &made)
	a.works("", "Target.createTarget", fmt.Sprintf(`{"url":"about:blank","browserContextId":%q}`, made.BrowserContextID), &made)
	session := a.attach(lent)
	for _, s := range []string{own, session, a.attach(made.TargetID)} {
		for _, url := range []string{"file://" + file, "FILE://" + file, " file://" + file, "chrome://version", "chrome:version", "view-source:" + p.site,
			"devtools://devtools/bundled/inspector.html", "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html", "about:version",
			"about:about", "chrome-untrusted://print", "filesystem:file:///", "blob:chrome://x", "blob:file:///x", "", "\tchrome://version"} {
			a.refuses(s, "Page.navigate", fmt.Sprintf(`{"url":%q}`, url))
			a.refuses(s, "Page.navigate", fmt.Sprintf(`{"url":%q,"URL":%q}`, p.site, url))
		}
		a.works(s, "Page.navigate", `{"url":"data:text/html,x"}`, nil)
	}
	p.waitsFor(hands, "data:text/html,x")
	p.goes(hands, p.site+"/form?lent")
	told := a.ask(session, "Page.getNavigationHistory", "{}")
	pipetest.Has(t, told, "?lent", `"url":""`)
	hidden := regexp.MustCompile(`"id":(\d+),"url":""`).FindAllStringSubmatch(told, -1)
	if len(hidden) == 0 {
		t.Fatal(told)
	}
	for _, e := range hidden {
		a.refuses(session, "Page.navigateToHistoryEntry", `{"entryId":`+e[1]+`}`)
	}
	pipetest.Lacks(t, a.all(), "SECRET", "secret.html")
}

// TestWhereThePersonGoes: a lent tab that the person takes to a file is the person's again,
// and the agent's when it comes back.
func TestWhereThePersonGoes(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPagesOfTheBrowser is quick")
	t.Parallel()
	p := newPerson(t)
	file := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(file, []byte("<title>SECRET</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	lent := p.tab(p.site + "/form?lent")
	l := p.lender()
	a := newAgent(t, l, "?lent")
	a.works("", "Target.setDiscoverTargets", `{"discover":true}`, nil)
	session, hands := a.attach(lent), p.hands(lent)
	own, page := a.open(p.site + "/popups")
	theirs := p.hands(own)
	for _, tab := range []struct {
		id, session string
		hands       *cdp.Session
	}{{lent, session, hands}, {own, page, theirs}} {
		p.goes(tab.hands, "file://"+file)
		pipetest.Eventually(t, "the tab is gone", func() bool {
			return strings.Contains(a.ask(tab.session, "Runtime.evaluate", `{"expression":"document.title"}`), "Session with given id not found")
		})
		a.refuses("", "Target.attachToTarget", fmt.Sprintf(`{"targetId":%q,"flatten":true}`, tab.id))
		pipetest.Lacks(t, a.ask("", "Target.getTargets", "{}"), tab.id)
		p.goes(tab.hands, p.site+"/form?back")
		pipetest.Eventually(t, "the tab is back", func() bool { return strings.Contains(a.ask("", "Target.getTargets", "{}"), tab.id) })
		pipetest.Has(t, a.does(a.attach(tab.id), "location.href"), "/form?back")
	}
	a.works("", "Target.closeTarget", fmt.Sprintf(`{"targetId":%q}`, lent), nil) // for good
	p.goes(hands, "file://"+file)
	p.goes(hands, p.site+"/form?theirs")
	pipetest.Lacks(t, a.all(), "?theirs", "SECRET")
}
