package mcptools

import (
	"fmt"
	"regexp"
	"strings"
)

// maxWhole is the length up to which an answer has a whole snapshot, in bytes: some 6,000 tokens.
const maxWhole = 20_000

// keeps are the numbers of alike neighbours that a folded snapshot shows, tried in turn until the
// snapshot is short enough.
var keeps = []int{40, 20, 10, 5}

// folded is a snapshot in which long rows of alike neighbours are cut short, if the whole would
// cost too much. Refs of what is left out stay valid.
func folded(text string) string {
	if len(text) <= maxWhole {
		return text
	}
	whole := parsed(text)
	for _, keep := range keeps {
		var b strings.Builder
		foldTo(&b, whole, keep)
		if text = strings.TrimSuffix(b.String(), "\n"); len(text) <= maxWhole {
			break
		}
	}
	return text
}

// activeFlag matches a line of a snapshot up to the flag of what has the focus.
var activeFlag = regexp.MustCompile(
	`^( *- '?\w+(?: (?:"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/))?(?: \[[^\]]*\])*?) \[active\]`)

// focused takes the focus from what is in a frame without it. Each document has an active element,
// and Playwright 1.60 shows that of each.
func focused(text string) string {
	if !strings.Contains(text, "[active]") || !strings.Contains(text, "- iframe") {
		return text
	}
	var b strings.Builder
	frame := -1 // the indent of a frame without the focus
	for line := range strings.Lines(text) {
		if at := indent(line); frame < 0 || at <= frame {
			if frame = -1; strings.HasPrefix(line[at:], "- iframe") && !activeFlag.MatchString(line) {
				frame = at
			}
		} else {
			line = activeFlag.ReplaceAllString(line, "$1")
		}
		b.WriteString(line)
	}
	return b.String()
}

// item is a line of a snapshot with the lines below it.
type item struct {
	line, role string
	children   []*item
	active     bool // it has the focus, or something in it has
}

// itemRole matches the role of an item, or the name of a property.
var itemRole = regexp.MustCompile(`^ *- '?([\w/]+)`)

// parsed makes items of lines, by their indents.
func parsed(text string) []*item {
	open, indents := []*item{{}}, []int{-1}
	for line := range strings.Lines(text) {
		n := &item{line: strings.TrimSuffix(line, "\n")}
		if m := itemRole.FindStringSubmatch(line); m != nil {
			n.role = m[1]
		}
		at := indent(line)
		for at <= indents[len(indents)-1] {
			open, indents = open[:len(open)-1], indents[:len(indents)-1]
		}
		parent := open[len(open)-1]
		parent.children = append(parent.children, n)
		open, indents = append(open, n), append(indents, at)
		if strings.Contains(line, "[active]") {
			for _, around := range open {
				around.active = true
			}
		}
	}
	return open[0].children
}

// shape is what alike items have in common: their roles, and those of their first children.
func (n *item) shape() string {
	shape := n.role
	for _, child := range n.children[:min(len(n.children), 10)] {
		shape += " " + child.role
	}
	return shape
}

// foldTo writes neighbours. Of those with one shape it shows the first few, and what has the focus.
func foldTo(b *strings.Builder, all []*item, keep int) {
	seen := map[string]int{}
	var left []*item
	say := func() {
		if len(left) > 0 {
			b.WriteString(leftOut(left))
		}
		left = nil
	}
	for _, n := range all {
		shape := n.shape()
		if seen[shape]++; seen[shape] > keep && !n.active {
			left = append(left, n)
			continue
		}
		say()
		b.WriteString(n.line + "\n")
		foldTo(b, n.children, keep)
	}
	say()
}

var itemRef = regexp.MustCompile(`\[ref=(\w+)\]`)

// leftOut is a comment in place of neighbours.
func leftOut(left []*item) string {
	first, last := left[0], left[len(left)-1]
	from, to := itemRef.FindStringSubmatch(first.line), itemRef.FindStringSubmatch(last.line)
	which := ""
	if from != nil && to != nil {
		which = fmt.Sprintf(", refs %s to %s", from[1], to[1])
	}
	return fmt.Sprintf("%*s# %d more of %s%s: browser_find finds in them; target or filename gives all\n",
		indent(first.line), "", len(left), first.role, which)
}
