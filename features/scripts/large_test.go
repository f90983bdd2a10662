package scripts_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Scripts, like tools, may not make the shared browser use huge memory. The browser
// survives each attempt.
func TestViewportsOfScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestMaxPages of handlers/browser is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	for _, code := range []string{
		"await page.setViewportSize({width: 100000, height: 100000})",
		"await page.setViewportSize({width: 100000, height: 600})",
		"await browser.newContext({viewport: {width: 100000, height: 100000}})",
		"await browser.newContext({viewport: {width: 600, height: 600}, deviceScaleFactor: 1000})",
		"await browser.newContext({viewport: {width: 600, height: 600}, screen: {width: 100000, height: 100000}})",
		"const c = await browser.newContext({viewport: {width: 600, height: 600}, deviceScaleFactor: 8}); const q = await c.newPage(); await q.setViewportSize({width: 15000, height: 8000})",
		"const s = await page.context().newCDPSession(page); await s.send('Emulation.setDeviceMetricsOverride', {width: 0, height: 0, deviceScaleFactor: 100, mobile: false})",
		"const s = await page.context().newCDPSession(page); await s.send('Page.printToPDF', {paperWidth: 100000, paperHeight: 100000})",
		huge + "await s.send('Page.captureScreenshot', {captureBeyondViewport: true})",
		huge + "await s.send('Emulation.setDeviceMetricsOverride', {width: 300, height: 200, deviceScaleFactor: 9, mobile: false}); await s.send('Page.captureScreenshot', {captureBeyondViewport: true, clip: {x: 0, y: 0, width: 11000, height: 11000, scale: 1}})",
	} {
		if said := p.Fail("execute", pipetest.Object{"code": code}); !strings.Contains(said, "over a limit") {
			t.Errorf("%s: %s", code, said)
		}
	}
	if said := p.Fail("viewport", []any{20000, 20000}); !strings.Contains(said, "over a limit") {
		t.Errorf("the tool: %s", said)
	}
	whole := "const s = await page.context().newCDPSession(page); await s.send('Emulation.setDeviceMetricsOverride', {width: 300, height: 200, deviceScaleFactor: 2, mobile: false}); await page.evaluate(() => { document.body.innerHTML = '<div style=\"width:800px;height:600px\">'; document.body.style.margin = 0 }); const b = Buffer.from((await s.send('Page.captureScreenshot', {captureBeyondViewport: true})).data, 'base64'); [b.readUInt32BE(16), b.readUInt32BE(20)].join()"
	if got := pipetest.Execute(p, whole); got != `"1600,1200"` {
		t.Errorf("a whole page: %s", got)
	}
	pipetest.Execute(p, "await page.setViewportSize({width: 3000, height: 2000}); 1")
	if got := p.Text("url", nil); !strings.HasSuffix(got, "/login") {
		t.Errorf("the page is at %s", got)
	}
}

// huge is a page too large for a picture of all of it.
const huge = "await page.evaluate(() => { document.body.innerHTML = '<div style=\"width:100000px;height:100000px\">' }); const s = await page.context().newCDPSession(page);"
