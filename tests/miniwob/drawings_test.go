//go:build evidence

package miniwob

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// drawings are the tasks with shapes, and with things that only a listener makes usable.
var drawings = map[string]policy{
	"ascending-numbers": ascending,
	"bisect-angle":      do(bisect, submit),
	"chase-circle":      chase,
	"circle-center":     do(func(a *agent) { a.at(a.shape("circle", 0).middle()) }, submit),
	"click-shape":       clickShape,
	"click-widget":      widget,
	"count-shape":       countShape,
	"drag-circle":       do(direction("circle"), submit),
	"drag-single-shape": do(direction(""), submit),
	"drag-shapes":       do(dragShapes, submit),
	"drag-shapes-2":     do(dragShapesApart, submit),
	"draw-circle":       do(drawCircle, submit),
	"draw-line":         do(drawLine, submit),
	"find-midpoint":     do(midpoint, submit),
	"grid-coordinate":   gridCoordinate,
	"moving-items":      movingItems,
	"number-checkboxes": do(digit, submit),
	"order-food":        orderFood,
	"right-angle":       do(rightAngle, submit),
	"social-media":      socialMedia,
	"use-colorwheel-2":  do(swatch, submit),
	"visual-addition":   do(addition, submit),
}

// at clicks a place.
func (a *agent) at(x, y float64) { a.act("await page.mouse.click(%v, %v)", x, y) }

// drawn is a shape, from its line.
type drawn struct {
	a                   *agent
	ref, kind, colour   string
	x, y, width, height float64
}

func (d drawn) middle() (x, y float64) {
	d.a.note(need{ref: d.ref, place: fmt.Sprintf("%vx%v at %v,%v", d.width, d.height, d.x, d.y)})
	return d.x + d.width/2, d.y + d.height/2
}

// shapes are the shapes of a kind, all for "", in the outline's order.
func (a *agent) shapes(kind string) (list []drawn) {
	line := `\[ref=(\w+)\] \((` + cmp.Or(kind, `\w+`) + `)\b[^)]*?(#[0-9a-f]{6}), (\d+)x(\d+) at (-?\d+),(-?\d+)`
	all := a.elements(line)
	for _, e := range all {
		a.noteElement(e, line, all)
		m := re(line).FindStringSubmatch(e.line)
		n := func(i int) float64 { return float64(number(m[i])) }
		list = append(list, drawn{a, m[1], m[2], m[3], n(6), n(7), n(4), n(5)})
	}
	return list
}

// shape is the n-th of a kind.
func (a *agent) shape(kind string, n int) drawn {
	a.t.Helper()
	list := a.shapes(kind)
	if n >= len(list) {
		a.t.Fatalf("%d shapes %s, not %d:\n%s", len(list), kind, n+1, a.out)
	}
	return list[n]
}

func ascending(a *agent) {
	a.click(a.ref(`clickable.*: 1$`))
	a.look() // the others lose their numbers and stay where they are
	for i := 2; i <= 5; i++ {
		a.click(a.ref(fmt.Sprintf(`rect data-index=%d `, i)))
	}
}

func bisect(a *agent) {
	x0, y0 := a.shape("circle", 0).middle() // the vertex
	x1, y1 := a.shape("circle", 1).middle()
	x2, y2 := a.shape("circle", 2).middle()
	d1, d2 := math.Hypot(x1-x0, y1-y0), math.Hypot(x2-x0, y2-y0)
	dx, dy := (x1-x0)/d1+(x2-x0)/d2, (y1-y0)/d1+(y2-y0)/d2
	a.at(x0+15*dx, y0+15*dy)
}

// hues are the names of colours.
var hues = map[string]string{"#000000": "black", "#0000ff": "blue", "#ff0000": "red", "#008000": "green", "#ffff00": "yellow",
	"#ff00ff": "magenta", "#00ffff": "aqua", "#ffa500": "orange", "#800080": "purple", "#ffc0cb": "pink", "#808080": "grey"}

// matches reports whether the line of a shape or sign fits a description, "large black
// item".
func (a *agent) matches(l, what string) bool {
	mark := a.read(l, `: (\S)$`)
	shape := a.read(l, `\((rect|circle|polygon)`)
	for _, word := range strings.Fields(strings.TrimSuffix(what, "s")) {
		fits := false
		switch word {
		case "large", "small":
			fits = (number(a.read(l, `\d+x(\d+) at`)[1]) > 15) == (word == "large")
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
			fits = strings.Contains(a.hue(l), word) || mark != nil && mark[1] == word
		}
		if !fits {
			return false
		}
	}
	return true
}

