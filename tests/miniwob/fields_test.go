//go:build evidence

package miniwob

import (
	"fmt"
	"strconv"
	"strings"
)

// fields are the tasks with texts to type and values to set.
var fields = map[string]policy{
	"copy-paste": do(func(a *agent) {
		a.fill(a.ref("answer-input"), a.value(a.ref(`textbox \[ref=\w+\] \(several lines\): `)))
	}, submit),
	"copy-paste-2":       do(copyNth, submit),
	"enter-date":         do(enterDate, submit),
	"enter-password":     do(enter(`password "(.+?)"`, `#password`), enter(`password "(.+?)"`, `#verify`), submit),
	"enter-text":         do(enter(`Enter "(.+?)"`, `textbox`), submit),
	"enter-text-2":       do(enterCase, submit),
	"enter-text-dynamic": do(enter(`Enter "(.+?)"`, `textbox`), submit),
	"enter-time":         do(enterTime, submit),
	"find-word":          do(findWord, submit),
	"focus-text":         tap(`textbox`),
	"focus-text-2":       func(a *agent) { a.click(a.nth(`textbox`, number(a.find(`the (\d)\w+ input`)[0]))) },
	"form-sequence":      do(formSlider, submit),
	"form-sequence-2":    do(formRadio, submit),
	"form-sequence-3":    formList,
	"generate-number":    do(generate, submit),
	"guess-number":       guess,
	"login-user":         do(enter(`username "(.+?)"`, `#username`), enter(`password "(.+?)"`, `#password`), button("Login")),
	"login-user-popup":   loginPopup,
	"multi-layouts":      do(movie, button("Search")),
	"multi-orderings":    do(movieRows, tap(`: Submit`)),
	"read-table":         do(readTable, submit),
	"read-table-2":       do(readLabels, submit),
	"scroll-text":        do(lastWord, submit),
	"search-engine":      searchEngine,
	"simple-algebra":     do(algebra, submit),
	"simple-arithmetic":  do(arithmetic, submit),
	"stock-market":       stockMarket,
	"text-transform":     do(func(a *agent) { a.fill(a.ref("textbox"), strings.ReplaceAll(a.find(`Submit\. (.+)"`)[0], " ", "")) }, submit),
	"use-slider": do(func(a *agent) {
		a.slide(a.ref("slider-handle"), number(a.find(`Select (-?\d+)`)[0])-number(a.find(`- "(-?\d+)"`)[0]))
	}, submit),
	"use-slider-2": do(combination, submit),
	"use-spinner":  do(enter(`Select (-?\d+)`, `spinbutton`), submit),
}

func copyNth(a *agent) {
	n := number(a.find(`the (\d)\w+ text area`)[0])
	a.fill(a.ref("answer-input"), a.value(a.nth(`textbox \[ref=\w+\] \(several lines\): `, n)))
}

func enterDate(a *agent) {
	d := a.find(`Enter (\d+)/(\d+)/(\d+)`)
	a.fill(a.ref("textbox"), d[2]+"-"+d[0]+"-"+d[1])
}

func enterTime(a *agent) {
	d := a.find(`Enter (\d+):(\d+) (AM|PM)`)
	hour := number(d[0]) % 12
	if d[2] == "PM" {
		hour += 12
	}
	a.fill(a.ref("textbox"), fmt.Sprintf("%02d:%s", hour, d[1]))
}

func enterCase(a *agent) {
	d := a.find(`Type "(.+?)" in all (lower|upper)`)
	text := strings.ToLower(d[0])
	if d[1] == "upper" {
		text = strings.ToUpper(d[0])
	}
	a.fill(a.ref("textbox"), text)
}

func findWord(a *agent) {
	n := number(a.find(`the (\d+)\w+ word`)[0])
	words := strings.Fields(a.read(a.lines(`^\s*- "`)[1], `- "(.+)"`)[1])
	a.fill(a.ref("answer-input"), strings.Trim(words[n-1], ".,"))
}

func formSlider(a *agent) {
	a.slide(a.ref("slider-handle"), number(a.find(`Select (-?\d+)`)[0])-number(a.find(`- "(-?\d+)"`)[0]))
	a.click(a.nth(`checkbox`, number(a.find(`the (\d)\w+ checkbox`)[0])))
}

func formRadio(a *agent) {
	a.click(a.nth(`radio \[`, number(a.find(`the (\d)\w+ radio`)[0])))
	a.fill(a.nth(`textbox \[`, number(a.find(`the (\d)\w+ textbox`)[0])), a.find(`number "(.+?)"`)[0])
}

func formList(a *agent) {
	d := a.find(`Choose (.+) from .* labeled "(.+?)"`)
	a.act("await page.selectOption(%s, %s)", "aria-ref="+a.ref("combobox"), d[0])
	button(d[1])(a)
}

