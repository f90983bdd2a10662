//go:build evidence

package scripts_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// If a route handler throws, its request fails, whether or not the handler awaits its
// calls. A handler that catches the error may answer otherwise.
func TestRoutesThatFail(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/form"})
	const code = `
		await page.route('**/r/awaited', r => r.fulfill({path: '/etc/passwd'}));
		await page.route('**/r/alone', r => { r.fulfill({path: '/etc/passwd'}) });
		await page.route('**/r/own', () => { throw new Error('own') });
		await page.route('**/r/taken', async r => { try { await r.fulfill({path: '/etc/passwd'}) } catch { await r.fulfill({body: 'taken'}) } });
		return await page.evaluate(() => Promise.all(['awaited', 'alone', 'own', 'taken'].map(
			(name) => fetch('/r/' + name, {signal: AbortSignal.timeout(8000)}).then(r => r.text(), e => e.name))))`
	got := p.Call("execute", pipetest.Object{"code": code}, "timeout", 20)
	if !strings.Contains(got, `["TypeError","TypeError","TypeError","taken"]`) || !strings.Contains(got, "outside of the allowed folders") {
		t.Error(got)
	}
}
