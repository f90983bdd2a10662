package miniwob

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"pwpipe/internal/pipetest"
)

// hidden are the tasks where the outline lacks something: each policy says what, and takes it elsewhere.
var hidden = map[string]policy{
	"ascending-numbers": ascending,
	"bisect-angle":      do(bisect, submit),
	"chase-circle":      chase,
	"circle-center":     do(func(a *agent) { a.at(a.shape("circle", 0)) }, submit),
	"click-shape":       clickShape,
	"click-widget":      widget,
	"count-shape":       countShape,
	"drag-circle":       do(direction("circle"), submit),
	"drag-single-shape": do(direction("svg > *"), submit),
	"drag-shapes":       do(dragShapes, submit),
	"drag-shapes-2":     do(dragShapesApart, submit),
	"draw-circle":       do(drawCircle, submit),
	"draw-line":         do(drawLine, submit),
	"find-midpoint":     do(midpoint, submit),
	"grid-coordinate":   gridCoordinate,
	"moving-items":      movingItems,
	"navigate-tree":     tree,
	"number-checkboxes": do(digit, submit),
	"order-food":        orderFood,
	"right-angle":       do(rightAngle, submit),
	"social-media":      socialMedia,
	"use-colorwheel-2":  do(swatch, submit),
	"visual-addition":   do(addition, submit),
}

// at clicks a place.
func (a *agent) at(x, y float64) { a.act("await page.mouse.click(%v, %v)", x, y) }

// shape is the middle of the n-th shape of a drawing, which no line of the outline stands for.
func (a *agent) shape(sel string, n int) (x, y float64) {
	a.t.Helper()
	a.elsewhere("shapes of a drawing have no line: neither what nor where they are")
	x, y, _, _ = a.box(fmt.Sprintf("svg %s >> nth=%d", sel, n))
	return x, y
}

func ascending(a *agent) {
	a.elsewhere("numbers of a drawing that have a listener alone are one text, without refs")
	a.act("await page.getByText('1', {exact: true}).click()")
	for i := 2; i <= 5; i++ {
		a.act("await page.locator('svg rect').first().click()")
	}
}

func bisect(a *agent) {
	x0, y0 := a.shape("circle", 0) // the vertex
	x1, y1 := a.shape("circle", 1)
	x2, y2 := a.shape("circle", 2)
	d1, d2 := math.Hypot(x1-x0, y1-y0), math.Hypot(x2-x0, y2-y0)
	dx, dy := (x1-x0)/d1+(x2-x0)/d2, (y1-y0)/d1+(y2-y0)/d2
	a.at(x0+15*dx, y0+15*dy)
}

// matches says whether the line of a letter, a digit or a shape is of a description, "large black item".
func (a *agent) matches(l, what string) bool {
	ref := re(`\[ref=(\w+)`).FindStringSubmatch(l)[1]
	a.elsewhere("letters of a drawing have no colour")
	colour := a.call("attr", pipetest.Object{"sel": ref, "name": "fill"})
	size := re(`(\d+)x(\d+) at`).FindStringSubmatch(l)
	mark := re(`: (\S)$`).FindStringSubmatch(l)
	shape := re(`\((rect|circle|polygon)`).FindStringSubmatch(l)
	for _, word := range strings.Fields(strings.TrimSuffix(what, "s")) {
		fits := false
		switch word {
		case "large", "small":
			fits = (number(size[2]) > 15) == (word == "large")
		case "item":
			fits = true
		case "letter":
			fits = mark != nil && !re(`\d`).MatchString(mark[1])
		case "digit":
			fits = mark != nil && re(`\d`).MatchString(mark[1])
		case "shape":
			fits = shape != nil
		case "circle", "rectangle", "triangle":
			fits = shape != nil && shape[1] == map[string]string{"circle": "circle", "rectangle": "rect", "triangle": "polygon"}[word]
		default:
			fits = strings.Contains(colour, word) || mark != nil && mark[1] == word
		}
		if !fits {
			return false
		}
	}
	return true
}

func clickShape(a *agent) {
	what := a.find(`Click on an? (.+)"`)[0]
	for _, l := range a.lines(`clickable.* at `) {
		if a.matches(l, what) {
			a.click(re(`\[ref=(\w+)`).FindStringSubmatch(l)[1])
			return
		}
	}
}

func countShape(a *agent) {
	what := a.find(`How many (.+) are there`)[0]
	n := 0
	for _, l := range a.lines(`clickable.* at `) {
		if a.matches(l, what) {
			n++
		}
	}
	button(strconv.Itoa(n))(a)
}

