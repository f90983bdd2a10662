//go:build evidence

package browser_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// The size of a clip includes the context's scale. Invalid numbers are refused before
// they reach Chromium.
func TestClipsOfScripts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPixelsOfAllPages is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	const begin = "const c = await browser.newContext({viewport: {width: 1000, height: 1000}, deviceScaleFactor: 5}), q = await c.newPage(), s = await c.newCDPSession(q); await s.send("
	for _, ask := range []string{
		"'Page.captureScreenshot', {clip: {x: 0, y: 0, width: 3000, height: 3000, scale: 1}}",
		"'Page.captureScreenshot', {clip: {x: 0, y: 0, width: -300, height: 300, scale: 1}}",
		"'Page.captureScreenshot', {clip: {x: 0, y: 0, width: 1e8, height: 1e-8, scale: 1}}",
		"'Page.captureScreenshot', {clip: {x: -1e8, y: 0, width: 10, height: 10, scale: 1}}",
		"'Page.captureScreenshot', {clip: {x: 0, y: 0, width: 10, height: 10, scale: -1}}",
		"'Emulation.setDeviceMetricsOverride', {width: 100, height: 100, deviceScaleFactor: -1, mobile: false}",
		"'Emulation.setDeviceMetricsOverride', {width: -1, height: 100, deviceScaleFactor: 1, mobile: false}",
		"'Emulation.setDeviceMetricsOverride', {width: 100, height: 100, deviceScaleFactor: 1, mobile: false, positionX: 1e8}",
		"'Emulation.setDeviceMetricsOverride', {width: 100, height: 100, deviceScaleFactor: 1, mobile: false, viewport: {x: 0, y: 0, width: 1e5, height: 1e5, scale: 1}}",
	} {
		p.Complains("over a limit", "execute", pipetest.Object{"code": begin + ask + ")"})
	}
	pipetest.Execute(p, begin+"'Page.captureScreenshot', {clip: {x: 10, y: 10, width: 200, height: 200, scale: 1}}); 1")
}
