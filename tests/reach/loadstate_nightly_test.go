//go:build evidence

package reach

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// A load that does not come is waited for, and reported as missing.
func TestLoadStatesThatDoNotCome(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestWorkInALentTab is quick")
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
	pipetest.Nightly(t, "it is long, and TestAttach is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"data:text/html,<script>console.warn('early word'); throw new TypeError('early fault')</script>"})
	got := p.Call("execute", map[string]any{"code": "await getLatestLogs({search: 'early'})"})
	if want := `{"result":["[warning] early word","[pageerror] early fault"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
