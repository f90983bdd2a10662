//go:build evidence

package miniwob

import (
	"regexp"
	"strings"
)

// drags are the tasks with things to drag, select, scroll and resize.
var drags = map[string]policy{
	"drag-box":          do(dragBox, submit),
	"drag-items":        dragItem,
	"drag-items-grid":   dragGrid,
	"drag-sort-numbers": do(sortNumbers, submit),
	"highlight-text":    do(func(a *agent) { a.mark(a.texts()[1]) }, submit),
	"highlight-text-2":  do(func(a *agent) { a.mark(a.texts()[number(a.find(`the (\d)\w+ paragraph`)[0])]) }, submit),
	"hot-cold":          hotCold,
	"resize-textarea":   do(resize, submit),
	"scroll-text-2":     do(scroll, submit),
	"sign-agreement":    sign,
	"text-editor":       do(editText, submit),
}

// texts are the texts of the outline, the task first.
func (a *agent) texts() (texts []string) {
	for _, l := range a.lines(`^\s*- "`) {
		texts = append(texts, strings.Trim(l, `- "`))
	}
	return texts
}

// mark selects a text as a drag over it does.
func (a *agent) mark(text string) {
	a.note(need{words: []string{text}})
	a.act("await page.getByText(%s).selectText()", text)
}

// carry drags an element to a place.
func (a *agent) carry(ref string, x, y float64) {
	a.act("await page.hover(%s); await page.mouse.down()", "aria-ref="+ref)
	a.act("await page.mouse.move(%v, %v, {steps: 8}); await page.mouse.up()", x, y)
}

func dragBox(a *agent) {
	x, y, _, _ := a.box(a.ref(": L$"))
	a.carry(a.ref(": s$"), x, y)
}

// onto drags an item a bit beyond another's middle, so that it takes its place.
func (a *agent) onto(from, to string, beyond float64) {
	x, y, _, _ := a.box(to)
	a.carry(from, x, y+beyond)
}

func dragItem(a *agent) {
	d := a.find(`Drag (\S+) (.+)\."`)
	items := a.refs("listitem")
	from := 0
	for i, l := range a.lines("listitem") {
		if a.read(l, `("?`+d[0]+`"?)$`) != nil {
			from = i
		}
	}
	to := map[string]int{"to the top": 0, "to the bottom": len(items) - 1, "down by one position": from + 1, "up by one position": from - 1}[d[1]]
	if m := re(`to the (\d)`).FindStringSubmatch(d[1]); m != nil {
		to = number(m[1]) - 1
	}
	a.onto(items[from], items[to], map[bool]float64{true: 4, false: -4}[to > from])
}

func dragGrid(a *agent) {
	d := a.find(`Drag (\S+) (.+)\."`)
	places := map[string]int{"top left": 0, "top center": 1, "top right": 2, "center left": 3, "center": 4, "center right": 5,
		"bottom left": 6, "bottom center": 7, "bottom right": 8}
	var items []string
	from := 0
	for _, l := range a.lines("row: ") {
		cells := a.read(l, `row: (\S+) \[ref=(\w+)\] \| (\S+) \[ref=(\w+)\] \| (\S+) \[ref=(\w+)\]`)
		for i := 1; i < len(cells); i += 2 {
			if cells[i] == d[0] {
				from = len(items)
			}
			items = append(items, cells[i+1])
		}
	}
	to, named := places[strings.TrimPrefix(d[1], "to the ")]
	if !named {
		to = from + map[string]int{"up": -3, "down": 3, "left": -1, "right": 1}[strings.Fields(d[1])[0]]
	}
	a.onto(items[from], items[to], 0)
}

// sortNumbers moves the least remaining number to its place, until all are in order.
func sortNumbers(a *agent) {
	for place := 0; ; place++ {
		lines, items := a.lines("listitem"), a.refs("listitem")
		if place >= len(items)-1 {
			return
		}
		least := place
		value := func(i int) int { return number(a.read(lines[i], `"?(-?\d+)"?$`)[1]) }
		for i := place; i < len(items); i++ {
			if value(i) < value(least) {
				least = i
			}
		}
		if least != place {
			a.onto(items[least], items[place], -4)
			a.look()
		}
	}
}

// hotCold moves over the area until it is hot.
func hotCold(a *agent) {
	x, y, w, h := a.box(a.ref("touch-area"))
	step := 8.0
	for dy := -h/2 + 4; dy < h/2; dy += step {
		for dx := -w/2 + 4; dx < w/2; dx += step {
			a.act("await page.mouse.move(%v, %v)", x+dx, y+dy)
			a.act("if (await page.getByText('HOT', {exact: true}).count()) return await page.mouse.down(), page.mouse.up()")
		}
	}
}

// resize drags the edge of the field: the wrapper hides most of the handle.
func resize(a *agent) {
	d := a.find(`the (width|height) is (smaller|larger)`)
	by := map[string]float64{"smaller": -20, "larger": 20}[d[1]]
	x, y, w, h := a.box(a.ref("textbox"))
	if d[0] == "width" {
		a.stroke(x+w/2-1, y, x+w/2-1+by, y)
	} else {
		a.stroke(x, y+h/2-1, x, y+h/2-1+by)
	}
}

func scroll(a *agent) {
	a.call("scroll", map[string]any{"sel": a.ref("textbox"), "to": "bottom"})
}

func sign(a *agent) {
	scroll(a)
	a.look()
	enter(`enter the name "(.+?)"`, `textbox "Name"`)(a)
	a.click(a.ref(`button "` + regexp.QuoteMeta(a.find(`press "(.+?)"`)[0])))
}

func editText(a *agent) {
	d := a.find(`give (?:the text )?(\S+) the style (\w+)`)
	text := a.find(`editor \[ref=\w+\]: (.+)`)[0]
	from, n := strings.Index(text, d[0]), len(d[0])
	if d[0] == "everything" {
		from, n = 0, len(text)
	}
	a.click(a.ref(`editor \[ref=\w+\]: `))
	a.press("Control+Home")
	a.act("for (let i = 0; i < %d; i++) await page.keyboard.press('ArrowRight')", from)
	a.act("for (let i = 0; i < %d; i++) await page.keyboard.press('Shift+ArrowRight')", n)
	a.act("await page.waitForTimeout(100)") // the editor reads a selection a moment later
	a.click(a.ref(map[string]string{"bold": "ql-bold", "italics": "ql-italic", "underlined": "ql-underline"}[d[1]]))
}
