package lend

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestGivenBack: of a tab that an agent has given back it hears nothing any more, and it holds none
// of its requests.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	tab := p.tab(p.site + "/form?lent")
	l := p.lender()
	a := newAgent(t, l, "/form?lent")
	session := a.attach(tab)
	a.works(session, "Page.getFrameTree", "{}", nil)
	pipetest.Eventually(t, "the tab is loaded", func() bool {
		return strings.Contains(a.does(session, "location.href + document.readyState"), "?lentcomplete")
	})
	a.works("", "Fetch.enable", `{"patterns":[{"urlPattern":"*"}]}`, nil)
	a.does(session, "void fetch('/while-lent')")
	pipetest.Eventually(t, "a request is held while the tab is lent", func() bool {
		return strings.Contains(a.all(), "/while-lent")
	})
	a.works("", "Target.closeTarget", fmt.Sprintf(`{"targetId":%q}`, tab), nil)

	conn, err := p.lender().Dial(t.Context()) // the person
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	whole, err := conn.Browser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := whole.Attach(t.Context(), tab)
	if err != nil {
		t.Fatal(err)
	}
	if err := theirs.Call(t.Context(), "Page.navigate", map[string]any{"url": p.site + "/shop?given-back"}, nil); err != nil {
		t.Fatal(err)
	}
	pipetest.Eventually(t, "the person's tab goes on", func() bool { return strings.HasSuffix(p.tabs()[tab], "?given-back") })
	pipetest.Lacks(t, a.all(), "given-back")
}

// TestNothingStays: a lent tab that is given back looks and works as before.
func TestNothingStays(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGivenBack is quick")
	t.Parallel()
	p := newPerson(t)
	tab := p.tab(p.site + "/form?lent")
	hands := p.hands(tab)
	p.waitsFor(hands, "?lent")
	const looks = `new Promise((r) => setTimeout(() => {
		const s = Object.assign(document.createElement('span'), {textContent: 'mmmmmmmmmm', style: 'font-family: serif'});
		document.body.append(s);
		r(s.offsetWidth + getComputedStyle(document.documentElement).fontSize + navigator.userAgent + navigator.onLine);
		s.remove();
	}, 50))`
	before := p.sees(hands, looks)
	l := p.lender()
	a := newAgent(t, l, "?lent")
	session := a.attach(tab)
	a.works(session, "Page.enable", "{}", nil)
	for _, c := range [][2]string{
		{"Page.setFontFamilies", `{"fontFamilies":{"standard":"monospace","serif":"monospace","sansSerif":"monospace"}}`},
		{"Page.setFontSizes", `{"fontSizes":{"standard":40,"fixed":40}}`},
		{"Page.setWebLifecycleState", `{"state":"frozen"}`}, {"Page.setWebLifecycleState", `{"state":"active","STATE":"frozen"}`},
		{"Page.crash", "{}"}, {"Emulation.setVirtualTimePolicy", `{"policy":"pause"}`},
		{"Emulation.setDeviceMetricsOverride", `{"width":333,"height":444,"deviceScaleFactor":3,"mobile":true}`},
		{"Emulation.setUserAgentOverride", `{"userAgent":"another"}`},
		{"Network.emulateNetworkConditions", `{"offline":true,"latency":0,"downloadThroughput":-1,"uploadThroughput":-1}`},
	} {
		a.ask(session, c[0], c[1])
	}
	pipetest.Has(t, a.does(session, "innerWidth + navigator.userAgent"), "another")
	_ = a.w.Close()
	pipetest.Eventually(t, "the tab is as it was", func() bool { return p.sees(hands, looks) == before })
}
