package lend

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNothingButLentTabs: an agent neither hears of a tab that it did not open and was not
// lent, nor reaches it, whatever it asks for.
func TestNothingButLentTabs(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	theirs := p.tab(p.site + "/form?SECRET")
	lent := p.tab(p.site + "/shadow?lent")
	l := p.lender()
	a := newAgent(t, l, "?lent")
	before := p.tabs()

	a.works("", "Target.setDiscoverTargets", `{"discover":true,"filter":[{}]}`, nil)
	a.works("", "Target.setAutoAttach", `{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true,"filter":[{}]}`, nil)
	var second struct{ SessionID string }
	a.works("", "Target.attachToBrowserTarget", `{}`, &second)
	a.works(second.SessionID, "Target.setDiscoverTargets", `{"discover":true}`, nil)
	own, page := a.open(p.site + "/popups")
	_, ofLent := lent, a.attach(lent)

	refused := func(session, method, params string) {
		t.Helper()
		if got := a.ask(session, method, params); !strings.Contains(got, `"error"`) {
			t.Errorf("%s %s: %s", method, params, got)
		}
	}
	named := fmt.Sprintf(`"targetId":%q`, theirs)
	for _, session := range []string{"", second.SessionID, page, ofLent} {
		for _, method := range []string{"Target.attachToTarget", "Target.getTargetInfo", "Target.closeTarget", "Target.exposeDevToolsProtocol",
			"Target.autoAttachRelated", "Target.openDevTools", "Target.getDevToolsTarget", "Target.sendMessageToTarget", "Browser.getWindowForTarget"} {
			refused(session, method, `{`+named+`,"flatten":true,"waitForDebuggerOnStart":false,"message":"{}"}`)
			refused(session, method, fmt.Sprintf(`{"targetId":%q,"TARGETID":%q,"flatten":true}`, own, theirs))
			refused(session, method, fmt.Sprintf(`{"targetId":%q,%s,"flatten":true}`, own, named))
		}
		for _, method := range []string{"Tracing.start", "SystemInfo.getProcessInfo", "Browser.getBrowserCommandLine", "Browser.close", "Browser.crash",
			"Target.setRemoteLocations", "ServiceWorker.enable", "BackgroundService.startObserving", "Memory.prepareForLeakDetection",
			"Extensions.getExtensions", "Tethering.bind", "Nothing.known", "Browser.executeBrowserCommand"} {
			refused(session, method, `{"service":"backgroundFetch","port":1,"commandId":"openTabSearch"}`)
		}
	}
	for _, session := range []string{page, ofLent} {
		for _, method := range []string{"Target.getTargets", "Target.setDiscoverTargets", "Target.attachToBrowserTarget", "Target.createTarget",
			"Network.clearBrowserCookies", "HeapProfiler.takeHeapSnapshot", "Profiler.start", "Page.setDownloadBehavior"} {
			refused(session, method, `{"discover":true,"url":"about:blank","behavior":"deny"}`)
		}
	}
	for _, url := range []string{"chrome://settings", "file:///etc/passwd", "devtools://devtools/bundled/inspector.html", "view-source:about:blank", "javascript:1", "%zz"} {
		refused("", "Target.createTarget", fmt.Sprintf(`{"url":%q}`, url))
	}
	refused("", "Target.createTarget", `{"url":"about:blank","browserContextId":"0123456789ABCDEF0123456789ABCDEF"}`)
	refused("", "Target.disposeBrowserContext", fmt.Sprintf(`{"browserContextId":%q}`, contextOf(a)))
	refused("", "Browser.grantPermissions", `{"permissions":["geolocation"]}`)
	refused("", "Target.detachFromTarget", `{"sessionId":""}`)
	a.works("", "Target.activateTarget", `{`+named+`}`, nil) // it is answered, and not done
	a.works("", "Target.getTargets", `{"filter":[{}]}`, nil)
	a.works("", "Target.getBrowserContexts", `{}`, nil)
	for _, text := range []string{"no JSON", "{}", `{"id":0,"method":"Target.getTargets"}`, `[]`, `{"id":1e99}`} {
		if _, err := a.w.Write([]byte(text + "\x00")); err != nil {
			t.Fatal(err)
		}
	}
	a.works(ofLent, "Page.close", "{}", nil) // it is given back
	pipetest.Eventually(t, "the lent tab is the person's again", func() bool {
		return strings.Contains(a.ask(ofLent, "Runtime.evaluate", `{"expression":"1"}`), "Session with given id not found")
	})
	refused("", "Target.attachToTarget", fmt.Sprintf(`{"targetId":%q,"flatten":true}`, lent))
	after := p.tabs()
	if maps.DeleteFunc(after, func(id, _ string) bool { return id == own }); !maps.Equal(before, after) {
		t.Errorf("the person had %v, and has %v", before, after)
	}
	if heard := a.all(); strings.Contains(heard, "SECRET") || strings.Contains(heard, theirs) {
		t.Error("it heard of the person's tab")
	}
	pipetest.Has(t, a.all(), "?lent")
}

