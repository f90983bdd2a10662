//go:build evidence

package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A script that clicked, and changed nothing that the outline shows, says so once, as the tool click does.
func TestScriptsWhoseClicksChangeNothing(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClicksThatChangedNothing is quick")
	t.Parallel()
	const nothing = "→ nothing changed that the outline shows"
	site := pipetest.ServePages(t, map[string]string{"/": `<h1>Ferry</h1><button id=dead>Book</button> <button id=live onclick="said.textContent += ' booked'">Pay</button>
<p id=said>Nobody</p><input id=name aria-label=Name><script>window.count = 0</script>`, "/next": "<h1>Pier</h1>"})
	p := startTelling(t, site)
	call := pipetest.OverMCP(p)
	call("nav", pipetest.Object{"url": site, "timeout": 60})
	for _, c := range []struct {
		code  string
		tells bool
		has   string
	}{
		{"await page.click('#dead')", true, ""},
		{"await page.locator('#dead').dblclick(); await page.mouse.click(200, 20); await page.title()", true, ""},
		{"await page.getByText('Nobody').click(); 7", true, "7\n"},
		{"await page.click('#live')", false, "booked"},
		{"await page.click('#dead'); await page.click('#live')", false, "booked"},
		{"await page.title()", false, ""},
		{"await page.evaluate(() => { count++ })", false, ""},
		{"await page.click('#dead'); await page.goto('" + site + "/next')", false, "Pier"},
		{"await page.textContent('h1')", false, "Pier"},
	} {
		got := call("execute", pipetest.Object{"code": c.code, "timeout": 60})
		pipetest.Has(t, got, c.has)
		if n := strings.Count(got, nothing); c.tells != (n == 1) || n > 1 {
			t.Errorf("%s: %q", c.code, got)
		}
	}
}
