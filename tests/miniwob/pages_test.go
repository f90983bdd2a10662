//go:build evidence

package miniwob

import (
	"fmt"
	"regexp"
	"strings"
)

// larger are the tasks with several pages or states.
var larger = map[string]policy{
	"book-flight":                 bookFlight,
	"book-flight-nodelay":         bookFlight,
	"choose-date":                 do(date, submit),
	"choose-date-easy":            do(date, submit),
	"choose-date-medium":          do(date, submit),
	"choose-date-nodelay":         do(date, submit),
	"email-inbox":                 email,
	"email-inbox-delete":          email,
	"email-inbox-forward":         email,
	"email-inbox-forward-nl":      email,
	"email-inbox-forward-nl-turk": email,
	"email-inbox-important":       email,
	"email-inbox-nl-turk":         email,
	"email-inbox-noscroll":        email,
	"email-inbox-reply":           email,
	"email-inbox-star-reply":      email,
	"identify-shape":              identify,
	"social-media-all":            do(reply(100), submit),
	"social-media-some":           do(func(a *agent) { reply(number(a.find(`on (\d+) post`)[0]))(a) }, submit),
	"terminal":                    terminal,
	"tic-tac-toe":                 ticTacToe,
	"use-autocomplete":            do(complete, submit),
	"use-autocomplete-nodelay":    do(complete, submit),
	"use-colorwheel":              do(colour, submit),
}

var months = strings.Fields("January February March April May June July August September October November December")

// day opens a date picker and goes to a date.
func (a *agent) day(picker string, month, day int) {
	a.click(picker)
	a.act("await page.waitForTimeout(300)")
	a.look()
	for range 12 {
		shown := a.find(`(January|February|March|April|May|June|July|August|September|October|November|December)\b`)[0]
		if shown == months[month-1] {
			break
		}
		way := "Prev"
		for i, m := range months {
			if m == shown && i < month-1 {
				way = "Next"
			}
		}
		a.click(a.ref(way))
		a.look()
	}
	a.click(a.find(fmt.Sprintf(`(?:link "|: |\| )%d"? \[ref=(\w+)`, day))[0])
}

func date(a *agent) {
	d := a.find(`Select (\d+)/(\d+)/\d+`)
	a.day(a.ref("datepicker"), number(d[0]), number(d[1]))
}

func bookFlight(a *agent) {
	d := a.find(`the (\w+) one-way flight from: (.+) to: (.+) on (\d+)/(\d+)/`)
	for i, field := range []string{`"From:"`, `"To:"`} {
		a.act("await page.locator(%s).pressSequentially(%s)", "aria-ref="+a.ref("textbox "+field), d[i+1])
		a.act("await page.waitForTimeout(600)")
		a.look()
		a.click(a.ref(`(listitem|menuitem|option|clickable).*` + regexp.QuoteMeta(d[i+1])))
		a.look()
	}
	a.day(a.ref("datepicker"), number(d[3]), number(d[4]))
	a.click(a.ref(`button "Search"`))
	a.look()
	best, least := "", 1<<30
	for _, m := range re(`(?s)(\d+)h (\d+)m.*?Book flight for (\$\d+)" \[ref=(\w+)`).FindAllStringSubmatch(a.out, -1) {
		cost := number(m[3])
		if d[0] == "shortest" {
			cost = number(m[1])*60 + number(m[2])
		}
		if cost < least {
			best, least = m[4], cost
		}
	}
	a.click(best)
}

// emails are the wordings of an email task.
var emails = []struct{ name, action, text string }{
	{`by (\S+) and`, `click the (trash|star) icon`, ``},
	{`by (\S+) and`, `(forward) that email to`, `to (\S+?)\.`},
	{`by (\S+) and`, `(reply) to them with`, `text "(.+?)"\.?`},
	{`from (\S+) and`, `(send) it to`, `to (\S+?)\.`},
	{`"(\S+)'s email`, `(forward) that to`, `to (\S+?)\?`},
	{`Find (\S+)'s e-mail`, `(reply) with`, `words "(.+?)"`},
}