// contextOf is the context of the person's windows.
func contextOf(a *agent) string {
	var got struct{ DefaultBrowserContextID string }
	a.works("", "Target.getBrowserContexts", `{}`, &got)
	return got.DefaultBrowserContextID
}

// TestWindowsByName: a page of an agent's does not get a tab of the person's by the name of
// its window, and what it opens is the agent's, with and without an opener.
func TestWindowsByName(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPagesOfTheBrowser is quick")
	t.Parallel()
	p := newPerson(t)
	theirs := p.tab(p.site + "/form?SECRET")
	l := p.lender()
	first := newAgent(t, l, "?SECRET") // its hands are the person's, who names the window
	first.does(first.attach(theirs), "window.name = 'personal'")
	_ = first.w.Close()

	a := newAgent(t, l)
	a.works("", "Target.setDiscoverTargets", `{"discover":true}`, nil)
	own, page := a.open(p.site + "/popups")
	pipetest.Eventually(t, "the page is there", func() bool { return strings.Contains(a.does(page, "document.readyState"), "complete") })
	pipetest.Has(t, a.does(page, "String(open('', 'personal').location)"), "about:blank")
	a.does(page, "open('/shadow?popup', '_blank', 'noopener'); 1")
	pipetest.Eventually(t, "the agent has its pop-up", func() bool { return strings.Contains(a.ask("", "Target.getTargets", "{}"), "/shadow?popup") })
	if got := strings.Count(a.ask("", "Target.getTargets", "{}"), `"targetId"`); got != 3 {
		t.Errorf("it has %d pages", got)
	}
	_ = a.w.Close()
	pipetest.Eventually(t, "what the agent opened is closed", func() bool {
		left := fmt.Sprint(p.tabs())
		return !strings.Contains(left, own) && !strings.Contains(left, "?popup")
	})
	if got := p.tabs()[theirs]; got != p.site+"/form?SECRET" {
		t.Errorf("the person's tab is at %q", got)
	}
	pipetest.Lacks(t, a.all(), "SECRET", theirs)
}

