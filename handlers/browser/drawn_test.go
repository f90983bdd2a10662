package browser_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// One browser draws all sessions' pages, so the pixels of a session's pages are bounded
// together, whoever enlarges one. Closed pages free their pixels.
func TestPixelsOfAllPages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestMaxPages is quick")
	p := pipetest.Shared(t, fewPages...)
	p.Call("nav", []any{"/login"})
	const together = "over a limit: the session's pages would have more than 256000000 pixels together"
	p.Call("viewport", []any{16000, 7000})
	const large = "const c = await browser.newContext({viewport: {width: 4000, height: 7000}, deviceScaleFactor: 2}), q = await c.newPage(); "
	p.Complains(together, "execute", pipetest.Object{"code": large + "state = {}; await c.newPage()"})
	for _, code := range []string{
		"await (await browser.newContext()).newPage().then((q) => q.setViewportSize({width: 8000, height: 8000}))",
		"const d = await browser.newContext(), w = await d.newPage(), s = await d.newCDPSession(w); " +
			"await s.send('Emulation.setDeviceMetricsOverride', {width: 8000, height: 8000, deviceScaleFactor: 1, mobile: false})",
	} {
		p.Complains(together, "execute", pipetest.Object{"code": code})
	}
	p.Call("viewport", []any{1280, 720})
	if got := pipetest.Execute(p, "for (const c of browser.contexts()) if (c !== page.context()) await c.close(); "+large+"await c.close(); 1"); got != "1" {
		t.Errorf("what has gone makes no room: %s", got)
	}
	p.Call("device", []any{"iPhone 15"})
	p.Complains("over a limit", "viewport", []any{10000, 3000}) // at scale 3: times nine
	if got := p.Text("url", nil); !strings.HasSuffix(got, "/login") {
		t.Errorf("the page is at %s", got)
	}
}

// A picture too large for any renderer is refused without asking one, which would cost
// it a gigabyte.
func TestPicturesOfLargePages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestMaxPages is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/login"})
	p.Call("eval", []any{"void (document.body.innerHTML = '<div id=large style=\"width:100000px;height:100000px\"></div><p id=small>small</p>')"})
	path := t.TempDir() + "/a.png"
	const refused = "the limit is 128000000; take pictures of parts of it"
	p.Complains(refused, "shot", pipetest.Object{"path": path, "full": true})
	p.Complains(refused, "eshot", []any{"#large", path})
	p.Complains(refused, "screenshot", pipetest.Object{"fullPage": true})
	p.Complains(refused, "expect-shot", pipetest.Object{"path": path, "full": true, "update": true})
	p.Call("shot", []any{path})
	p.Call("eval", []any{"void document.querySelector('#large').remove()"})
	p.Call("eshot", []any{"#small", path})
	p.Call("shot", pipetest.Object{"path": path, "full": true})
}
