package miniwob

import (
	"fmt"
	"strconv"

	"pwpipe/internal/pipetest"
)

func socialMedia(a *agent) {
	d := a.find(`user (@\S+), click on the "(.+?)" button`)
	a.elsewhere("of four icons in a row one has a ref: reply, not retweet, like and share")
	item := `.media:has-text("` + d[0] + `")`
	a.act("await page.locator(%s).first().hover()", item+` >> .more`) // another picture comes up, which has to load
	a.act("await page.waitForTimeout(300)")
	a.act("await page.locator(%s).first().click()", item+` >> .more`)
	a.act("await page.locator(%s).getByText(%s).first().click()", item, d[1])
}

func swatch(a *agent) {
	a.elsewhere("a box whose colour is the task has no line")
	m := re(`(\d+), (\d+), (\d+)`).FindStringSubmatch(a.call("attr", pipetest.Object{"sel": ".cc", "name": "style"}))
	colour := ""
	if m != nil {
		for _, part := range m[1:] {
			colour += fmt.Sprintf("%02X", number(part))
		}
	}
	a.t.Log(colour)
	a.fill(a.ref("textbox"), colour)
	a.press("Tab")
}

func addition(a *agent) {
	a.elsewhere("a drawn box that stands alone has no line")
	n := number(a.call("count", pipetest.Object{"sel": ".addition-block"}))
	a.fill(a.ref("textbox"), strconv.Itoa(n))
}

// chase keeps the mouse in the circle until the episode is over.
func chase(a *agent) {
	a.elsewhere("a shape that moves has no line")
	a.act(`const circle = page.locator('svg circle'), over = page.getByText('START', {exact: true})
while (!await over.isVisible()) { const b = await circle.boundingBox(); await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2) }`)
}

// movingItems clicks each circle that is in view, again and again.
func movingItems(a *agent) {
	a.elsewhere("a shape that moves has no line")
	a.act(`const over = page.getByText('START', {exact: true})
while (!await over.isVisible()) for (const circle of await page.locator('svg circle').all()) {
  const b = await circle.boundingBox({timeout: 50}).catch(() => null)
  if (b && b.x > 4 && b.x + b.width < 156 && b.y > 52 && b.y + b.height < 190) await page.mouse.click(b.x + b.width / 2, b.y + b.height / 2)
}`)
}

// digit draws a two, as most people do.
func digit(a *agent) {
	a.elsewhere("the example is a picture without a name, and boxes don't say their rows")
	drawn := map[string]string{"2": ".##." + "#..#" + "#..#" + "..#." + ".#.." + "#..." + "####"}[a.find(`number "(\d)"`)[0]]
	for i, ref := range a.refs("checkbox") {
		if drawn[i] == '#' {
			a.click(ref)
		}
	}
}