// TestAgentsBesideEachOther: agents share one connection, and hear nothing of each other.
// A tab is lent to one of them at a time.
func TestAgentsBesideEachOther(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAgentOfAProgram is quick")
	t.Parallel()
	p := newPerson(t)
	lent := p.tab(p.site + "/form?lent")
	l := p.lender()
	a, b := newAgent(t, l, "?lent"), newAgent(t, l, "?lent")
	for _, one := range []*agent{a, b} {
		one.works("", "Target.setDiscoverTargets", `{"discover":true}`, nil)
		one.works("", "Target.setAutoAttach", `{"autoAttach":true}`, nil)
	}
	of, session := a.open(p.site + "/shadow?first")
	for range 2 {
		b.open(p.site + "/shadow?second")
	}
	var made struct{ BrowserContextID string }
	a.works("", "Target.createBrowserContext", `{}`, &made)
	a.works("", "Target.createTarget", fmt.Sprintf(`{"url":%q,"browserContextId":%q}`, p.site+"/frames?first", made.BrowserContextID), nil)
	for _, command := range [][2]string{
		{"Target.attachToTarget", fmt.Sprintf(`{"targetId":%q,"flatten":true}`, of)},
		{"Target.createTarget", fmt.Sprintf(`{"url":"about:blank","browserContextId":%q}`, made.BrowserContextID)},
		{"Target.disposeBrowserContext", fmt.Sprintf(`{"browserContextId":%q}`, made.BrowserContextID)},
		{"Target.detachFromTarget", fmt.Sprintf(`{"sessionId":%q}`, session)},
	} {
		pipetest.Has(t, b.ask("", command[0], command[1]), `"error"`)
	}
	pipetest.Has(t, b.ask(session, "Runtime.evaluate", `{"expression":"1"}`), "Session with given id not found")
	pipetest.Eventually(t, "both have their pages", func() bool {
		return strings.Contains(a.ask("", "Target.getTargets", "{}"), "/frames?first") && strings.Count(b.ask("", "Target.getTargets", "{}"), "?second") == 2
	})
	pipetest.Has(t, a.all(), "?lent")
	pipetest.Lacks(t, a.all(), "?second")
	pipetest.Lacks(t, b.all(), "?first", "?lent", lent, made.BrowserContextID)

	_ = a.w.Close()
	pipetest.Eventually(t, "what it had is closed", func() bool { return !strings.Contains(fmt.Sprint(p.tabs()), "?first") })
	pipetest.Eventually(t, "the other's tabs and the lent one are open", func() bool {
		left := fmt.Sprint(p.tabs()) // a new tab is blank first
		return strings.Contains(left, "?lent") && strings.Count(left, "?second") == 2
	})
	pipetest.Has(t, newAgent(t, l, "?lent").ask("", "Target.getTargets", "{}"), "?lent")
}

// TestCookiesOfSites: an agent has the cookies of the sites where its pages have been, and
// deletes no others.
func TestCookiesOfSites(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	const theirs = `{"cookies":[{"name":"SECRET","value":"1","domain":"bank.example","path":"/"},{"name":"SECRET2","value":"1","domain":".bank.example","path":"/"}]}`
	whole := p.whole()
	if err := whole.Call(t.Context(), "Storage.setCookies", json.RawMessage(theirs), nil); err != nil {
		t.Fatal(err)
	}
	l := p.lender()
	a := newAgent(t, l)
	_, page := a.open(p.site + "/shadow")
	pipetest.Eventually(t, "it has a cookie", func() bool {
		a.does(page, "document.cookie = 'own=1; max-age=1000'")
		return strings.Contains(a.ask("", "Storage.getCookies", "{}"), `"own"`)
	})
	for _, session := range []string{"", page} {
		a.works(session, "Storage.getCookies", "{}", nil)
		a.works(session, "Storage.getCookies", fmt.Sprintf(`{"browserContextId":%q}`, contextOf(a)), nil)
	}
	a.works(page, "Network.getCookies", `{"urls":["http://bank.example/"]}`, nil)
	a.works(page, "Network.getAllCookies", `{}`, nil)
	for _, session := range []string{"", page} {
		a.works(session, "Storage.clearCookies", "{}", nil)
	}
	pipetest.Lacks(t, a.ask("", "Storage.getCookies", "{}"), `"own"`)
	pipetest.Lacks(t, a.all(), "SECRET", "bank.example")
	changesElsewhere(a, page)
	var left struct{ Cookies []cookie }
	if err := whole.Call(t.Context(), "Storage.getCookies", nil, &left); err != nil || len(left.Cookies) != 2 {
		t.Errorf("the person's cookies are %v (%v)", left.Cookies, err)
	}
}

