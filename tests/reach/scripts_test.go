package reach

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// TestScriptsInTheirTabs: scripts work on the tabs of another person's Chrome as the tools
// see them, with that person's cookies, and leave them open.
func TestScriptsInTheirTabs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/form")
	c.open("chrome://version/")
	p := pipetest.Start(t, append(cdp(c), "--base-url", site)...)
	run := func(code string) string { t.Helper(); return scriptOn(t, p, formTab(t, p), code) }
	if got := run("document = await page.locator('h1').textContent(); await page.fill('#name', 'Ada'); return [document, page.context().pages().map((p) => p.url()).sort()]"); got != fmt.Sprintf(`["Form",["about:blank","%s/form"]]`, site) {
		t.Error(got)
	}
	if got := p.Text("value", []any{"#name"}, "page", formTab(t, p)); got != "Ada" {
		t.Errorf("the tools see %s", got)
	}
	run("await context.addCookies([{ name: 'mine', value: '1', url: page.url() }])")
	if got := p.Text("eval", []any{"document.cookie"}, "page", formTab(t, p)); !strings.Contains(got, "mine=1") {
		t.Errorf("cookies: %s", got)
	}
	if got := run("const own = await context.newPage(); await own.goto('/shadow'); state.own = own; return own.url()"); got != `"`+site+`/shadow"` {
		t.Error(got)
	}
	if got := run("const [up] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => { open('/frames'); })]); await up.waitForURL('**/frames'); return [up.url(), context.pages().length]"); got != `["`+site+`/frames",4]` {
		t.Error(got)
	}
	// A person opens a tab, and one leaves a page of the browser's own.
	c.open(site + "/shadow?theirs")
	if got := run("await expect.poll(() => context.pages().map((p) => p.url())).toContain('" + site + "/shadow?theirs'); return state.own.url()"); got != `"`+site+`/shadow"` {
		t.Error(got)
	}
	// A new context has nothing of theirs.
	if got := run("const c = await browser.newContext(), p = await c.newPage(); await p.goto('/form'); const n = (await c.cookies()).length; await c.close(); return n"); got != "0" {
		t.Error(got)
	}
	pipetest.Has(t, p.Fail("execute", []any{"await context.close()"}, "page", formTab(t, p)), "does not close a context")
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	pipetest.Has(t, strings.Join(c.tabs(), " "), site+"/form", "chrome://version/", site+"/frames", site+"/shadow")
}

// formTab is the handle of the tab with the form.
func formTab(t *testing.T, p *pipetest.Pipe) string {
	t.Helper()
	for i := 1; i < 20; i++ {
		page := fmt.Sprintf("p%d", i)
		if r := p.Try("url", nil, "page", page); r.Error == "" && strings.Contains(string(r.Result), "/form") {
			return page
		}
	}
	t.Fatal("the form is in no tab")
	return ""
}

// scriptOn runs a script on a page and returns its result as JSON.
func scriptOn(t *testing.T, p *pipetest.Pipe, page, code string) string {
	t.Helper()
	return string(pipetest.Decode[struct{ Result json.RawMessage }](t, p.Call("execute", []any{code}, "page", page)).Result)
}

// TestScriptsSeeWhatToolsMay: a tab that the policy refuses does not exist for scripts. One
// that navigates there is gone for them.
func TestScriptsSeeWhatToolsMay(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab is quick")
	t.Parallel()
	site := pipetest.Site(t)
	ln, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip(err)
	}
	other := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<title>SECRET</title>") })}
	go func() { _ = other.Serve(ln) }()
	t.Cleanup(func() { _ = other.Close() })
	elsewhere := "http://" + ln.Addr().String() + "/"
	away := httptest.NewServer(http.RedirectHandler(elsewhere, http.StatusFound)) // interception does not see the redirect
	t.Cleanup(away.Close)

	c := startChrome(t, "0")
	c.open(elsewhere)
	c.open(site + "/form")
	p := pipetest.Start(t, append(cdp(c), "--base-url", site, "--allowed-domains", "127.0.0.1")...)
	page := formTab(t, p)
	if got := scriptOn(t, p, page, "return context.pages().map((p) => p.url()).sort()"); got != `["about:blank","`+site+`/form"]` {
		t.Errorf("a script sees %s", got)
	}
	got := scriptOn(t, p, page, "const own = await context.newPage(); await own.goto('"+away.URL+"').catch(() => {}); "+
		"return await expect.poll(() => own.isClosed()).toBe(true).then(() => own.title()).catch((e) => e.message)")
	pipetest.Has(t, got, "has been closed")
	pipetest.Lacks(t, got, "SECRET")
	pipetest.Has(t, strings.Join(c.tabs(), " "), elsewhere)
	pipetest.Has(t, p.Fail("execute", []any{"await page.goto('" + elsewhere + "')"}, "page", page), "blocked", "not an allowed domain")
}

