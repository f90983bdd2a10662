package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestWhereActsLedIsTold: a script that acts and goes on to another page is told where its acts led, also if all of the
// view was replaced or another document came, and whichever act it was.
func TestWhereActsLedIsTold(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsSayWhatTheyDid is quick")
	t.Parallel()
	const menu = `<div role=status>Shipping is free <button>Hide</button></div><nav><a href=/next>Lamps</a> <a href=/next>Chairs</a></nav>`
	thanks := `<h1>Thank you</h1><button>Print order 4711</button>`
	site := pipetest.ServePages(t, map[string]string{
		"/next":   `<h1>Lamps</h1><button>Add a lamp</button>`,
		"/view":   `<div id=m><h1>Cart</h1><button onclick="m.innerHTML = '` + thanks + `'">Order</button></div>`,
		"/form":   menu + `<h1>Cart</h1><form action=/result><button>Order</button></form>`,
		"/result": menu + thanks,
		"/field":  `<h1>Cart</h1><p><input onfocus="document.body.append('Focus came')" onblur="document.body.append('Focus went')" onselect="document.body.append('All is chosen')" value=12></p>`,
	})
	call := pipetest.OverMCP(startAgent(t, "/"))
	run := func(path, code string) string {
		call("nav", pipetest.Object{"url": site + path, "timeout": 60})
		return call("execute", pipetest.Object{"code": code, "timeout": 60})
	}
	next := "; await page.goto('" + site + "/next')"
	const order, said = "await page.click('text=Order'); await page.waitForSelector('text=4711')", "→ before page.goto: + "
	for _, path := range []string{"/view", "/form"} {
		got := run(path, order+next)
		pipetest.Lacks(t, got, "Shipping") // it was known before
		pipetest.Has(t, got, said+`h1 "Thank you"; + button "Print order 4711"`+"\n", "Add a lamp")
		pipetest.Lacks(t, run(path, "await page.goto(page.url()); "+order+next), said) // that page was never told
	}
	pipetest.Has(t, run("/field", "await page.focus('input')"+next), said+`"Focus came`)
	pipetest.Has(t, run("/field", "await page.locator('input').selectText(); await page.waitForSelector('text=All is chosen')"+next), "All is chosen")
}