// changesElsewhere has an agent set and delete cookies of a site where it has not been, and
// permissions of it, and ask what it keeps.
func changesElsewhere(a *agent, page string) {
	a.t.Helper()
	own := regexp.MustCompile(`http://[\d.:]+`).FindString(a.does(page, "location.origin"))
	at := "http://own.localhost:" + own[strings.LastIndex(own, ":")+1:]
	a.open(at + "/shadow")
	pipetest.Eventually(a.t, "it may name the site", func() bool {
		return strings.Contains(a.ask("", "Storage.setCookies", `{"cookies":[{"name":"own","value":"","expires":1,"url":"`+at+`"}]}`), `"result"`)
	})
	for _, named := range []string{`"url":"http:bank.example/.own.localhost"`, `"url":"http:/bank.example/.own.localhost"`,
		`"url":"\thttp://bank.example/.own.localhost"`, `"url":"http:\\\\bank.example\\.own.localhost"`, `"url":"http://bank.example/"`, `"domain":"bank.example"`, `"domain":".BANK.example"`, `"url":"http://x.bank.example:81/"`,
		`"url":"` + own + `","domain":"bank.example"`, `"url":"http://bank.example","domain":"127.0.0.1"`, `"url":"` + own + `","URL":"http://bank.example"`, `"path":"/"`} {
		const one = `{"name":"SECRET","value":"0","path":"/",`
		for _, session := range []string{"", page} {
			a.refuses(session, "Storage.setCookies", `{"cookies":[`+one+named+`}]}`)
			a.refuses(session, "Storage.setCookies", `{"cookies":[`+one+`"url":"`+own+`"},`+one+named+`}]}`)
		}
		a.refuses(page, "Network.setCookie", one+named+`}`)
		a.refuses(page, "Network.setCookies", `{"cookies":[`+one+named+`}]}`)
		a.refuses(page, "Network.deleteCookies", one+named+`}`)
		a.refuses(page, "Page.deleteCookie", `{"cookieName":"SECRET",`+named+`}`)
	}
	a.refuses("", "Browser.grantPermissions", `{"permissions":["geolocation"],"origin":"http://bank.example"}`)
	a.refuses("", "Browser.setPermission", `{"permission":{"name":"geolocation"},"setting":"denied","origin":"http://bank.example"}`)
	a.refuses(page, "Storage.getUsageAndQuota", `{"origin":"http://bank.example"}`)
	a.works("", "Browser.grantPermissions", `{"permissions":["geolocation"],"origin":"`+own+`"}`, nil)
	a.works(page, "Storage.getUsageAndQuota", `{"origin":"`+own+`"}`, nil)
	a.works(page, "Network.setCookie", `{"name":"mine","value":"1","url":"`+own+`"}`, nil)
	pipetest.Has(a.t, a.does(page, "document.cookie"), "mine=1")
	a.works(page, "Network.deleteCookies", `{"name":"mine","url":"`+own+`"}`, nil)
	pipetest.Lacks(a.t, a.does(page, "document.cookie"), "mine=1")
}

// TestWorkersThatTabsShare: a service worker lists the tabs of its site, so an agent has
// none in the person's context.
func TestWorkersThatTabsShare(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingButLentTabs is quick")
	t.Parallel()
	p := newPerson(t)
	a := newAgent(t, p.lender())
	attach := func(session string) {
		a.works(session, "Target.setAutoAttach", `{"autoAttach":true,"waitForDebuggerOnStart":false,"flatten":true,"filter":[{}]}`, nil)
	}
	register := func(session string) {
		pipetest.Eventually(t, "the worker runs", func() bool {
			return strings.Contains(a.does(session, "navigator.serviceWorker.register('/escape/sw.js').then(() => navigator.serviceWorker.ready).then((r) => r.active.state)"), "activated")
		})
	}
	_, page := a.open(p.site + "/escape/")
	attach(page)
	register(page)
	var made struct{ BrowserContextID, TargetID string }
	a.works("", "Target.createBrowserContext", `{}`, &made)
	a.works("", "Target.createTarget", fmt.Sprintf(`{"url":%q,"browserContextId":%q}`, p.site+"/escape/", made.BrowserContextID), &made)
	own := a.attach(made.TargetID)
	attach(own)
	register(own)
	has := func(context string) bool {
		for _, m := range strings.Split(a.all(), "\n") {
			if strings.Contains(m, `"Target.attachedToTarget"`) && strings.Contains(m, `"service_worker"`) && strings.Contains(m, context) {
				return true
			}
		}
		return false
	}
	pipetest.Eventually(t, "it has the worker of its own context", func() bool { return has(made.BrowserContextID) })
	if has(contextOf(a)) {
		t.Error("it has the person's worker")
	}
}