func email(a *agent) {
	for _, e := range emails {
		if re(e.name).FindString(a.out) == "" || re(e.action).FindString(a.out) == "" {
			continue
		}
		action := a.find(e.action)[0]
		text := ""
		if e.text != "" {
			text = a.find(e.text)[0]
		}
		a.click(a.find(`clickable \[ref=(\w+)\]:\s+(?:- ")?` + a.find(e.name)[0] + ` `)[0])
		a.look()
		switch action {
		case "trash", "star":
			a.click(a.ref(action))
			return
		case "reply":
			action = "Reply"
		default:
			action = "Forward"
		}
		a.click(a.ref(action))
		a.look()
		a.fill(a.ref("textbox"), text)
		a.click(a.ref("send"))
		return
	}
	a.t.Fatalf("an unknown wording:\n%s", a.out)
}

func identify(a *agent) {
	m := a.read(a.out, `clickable.*\((rect|circle|polygon)`)
	name := ""
	if m != nil {
		name = map[string]string{"rect": "Rectangle", "circle": "Circle", "polygon": "Triangle"}[m[1]]
	} else if re(`\d`).MatchString(a.find(`clickable.*: (\S)`)[0]) {
		name = "Number"
	} else {
		name = "Letter"
	}
	button(name)(a)
}

// reply clicks the reply icons of so many posts.
func reply(most int) policy {
	return func(a *agent) {
		refs := a.refs(`item: ".* ` + a.find(`by (@\S+)`)[0] + ` .*\(\.` + strings.ToLower(a.find(`the "(\w+)" button`)[0]))
		for i, ref := range refs {
			if i < most {
				a.click(ref)
			}
		}
	}
}

func terminal(a *agent) {
	ending := a.find(`extension (\.\S+)`)[0]
	a.act("await page.locator(%s).pressSequentially('ls\\n')", "aria-ref="+a.ref("terminal-target"))
	a.look()
	file := a.find(`(\S+` + regexp.QuoteMeta(ending) + `)[ "]`)
	for _, m := range re(`(\S+`+regexp.QuoteMeta(ending)+`)[ "]`).FindAllStringSubmatch(a.out, -1) {
		file = m[1:]
	}
	a.act("await page.keyboard.type(%s)", "rm "+file[0]+"\n")
}

// ticTacToe wins if it can, else blocks the other, else takes the best square.
func ticTacToe(a *agent) {
	rows := [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}
	for range 5 {
		board := "" // row by row
		for i := range 9 {
			square := strings.Split(a.lines("#ttt-")[i/3], " | ")[i%3]
			if mark := a.read(square, `mark-([xo])`); mark != nil {
				board += strings.ToUpper(mark[1])
			} else {
				board += " "
			}
		}
		square := -1
		for _, who := range "XO" {
			for _, row := range rows {
				own, free := 0, -1
				for _, i := range row {
					if rune(board[i]) == who {
						own++
					} else if board[i] == ' ' {
						free = i
					}
				}
				if own == 2 && free >= 0 && square < 0 {
					square = free
				}
			}
		}
		for _, i := range []int{4, 0, 2, 6, 8, 1, 3, 5, 7} {
			if square < 0 && board[i] == ' ' {
				square = i
			}
		}
		a.click(a.find(fmt.Sprintf(`\[ref=(\w+)\] \([^)]*#ttt-%d\b`, square))[0])
		a.look()
		if len(a.lines("START")) > 0 {
			return
		}
	}
}

func complete(a *agent) {
	start := a.find(`starts with "(.+?)"`)[0]
	a.act("await page.locator(%s).pressSequentially(%s)", "aria-ref="+a.ref("textbox"), start)
	a.act("await page.waitForTimeout(600)")
	a.look()
	end := ""
	if m := re(`ends with "(.+?)"`).FindStringSubmatch(a.out); m != nil {
		end = m[1]
	}
	a.click(a.ref(`(listitem|menuitem|option|clickable|item).*\b` + start + `.*` + end + `(?:$|")`))
}

var colours = map[string]string{"green": "008000", "red": "FF0000", "blue": "0000FF", "yellow": "FFFF00", "black": "000000", "white": "FFFFFF"}

func colour(a *agent) {
	a.fill(a.ref("textbox"), colours[a.find(`Select (\w+) with`)[0]])
	a.press("Tab")
}
