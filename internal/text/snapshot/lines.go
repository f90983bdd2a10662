package snapshot

import (
	"strconv"
	"strings"

	"pwpipe/internal/text/secrets"
)

// Line is one line of a rendered snapshot.
type Line struct {
	Depth int
	Text  string
	Front bool // it begins what stands in front of the page, or speaks to the reader: a dialog, a menu, a toast
}

// Text joins lines, indented by a space a level.
func Text(lines []Line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for range l.Depth {
			b.WriteByte(' ')
		}
		b.WriteString("- ")
		b.WriteString(l.Text)
	}
	return b.String()
}

// Lines renders the tree whole, in the form of Playwright's own snapshot: every
// node with its ref, names and texts uncut, links with their URLs. depth, if
// it is not 0, is how many levels are shown.
func (n *Node) Lines(depth int) []Line {
	var out []Line
	var visit func(n *Node, at int)
	visit = func(n *Node, at int) {
		if depth > 0 && at >= depth {
			return
		}
		for _, k := range n.Kids {
			if k.Role == "" {
				out = append(out, Line{Depth: at, Text: "text: " + k.Name})
				continue
			}
			text := k.head() + " [ref=" + k.Ref + "]" + k.noted()
			if k.Level > 0 && leveled[k.Role] {
				text += " [level=" + strconv.Itoa(k.Level) + "]"
			}
			if len(k.Kids) == 1 && k.Kids[0].Role == "" && k.URL == "" {
				out = append(out, Line{Depth: at, Text: text + ": " + k.Kids[0].Name, Front: k.isFront()})
				continue
			}
			if len(k.Kids) > 0 || k.URL != "" {
				text += ":"
			}
			out = append(out, Line{Depth: at, Text: text, Front: k.isFront()})
			if k.URL != "" {
				out = append(out, Line{Depth: at + 1, Text: "/url: " + k.URL})
			}
			visit(k, at+1)
		}
	}
	visit(n, 0)
	return out
}

// noted is the note, behind a space.
func (n *Node) noted() string {
	if n.Note == "" {
		return ""
	}
	return " (" + n.Note + ")"
}

// head is role, name and states: `button "Save" [disabled]`.
func (n *Node) head() string {
	s := n.Role
	if n.Name != "" {
		s += " " + quote(n.Name)
	}
	return s + n.states()
}

// quote is the name in quotes, as short as it can be.
func quote(s string) string {
	return `"` + escaping.Replace(s) + `"`
}

var escaping = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Cut shortens a text to about most characters, at a word where there is one,
// and not in a mask.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	count, space := 0, 0
	for i, r := range s {
		if count == most {
			if space > i/2 {
				i = space
			}
			if i = secrets.CutAt(s, i); i == len(s) {
				return s
			}
			return strings.TrimRight(s[:i], " ,.;:") + "…"
		}
		if r == ' ' {
			space = i
		}
		count++
	}
	return s
}