func widget(a *agent) {
	kind := a.find(`Click on a "(\w+)" widget`)[0]
	if kind == "text" || kind == "textarea" {
		a.elsewhere("fields don't say whether they have one line or several")
		a.act("await page.locator(%s).first().click()", map[string]string{"text": ".widget input", "textarea": "textarea"}[kind])
		return
	}
	a.click(a.ref(kind))
}

// direction drags a shape up, down, left or right.
func direction(sel string) policy {
	return func(a *agent) {
		way := a.find(`Drag the \w+ (\w+) then`)[0]
		d := map[string][2]int{"up": {0, -20}, "down": {0, 20}, "left": {-20, 0}, "right": {20, 0}}[way]
		a.elsewhere("a shape that can be dragged has no line")
		a.pull(sel+" >> nth=0", d[0], d[1])
	}
}

func dragShapes(a *agent) {
	kind := map[string]string{"circles": "circle", "rectangles": "rect", "triangles": "polygon"}[a.find(`Drag all (\w+) into`)[0]]
	x, y := a.shape("#shape-container", 0)
	for _, ref := range a.refs(`\(` + kind) {
		a.carry(ref, x, y)
	}
}

func dragShapesApart(a *agent) {
	what := a.find(`Drag all (.+) into the left`)[0]
	sort := map[string]string{"circles": "circle", "rectangles": "rect", "triangles": "polygon"}[what]
	lx, ly := a.shape("#shape-container", 0)
	rx, ry := a.shape("#shape-container", 1)
	for _, l := range a.lines(`clickable.*\((rect|circle|polygon)`) {
		x, y := rx, ry
		if strings.Contains(l, "("+sort) {
			x, y = lx, ly
		}
		a.carry(re(`\[ref=(\w+)`).FindStringSubmatch(l)[1], x, y)
	}
}

func drawLine(a *agent) {
	x, y := a.shape("circle", 0)
	dx, dy := 0.0, 25.0
	if a.find(`Draw a (\w+) line`)[0] == "horizontal" {
		dx, dy = 25, 0
	}
	a.stroke(x-dx, y-dy, x+2*dx, y+2*dy)
}

// stroke draws a line with the mouse.
func (a *agent) stroke(x1, y1, x2, y2 float64) {
	a.act("await page.mouse.move(%v, %v); await page.mouse.down()", x1, y1)
	a.act("await page.mouse.move(%v, %v, {steps: 20}); await page.mouse.up()", x2, y2)
}

func drawCircle(a *agent) {
	x, y := a.shape("circle", 0)
	a.act(`for (let i = 0; i <= 40; i++) {
  await page.mouse.move(%v + 30 * Math.cos(i * Math.PI / 20), %v + 30 * Math.sin(i * Math.PI / 20)); if (!i) await page.mouse.down()
} await page.mouse.up()`, x, y)
}

func midpoint(a *agent) {
	x1, y1 := a.shape("circle", 0)
	x2, y2 := a.shape("circle", 1)
	a.at((x1+x2)/2, (y1+y2)/2)
}

func rightAngle(a *agent) {
	x1, y1 := a.shape("circle", 0)
	x2, y2 := a.shape("circle", 1) // the vertex
	d := math.Hypot(x1-x2, y1-y2) / 20
	x, y := x2-(y1-y2)/d, y2+(x1-x2)/d
	if x < 5 || x > 150 || y < 55 || y > 175 {
		x, y = 2*x2-x, 2*y2-y
	}
	a.at(x, y)
}

func gridCoordinate(a *agent) {
	a.elsewhere("the points of the grid have a listener alone and no line")
	a.act("await page.locator(%s).click()", `[id="`+a.find(`coordinate (\(\S+\))`)[0]+`"]`)
}

// tree opens folders until the one that is looked for is there.
func tree(a *agent) {
	want := a.find(`named "(.+?)"`)[0]
	a.elsewhere("items of the tree don't say which are folders, nested ones have no refs")
	for range 6 {
		if len(a.lines(`"?`+regexp.QuoteMeta(want)+`"?$`)) > 0 {
			break
		}
		a.act("await page.locator('.expandable > .hitarea:visible').first().click()")
		a.act("await page.waitForTimeout(100)")
		a.look()
	}
	a.act("await page.locator('#tree').getByText(%s, {exact: true}).first().click()", want)
}

func orderFood(a *agent) {
	a.elsewhere("a plus with a listener alone has no ref, the minus beside it has")
	pluses := 0
	wanted := strings.Split(a.find(`each item: (.+)"`)[0], ", ")
	name := ""
	for _, l := range a.lines(`- "`) {
		if text := strings.Trim(l, `- "`); text != "+" {
			name = text
			continue
		}
		for _, w := range wanted {
			if w == name {
				a.act("await page.getByText('+', {exact: true}).nth(%d).click()", pluses)
			}
		}
		pluses++
	}
	button("Order!")(a)
}
