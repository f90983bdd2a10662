package reach

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// waits are waits that must end long before their timeout on a page that
// existed before anybody navigated it.
var waits = []struct {
	method string
	params any
}{
	{"snapshot", nil},
	{"search", map[string]any{"pattern": "x"}},
	{"screenshot", map[string]any{"labels": true}},
	{"page.waitFor", map[string]any{"state": "load"}},
	{"page.waitFor", map[string]any{"state": "domcontentloaded"}},
	{"page.waitFor", map[string]any{"state": "networkidle"}},
	{"execute", map[string]any{"code": `await page.waitForLoadState(); await page.waitForLoadState('domcontentloaded'); await page.mainFrame().waitForLoadState('load')`}},
	{"execute", map[string]any{"code": `await page.waitForLoadState('networkidle')`}},
	{"execute", map[string]any{"code": `await page.waitForURL(u => u.href === page.url(), {timeout: 15000}); await page.evaluate(() => { location.hash = 'on' }); await page.waitForURL(/#on$/)`}},
	{"execute", map[string]any{"code": `await accessibilitySnapshot({}); if (!(await waitForPageLoad({})).success) throw new Error('never loaded')`}},
	{"expect-count", []any{"nothing", 0}},
}

func wantEnds(t *testing.T, p *pipetest.Pipe, more ...any) {
	t.Helper()
	for _, w := range waits {
		timeout := 20
		if strings.HasPrefix(w.method, "page.") {
			timeout *= 1000
		}
		if r := p.Try(w.method, w.params, append(more, "timeout", timeout)...); r.Error != "" {
			code, _ := json.Marshal(w.params)
			t.Errorf("%s %s %v: %s", w.method, code, more, r.Error)
		}
	}
}

func TestPagesThatNobodyNavigated(t *testing.T) {
	pipetest.InCI(t, "TestAttach covers its core")
	t.Parallel()
	p := pipetest.StartSite(t, "--profile", "agent")
	wantEnds(t, p) // about:blank of a new session
	p.Call("reset", nil)
	wantEnds(t, p)
	ctx := p.Text("new-ctx", nil)
	wantEnds(t, p, "page", p.Text("new-page", []any{ctx}))
	p.Call("nav", []any{"/shadow"})
	p.Call("eval", []any{"open(''), open('/form'), 1"})
	var pages []struct{ Page string }
	if err := json.Unmarshal([]byte(p.Call("pages", nil)), &pages); err != nil {
		t.Fatal(err)
	}
	for _, page := range pages[len(pages)-2:] { // the pop-ups
		wantEnds(t, p, "page", page.Page)
	}
	if got := p.Call("execute", map[string]any{"code": `const own = await (await browser.newContext()).newPage();
await own.waitForLoadState(); await own.waitForLoadState('networkidle'); const at = own.url(); await own.context().close(); at`}); got != `{"result":"about:blank"}` {
		t.Error(got)
	}
}

func TestTabsThatWereThereBefore(t *testing.T) {
	pipetest.InCI(t, "TestAttach covers its core")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/frames")
	p := pipetest.Start(t, append(cdp(c), "--base-url", site, "--profile", "agent")...)
	for _, page := range []string{"p1", "p2"} {
		wantEnds(t, p, "page", page)
		if strings.HasSuffix(p.Text("url", nil, "page", page), "/frames#on") {
			p.Call("use-page", []any{page})
		}
	}
	wantFrames(t, p, "", "details", "srcdoc", "outer", "inner")
	pipetest.Has(t, p.Text("snapshot", nil), "Send from inner")
	pipetest.Has(t, p.Call("execute", map[string]any{"code": `for (const f of page.frames()) await f.waitForLoadState(); page.frames().length`}, "timeout", 20), "5")
}

// A load that does not come is waited for, and reported as missing.
func TestLoadStatesThatDoNotCome(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/shadow"})
	p.Call("eval", []any{"document.body.append(Object.assign(new Image(), {src: '/never/image.svg'})), 1"})
	pipetest.Has(t, p.Fail("page.waitFor", map[string]any{"state": "networkidle"}, "timeout", 2000), "the network did not become idle within 2 s", "no response from", "/never/image.svg")
	pipetest.Has(t, p.Fail("execute", map[string]any{"code": "await page.waitForLoadState('never')"}), "state: expected one of (load|domcontentloaded|networkidle|commit)")
	pipetest.Has(t, p.Fail("execute", map[string]any{"code": "await page.goto('/never/half', {waitUntil: 'commit'}); await page.waitForLoadState('load', {timeout: 300})"}),
		"page.waitForLoadState: Timeout 300ms exceeded")
}

// The latest logs include what the page logged before the first script.
func TestLatestLogsReachBack(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"data:text/html,<script>console.warn('early word'); throw new TypeError('early fault')</script>"})
	got := p.Call("execute", map[string]any{"code": "await getLatestLogs({search: 'early'})"})
	if want := `{"result":["[warning] early word","[pageerror] early fault"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
