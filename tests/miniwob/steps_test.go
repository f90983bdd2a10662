//go:build evidence

package miniwob

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// policy does a task.
type policy func(*agent)

// do is one policy of several.
func do(steps ...policy) policy {
	return func(a *agent) {
		a.t.Helper()
		for _, s := range steps {
			s(a)
		}
	}
}

// tap clicks the line that matches.
func tap(line string) policy {
	return func(a *agent) { a.t.Helper(); a.click(a.ref(line)) }
}

// button clicks a button, such as the submit at the end of most tasks.
func button(name string) policy { return tap(`button "` + regexp.QuoteMeta(name) + `"`) }

var submit = button("Submit")

// look reads the outline again.
func look(a *agent) { a.t.Helper(); a.look() }

// pick clicks the line made from what the task names.
func pick(ask, line string) policy {
	return func(a *agent) { a.t.Helper(); a.click(a.named(ask, line)) }
}

// named is the ref of the line made from what the task names.
func (a *agent) named(ask, line string) string {
	a.t.Helper()
	var parts []any
	for _, part := range a.find(ask) {
		parts = append(parts, regexp.QuoteMeta(part))
	}
	return a.ref(fmt.Sprintf(line, parts...))
}

// enter fills that line with what the task names.
func enter(ask, line string) policy {
	return func(a *agent) { a.t.Helper(); a.fill(a.ref(line), a.find(ask)[0]) }
}

// each clicks a line for each name in a list of the task.
func each(ask, line string) policy {
	return func(a *agent) {
		a.t.Helper()
		for _, name := range strings.Split(a.find(ask)[0], ", ") {
			if name != "nothing" {
				a.click(a.ref(fmt.Sprintf(line, regexp.QuoteMeta(name))))
			}
		}
	}
}

// nth is the ref of the n-th matching line, from 1.
func (a *agent) nth(line string, n int) string {
	a.t.Helper()
	found := a.elements(line)
	if n > len(found) {
		a.t.Fatalf("%d lines %s with a ref, not %d:\n%s", len(found), line, n, a.out)
	}
	a.noteElement(found[n-1], line, found)
	return found[n-1].ref
}

// refs are the refs of all matching lines.
func (a *agent) refs(line string) (refs []string) {
	found := a.elements(line)
	for _, e := range found {
		a.noteElement(e, line, found)
		refs = append(refs, e.ref)
	}
	return refs
}

// element is a line of the outline with its first ref.
type element struct{ line, ref string }

// elements are the matching lines that have a ref.
func (a *agent) elements(line string) (list []element) {
	for _, l := range a.lines(line) {
		if m := reRef.FindStringSubmatch(l); m != nil {
			list = append(list, element{l, m[1]})
		}
	}
	return list
}

// number reads a number in a text.
func number(text string) int {
	n, err := strconv.Atoi(strings.NewReplacer(",", "", "$", "").Replace(text))
	if err != nil {
		panic(err)
	}
	return n
}

// open acts on one line after the other until another line appears, and clicks that.
func open(act func(a *agent, ref string), doors, ask, line string) policy {
	return func(a *agent) {
		a.t.Helper()
		want := fmt.Sprintf(line, regexp.QuoteMeta(a.find(ask)[0]))
		for i := range a.refs(doors) {
			if len(a.refs(want)) > 0 {
				break
			}
			act(a, a.refs(doors)[i])
			a.look()
		}
		for _, ref := range a.refs(want) {
			a.click(ref)
			break
		}
	}
}

// slide moves the handle of a slider with the keyboard.
func (a *agent) slide(ref string, by int) {
	a.act("await page.focus(%s)", "aria-ref="+ref)
	key := "ArrowRight"
	if by < 0 {
		key, by = "ArrowLeft", -by
	}
	a.act("for (let i = 0; i < %d; i++) await page.keyboard.press(%s)", by, key)
}

// pull drags an element by pixels.
func (a *agent) pull(sel string, dx, dy int) {
	a.act(`{ const b = await page.locator(%s).boundingBox(), x = b.x + b.width / 2, y = b.y + b.height / 2
await page.mouse.move(x, y); await page.mouse.down(); await page.mouse.move(x + %d, y + %d, {steps: 5}); await page.mouse.up() }`, sel, dx, dy)
}