func generate(a *agent) {
	d := a.find(`number (greater|less) than (\d+)`)
	for range 100 {
		a.click(a.ref(`button "Generate"`))
		a.look()
		if n := number(a.find(`submit\. (-?\d+)"`)[0]); n != number(d[1]) && (n > number(d[1])) == (d[0] == "greater") {
			return
		}
	}
}

func guess(a *agent) {
	low, high := 0, 9
	for low < high {
		n := (low + high) / 2
		a.fill(a.ref("spinbutton"), strconv.Itoa(n))
		submit(a)
		a.look()
		switch {
		case len(a.lines(`higher than`)) > 0:
			low = n + 1
		case len(a.lines(`lower than`)) > 0:
			high = n - 1
		default:
			return
		}
	}
	a.fill(a.ref("spinbutton"), strconv.Itoa(low))
	submit(a)
}

// loginPopup closes a pop-up that appears while it types.
func loginPopup(a *agent) {
	for _, field := range []string{"username", "password"} {
		a.click(a.ref("#" + field))
		a.look()
		if len(a.refs(`button "Cancel"`)) > 0 {
			a.click(a.ref(`button "Cancel"`))
			a.look()
		}
		a.fill(a.ref("#"+field), a.find(field + ` "(.+?)"`)[0])
	}
	a.click(a.nth(`button "OK"|button "Login"`, 1))
}

// movie fills the fields behind labels.
func movie(a *agent) {
	d := a.find(`Search for (\S+) movies directed by (\S+) from year (\d+)`)
	for label, value := range map[string]string{"Genre": d[0], "Director": d[1], "Year": d[2]} {
		a.fill(a.find(`(?s)` + label + `.*?textbox \[ref=(\w+)`)[0], value)
	}
}

func movieRows(a *agent) {
	d := a.find(`Search for (\S+) movies directed by (\S+) from year (\d+)`)
	a.fill(a.ref("row: Genre"), d[0])
	a.fill(a.ref("row: Director"), d[1])
	a.fill(a.ref("row: Year"), d[2])
}

func readTable(a *agent) {
	a.fill(a.ref("textbox"), a.find("row: " + a.find(`value of (.+) into`)[0] + ` \| (.+)`)[0])
}

func readLabels(a *agent) {
	for i, l := range a.lines(`- ".+:"$`) {
		a.fill(a.nth("textbox", i+1), a.find("row: " + a.read(l, `- "(.+):"`)[1] + ` \| (.+)`)[0])
	}
}

func lastWord(a *agent) {
	words := strings.Fields(a.find(`textbox \[ref=\w+\] \(several lines[^)]*\): (.+)`)[0])
	a.fill(a.ref("answer-input"), strings.Trim(words[len(words)-1], ".,"))
}

func searchEngine(a *agent) {
	n := number(a.find(`the (\d+)\w+ search result`)[0])
	enter(`enter "(.+?)"`, `search-text`)(a)
	button("Search")(a)
	a.look()
	for range (n - 1) / 3 {
		a.click(a.ref(`link ">"`))
		a.look()
	}
	a.click(a.nth(`clickable|link "\D\D`, (n-1)%3+1))
}

func algebra(a *agent) {
	d := a.find(`done\. (\w+) ([+-]) (\w+) = (-?\d+)`)
	result, sign := number(d[3]), map[string]int{"+": 1, "-": -1}[d[1]]
	x := 0
	if d[0] == "x" {
		x = result - sign*number(d[2])
	} else {
		x = sign * (result - number(d[0]))
	}
	a.fill(a.ref("math-answer"), strconv.Itoa(x))
}

func arithmetic(a *agent) {
	d := a.find(`(-?\d+) (\S) (-?\d+) =`)
	x, y := number(d[0]), number(d[2])
	a.fill(a.ref("math-answer"), strconv.Itoa(map[string]int{"+": x + y, "-": x - y, "x": x * y}[d[1]]))
}

func combination(a *agent) {
	values := a.lines(`^\s*- "-?\d+"$`)
	for i, want := range strings.Split(a.find(`\[([-\d,]+)\]`)[0], ",") {
		a.slide(a.nth("slider-handle", i+1), number(want)-number(a.read(values[i], `"(.+)"`)[1]))
	}
}

// stockMarket buys when the price is so low that its next change can't make it too high.
func stockMarket(a *agent) {
	a.act(`const price = async () => Number(/Stock price:\s*\$([\d.]+)/.exec(await page.innerText('body'))?.[1] ?? 1e9)
while (await price() > %s - 1.5) {}`, a.find(`less than \$([\d.]+)\.`)[0])
	a.click(a.ref(`button "Buy"`))
}
