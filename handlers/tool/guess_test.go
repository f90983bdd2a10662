package tool_test

import (
	"testing"

	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/pipetest"
)

// TestMain: the test binary is also the driver, as pwpipe is.
func TestMain(m *testing.M) {
	reexec.Run()
	pipetest.Main(m)
}

// hiddenClock ticks where nobody sees it: it is no reason to wait.
const hiddenClock = `document.body.insertAdjacentHTML('beforeend', '<p hidden id=clock></p>'), setInterval(() => clock.textContent = Date.now(), 150), 0`

// A call for an element that is not there ends when the page has been at rest for a while, with
// the names that are alike; who gives a time waits so long, and what is on its way is waited for.
func TestGuessesEndEarly(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRoad is quick")
	t.Parallel()
	p := pipetest.StartOn(t, "/login", "--profile", "agent")
	fails := func(code string, wants ...string) {
		t.Helper()
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": code}), wants...)
	}
	p.Call("eval", []string{hiddenClock})
	fails(`await page.getByRole('textbox', {name: 'Pasword'}).fill('x')`,
		"nothing has changed on the page for 1 s", "a timeout waits longer", `textbox here: "Password"`)
	fails(`await page.textContent('#none')`, "nothing has changed on the page for 1 s", "nothing matches #none")
	fails(`await page.locator('#none').click({timeout: 2500})`, "Timeout 2500ms exceeded")
	for name, code := range map[string]string{
		"a request": `await page.route('**/slow', async (r) => { await new Promise((f) => setTimeout(f, 2500)); await r.fulfill({body: 'x'}) });
			await page.evaluate(() => { fetch('/slow').then(() => document.body.append(Object.assign(document.createElement('b'), {id: 'late', textContent: 'there'}))) });`,
		"changes": `await page.evaluate(() => { let n = 0; const i = setInterval(() => {
			document.querySelector('h1').textContent = 'n' + n; if (++n === 48) { clearInterval(i); document.body.insertAdjacentHTML('beforeend', '<b id=late>there</b>') } }, 50) });`,
		"the script's own timer": `setTimeout(() => page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<b id=late>there</b>')), 2500);`,
	} {
		got := p.Call("execute", pipetest.Object{"code": code + ` const text = await page.locator('#late').textContent();
			await page.evaluate(() => document.querySelector('#late').remove()); text`})
		if got != `{"result":"there"}` {
			t.Errorf("%s: %s", name, got)
		}
	}
	// Nothing that was told to be over happens later.
	fails(`await page.click('#later')`, "nothing has changed")
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": `await page.evaluate(() => { window.hits = 0; document.body.insertAdjacentHTML('beforeend',
		'<button id=later onclick="hits++">Later</button>') }); await page.waitForTimeout(700); await page.evaluate(() => hits)`}), `"result":0`)
}
