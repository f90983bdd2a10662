//go:build evidence

package miniwob

import (
	"fmt"
	"regexp"
	"strings"
)

// link is a clickable word of a text.
const link = `clickable.*: %s$`

// clicks are the tasks with buttons, links, tabs, menus and boxes to choose.
var clicks = map[string]policy{
	"button-delay":                buttonDelay,
	"buy-ticket":                  buyTicket,
	"choose-list":                 choose(`Select (.+) from the list`, `combobox`),
	"click-button":                pick(`on the "(.+?)" button`, `button "%s"`),
	"click-button-sequence":       do(button("ONE"), button("TWO")),
	"click-checkboxes":            do(each(`Select (.+) and click`, `checkbox "%s"`), submit),
	"click-checkboxes-large":      do(each(`Select (.+) and click`, `checkbox "%s"`), submit),
	"click-checkboxes-soft":       similar,
	"click-checkboxes-transfer":   do(each(`Select (.+) and click`, `checkbox "%s"`), submit),
	"click-collapsible":           do(tap(`tab "Section`), look, submit),
	"click-collapsible-nodelay":   do(tap(`tab "Section`), look, submit),
	"click-collapsible-2":         open((*agent).click, `tab "Section`, `link "(.+?)"\.`, link),
	"click-collapsible-2-nodelay": open((*agent).click, `tab "Section`, `link "(.+?)"\.`, link),
	"click-color":                 pick(`query-color .color (#\w+)`, `data-color=.*%s`),
	"click-dialog":                button("Close"),
	"click-dialog-2":              dialog,
	"click-link":                  pick(`link "(.+?)"`, link),
	"click-menu":                  menu(`Select (.+)"`, `menuitem "%s"`),
	"click-menu-2":                do(button("Menu"), look, open((*agent).hover, `menuitem "[^"]*" \[ref`, `labeled "(.+?)"`, `menuitem "%s"`)),
	"click-option":                do(pick(`Select (.+) and click`, `radio "%s"`), submit),
	"click-pie":                   do(tap(`: \+$`), unfold, look, pick(`labeled "(.+?)"`, link)),
	"click-pie-nodelay":           do(tap(`: \+$`), unfold, look, pick(`labeled "(.+?)"`, link)),
	"click-scroll-list":           choose(`Select (.+) from the scroll list`, `listbox`),
	"click-shades":                shades,
	"click-tab":                   pick(`Click on (Tab #\d)`, `link "%s"`),
	"click-tab-2":                 open((*agent).click, `link "Tab`, `link "(\S+?)"\.`, link),
	"click-tab-2-easy":            open((*agent).click, `link "Tab`, `link "(\S+?)"\.`, link),
	"click-tab-2-medium":          open((*agent).click, `link "Tab`, `link "(\S+?)"\.`, link),
	"click-tab-2-hard":            open((*agent).click, `link "\d`, `link "(\S+?)"\.`, link),
	"click-test":                  tap(`button`),
	"click-test-2":                button("ONE"),
	"click-test-transfer":         button("ONE"),
	"find-greatest":               do(greatest, submit),
	"navigate-tree":               tree,
	"odd-or-even":                 do(oddOrEven, submit),
	"phone-book":                  phoneBook,
	"unicode-test":                pick(`on the "(.+?)" button`, `button "%s"`),
}

// unfold waits for the end of an animation.
func unfold(a *agent) { a.act("await page.waitForTimeout(600)") }

func buttonDelay(a *agent) {
	a.click(a.ref(`button "ONE"`))
	a.act("await page.waitForTimeout(%d)", 1000*number(a.find(`wait (\d+) second`)[0])+100)
	a.click(a.ref(`button "TWO"`))
}

func buyTicket(a *agent) {
	best, least := "", 1<<30
	for _, l := range a.lines(`Book for \$`) {
		m := a.read(l, `Book for (\S+)" \[ref=(\w+)`)
		if n := number(m[1]); n < least {
			best, least = m[2], n
		}
	}
	a.click(best)
}

// choose chooses in a list by name.
func choose(ask, list string) policy {
	return do(func(a *agent) {
		a.act("await page.selectOption(%s, %s)", "aria-ref="+a.ref(list), strings.Split(a.find(ask)[0], ", ")[0])
	}, submit)
}

// similar knows the words that mean the same.
func similar(a *agent) {
	for word, same := range map[string]string{"swine": "pork", "television": "TVs"} {
		if strings.Contains(a.find(`similar to (.+) and`)[0], word) {
			a.click(a.ref(fmt.Sprintf(`checkbox "%s"`, same)))
		}
	}
	submit(a)
}

func dialog(a *agent) {
	name := a.find(`labeled "(.+?)"`)[0]
	if name == "x" {
		name = "Close"
	}
	button(name)(a)
}

// menu goes down a path of items.
func menu(ask, item string) policy {
	return func(a *agent) {
		path := strings.Split(a.find(ask)[0], ">")
		for i, name := range path {
			ref := a.ref(fmt.Sprintf(item, regexp.QuoteMeta(name)))
			if i == len(path)-1 {
				a.click(ref)
				return
			}
			a.hover(ref)
			a.look()
		}
	}
}

func shades(a *agent) {
	for _, ref := range a.refs("data-color=" + a.find(`shades of (\w+)`)[0]) {
		a.click(ref)
	}
	submit(a)
}

func greatest(a *agent) {
	best, most := "", -1
	for _, l := range a.lines(`clickable.*: \d`) {
		m := a.read(l, `\[ref=(\w+)\].*: (\d+)`)
		if n := number(m[2]); n > most {
			best, most = m[1], n
		}
	}
	a.click(best)
}

func oddOrEven(a *agent) {
	for _, l := range a.lines(`\| -?\d+ \|`) {
		d := a.read(l, `"Odd" \[ref=(\w+)\] \| (-?\d+) \| button "Even" \[ref=(\w+)\]`)
		a.click(map[bool]string{false: d[1], true: d[3]}[number(d[2])%2 == 0])
	}
}

func phoneBook(a *agent) {
	want := a.find(`Find (\S+) in`)[0]
	for range 20 {
		if len(a.lines(`h2 "`+want)) > 0 {
			break
		}
		a.click(a.ref(`link ">"`))
		a.look()
	}
	what := map[string]string{"email": `: \S+@`, "phone number": `: \d{3}-`, "address": `: \d+ `}[a.find(`click on their (.+)\.`)[0]]
	a.click(a.ref("clickable.*" + what))
}