// TestClientsInTheirBrowser: whatever a client of session.cdp asks, it gets only what its
// session's tools have of another person's browser.
func TestClientsInTheirBrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs, and TestNothingButLentTabs of features/owntabs/lend, are quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/form")
	svc := pipetest.StartService(t, "--cdp="+c.addr, "ALLOW_HOST_REGEX=.*")
	lent := svc.Open(map[string]any{"tabs": true})
	pages := lent.On("pages", nil)
	if !strings.Contains(pages, "/form") {
		t.Fatal(pages)
	}
	theirs := connectTo(t, svc, lent)
	list := theirs.ask("Target.getTargets", nil)
	pipetest.Has(t, list, site+"/form")
	tab := regexp.MustCompile(`"targetId":"(\w+)"[^}]*/form`).FindStringSubmatch(list)
	home := regexp.MustCompile(`"browserContextId":"(\w+)"[^}]*/form"`).FindStringSubmatch(list)
	if tab == nil || home == nil {
		t.Fatal(list)
	}
	cookie := map[string]any{"name": "SECRET", "value": "1", "url": site}
	pipetest.Lacks(t, theirs.ask("Storage.setCookies", map[string]any{"cookies": []any{cookie}}), `"error"`)
	pipetest.Has(t, theirs.ask("Storage.getCookies", map[string]any{"browserContextId": home[1]}), "SECRET")
	pipetest.Has(t, theirs.ask("Target.createBrowserContext", nil), `"error"`, "new-ctx")

	own := svc.Open(nil)
	own.On("nav", map[string]any{"url": site + "/shadow"})
	ours := connectTo(t, svc, own)
	pipetest.Has(t, ours.ask("Target.getTargets", nil), site+"/shadow")
	ours.ask("Target.setDiscoverTargets", map[string]any{"discover": true})
	ours.ask("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	for method, params := range map[string]map[string]any{"Target.attachToTarget": {"targetId": tab[1], "flatten": true}, "Target.closeTarget": {"targetId": tab[1]},
		"Storage.getCookies": {"browserContextId": home[1]}, "Storage.clearCookies": {"browserContextId": home[1]}, "Target.createTarget": {"url": "about:blank", "browserContextId": home[1]},
		"Target.createBrowserContext": {}, "Target.disposeBrowserContext": {"browserContextId": home[1]}} {
		pipetest.Has(t, ours.ask(method, params), `"error"`)
	}
	ours.ask("Storage.clearCookies", nil)
	pipetest.Lacks(t, ours.ask("Storage.getCookies", nil)+ours.heard, "SECRET", tab[1])
	pipetest.Has(t, theirs.ask("Storage.getCookies", nil), "SECRET")
	pipetest.Has(t, strings.Join(c.tabs(), " "), site+"/form")
}

// client is a client of session.cdp.
type client struct {
	t       *testing.T
	ws      *websocket.Conn
	last    int
	session string // used for commands, "" for the first
	heard   string // all events
}

func connectTo(t *testing.T, svc *pipetest.Service, s pipetest.Session) *client {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(strings.Replace(svc.URL, "http:", "ws:", 1)+"/cdp/"+s.ID, http.Header{"X-Api-Key": {svc.Key}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	return &client{t: t, ws: ws}
}

// ask is the whole reply to a command.
func (c *client) ask(method string, params map[string]any) string {
	c.t.Helper()
	c.say(method, params)
	for {
		_, m, err := c.ws.ReadMessage()
		if err != nil {
			c.t.Fatalf("%s: %v", method, err)
		}
		if strings.HasPrefix(string(m), fmt.Sprintf(`{"id":%d,`, c.last)) {
			return string(m)
		}
		c.heard += string(m)
	}
}

// say sends a command.
func (c *client) say(method string, params map[string]any) {
	c.t.Helper()
	c.last++
	if params == nil {
		params = map[string]any{}
	}
	m := map[string]any{"id": c.last, "method": method, "params": params}
	if c.session != "" {
		m["sessionId"] = c.session
	}
	if err := c.ws.WriteJSON(m); err != nil {
		c.t.Fatal(err)
	}
}