// hue names the colour of a shape or sign. Black signs don't say theirs.
func (a *agent) hue(l string) string {
	if m := a.read(l, `(#[0-9a-f]{6}), \d+x`); m != nil {
		return hues[m[1]]
	}
	return "black"
}

func clickShape(a *agent) {
	what := a.find(`Click on an? (.+)"`)[0]
	for _, l := range a.lines(`clickable.* at `) {
		if a.matches(l, what) {
			a.click(a.read(l, `\[ref=(\w+)`)[1])
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
		a.click(a.ref(map[string]string{"text": `textbox \[ref=\w+\](?: \(\.|:|$)`, "textarea": `textbox.*several lines`}[kind]))
		return
	}
	a.click(a.ref(kind))
}

// direction drags a shape up, down, left or right.
func direction(kind string) policy {
	return func(a *agent) {
		way := a.find(`Drag the \w+ (\w+) then`)[0]
		d := map[string][2]int{"up": {0, -20}, "down": {0, 20}, "left": {-20, 0}, "right": {20, 0}}[way]
		a.pull("aria-ref="+a.shape(kind, 0).ref, d[0], d[1])
	}
}

func dragShapes(a *agent) {
	kind := map[string]string{"circles": "circle", "rectangles": "rect", "triangles": "polygon"}[a.find(`Drag all (\w+) into`)[0]]
	boxes := a.boxes()
	x, y := boxes[0].middle()
	for _, d := range a.shapes(kind) {
		if d != boxes[0] {
			a.carry(d.ref, x, y)
		}
	}
}

func dragShapesApart(a *agent) {
	what := a.find(`Drag all (.+) into the left`)[0]
	sort := map[string]string{"circles": "circle", "rectangles": "rect", "triangles": "polygon"}[what]
	boxes := a.boxes()
	for _, d := range a.shapes("") {
		switch x, y := boxes[1].middle(); {
		case slices.Contains(boxes, d):
		case d.kind == sort:
			x, y = boxes[0].middle()
			fallthrough
		default:
			a.carry(d.ref, x, y)
		}
	}
}

// boxes are the large rectangles into which things are dragged.
func (a *agent) boxes() []drawn {
	return slices.DeleteFunc(a.shapes("rect"), func(d drawn) bool { return d.width < 40 })
}

func drawLine(a *agent) {
	x, y := a.shape("circle", 0).middle()
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
	x, y := a.shape("circle", 0).middle()
	a.act(`for (let i = 0; i <= 40; i++) {
  await page.mouse.move(%v + 30 * Math.cos(i * Math.PI / 20), %v + 30 * Math.sin(i * Math.PI / 20)); if (!i) await page.mouse.down()
} await page.mouse.up()`, x, y)
}

func midpoint(a *agent) {
	x1, y1 := a.shape("circle", 0).middle()
	x2, y2 := a.shape("circle", 1).middle()
	a.at((x1+x2)/2, (y1+y2)/2)
}

func rightAngle(a *agent) {
	x1, y1 := a.shape("circle", 0).middle()
	x2, y2 := a.shape("circle", 1).middle() // the vertex
	d := math.Hypot(x1-x2, y1-y2) / 20
	x, y := x2-(y1-y2)/d, y2+(x1-x2)/d
	if x < 5 || x > 150 || y < 55 || y > 175 {
		x, y = 2*x2-x, 2*y2-y
	}
	a.at(x, y)
}

func gridCoordinate(a *agent) {
	a.click(a.ref(`#` + regexp.QuoteMeta(a.find(`coordinate \((\S+)\)`)[0]) + ` `))
}

// tree opens folders until the item is there.
func tree(a *agent) {
	want := `(?:listitem|clickable).*"?` + regexp.QuoteMeta(a.find(`named "(.+?)"`)[0]) + `"?$`
	for range 8 {
		if len(a.refs(want)) > 0 {
			break
		}
		a.click(a.ref(`collapsed\] \[ref`))
		a.act("await page.waitForTimeout(100)")
		a.look()
	}
	a.click(a.ref(want))
}

func orderFood(a *agent) {
	wanted := strings.Split(a.find(`each item: (.+)"`)[0], ", ")
	name := ""
	for _, l := range a.lines(`- "|: \+$`) {
		if !reRef.MatchString(l) {
			name = strings.Trim(l, `- "`)
		} else if slices.Contains(wanted, name) {
			ref := a.read(l, `\[ref=(\w+)\]: \+$`)[1]
			a.note(need{ref: ref, like: []string{ref}, words: []string{name}})
			a.click(ref)
		}
	}
	button("Order!")(a)
}
