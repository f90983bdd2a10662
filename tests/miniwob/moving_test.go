//go:build evidence

package miniwob

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

func socialMedia(a *agent) {
	d := a.find(`user (@\S+), click on the "(.+?)" button`)
	name := regexp.QuoteMeta(d[0])
	more := a.find(`item: ".*` + name + ` .*\[ref=(\w+)\] \(\.more`)[0]
	a.act("await page.hover(%s)", "aria-ref="+more) // another picture appears, which has to load
	a.act("await page.waitForTimeout(300)")
	a.click(more)
	a.look()
	a.click(a.ref(`listitem \[ref=\w+\]: ` + regexp.QuoteMeta(d[1])))
}

func swatch(a *agent) {
	a.fill(a.ref("textbox"), strings.ToUpper(strings.TrimPrefix(a.shape("box", 0).colour, "#")))
	a.press("Tab")
}

func addition(a *agent) {
	a.fill(a.ref("textbox"), strconv.Itoa(len(a.refs(`\[ref=\w+\] \((?:box|\.addition-block) #`))))
}

// chase keeps the mouse in the circle until the episode ends.
func chase(a *agent) {
	a.act(`const circle = page.locator(%s), over = page.getByText('START', {exact: true})
while (!await over.isVisible()) { const b = await circle.boundingBox(); await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2) }`,
		"aria-ref="+a.shape("circle", 0).ref)
}

// movingItems clicks each visible circle, again and again.
func movingItems(a *agent) {
	var refs []string
	for _, d := range a.shapes("circle") {
		refs = append(refs, "aria-ref="+d.ref)
	}
	list, _ := json.Marshal(refs)
	a.act(`const over = page.getByText('START', {exact: true})
while (!await over.isVisible()) for (const ref of %s) {
  const b = await page.locator(ref).boundingBox({timeout: 50}).catch(() => null)
  if (b && b.x > 4 && b.x + b.width < 156 && b.y > 52 && b.y + b.height < 190) await page.mouse.click(b.x + b.width / 2, b.y + b.height / 2)
}`, list)
}

// digit draws a two as most people do.
func digit(a *agent) {
	a.elsewhere("the example is a picture without a name, and boxes don't say their rows")
	drawn := map[string]string{"2": ".##." + "#..#" + "#..#" + "..#." + ".#.." + "#..." + "####"}[a.find(`number "(\d)"`)[0]]
	for i, ref := range a.refs("checkbox") {
		if drawn[i] == '#' {
			a.click(ref)
		}
	}
}
