// Package snapshot turns the accessibility tree of a page into the text that a
// model reads: whole, or compressed.
//
// [Parse] reads what the ref engine in the page wrote. [Node.Lines] renders the
// tree whole. [Node.Outline] leaves out wrappers and repetition, cuts texts and
// folds lists whose items look alike, found by SimHash; every control stays
// reachable through a ref that is shown or is in a range that is shown. All of
// it takes time in proportion to the size of the tree.
package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Node is an element with a role, or a text, which has no role.
type Node struct {
	Role  string
	Ref   string // "e5", in a frame "f1e5"; "" for a text
	Name  string // the accessible name; of a text, the text
	URL   string // where a link leads
	Note  string // what role and name don't say: of a date field its format, of a nameless button its icon
	Flags string // a letter each, see flagWords
	Level int    // of a heading
	Kids  []*Node

	caption *Node // of a field without a name: the text beside it that says what it is
	said    bool  // it is such a text
	apart   bool  // of a text: it is no part of the one before it
}

// flagWords are the states that a line shows, by the letter in Flags. 'z',
// collapsed, is the state that Playwright leaves out; it tells a menu button
// from a plain one.
var flagWords = []struct {
	letter byte
	word   string
}{
	{'c', "checked"}, {'m', "checked=mixed"}, {'d', "disabled"}, {'x', "expanded"}, {'z', "collapsed"},
	{'p', "pressed"}, {'q', "pressed=mixed"}, {'s', "selected"}, {'a', "active"},
	{'i', "invalid"}, {'g', "invalid=grammar"}, {'l', "invalid=spelling"},
}

// NoDocument is the flag of a frame whose document has not come.
const NoDocument = "n"

// Parse reads the engine's text: the next free number, then a line per node.
// prefix, "" or a frame's such as "f1", is put before every ref.
func Parse(text, prefix string) (root *Node, next int, err error) {
	head, rest, _ := strings.Cut(text, "\n")
	if next, err = strconv.Atoi(head); err != nil {
		return nil, 0, fmt.Errorf("not a snapshot: %.40q", head)
	}
	root = &Node{Role: "document"}
	path := []*Node{root} // path[d] is the parent of what comes at depth d
	nodes := make([]Node, strings.Count(rest, "\n")+1)
	for line := range strings.SplitSeq(rest, "\n") {
		if line == "" {
			continue
		}
		n := &nodes[0]
		nodes = nodes[1:]
		depth, ok := n.parse(line, prefix)
		if !ok || depth >= len(path) {
			return nil, 0, fmt.Errorf("not a line of a snapshot: %.80q", line)
		}
		add(path[depth], n)
		path = append(path[:depth+1], n)
	}
	return root, next, nil
}

// apart is what the engine writes between two texts that are not one.
const apart = "\v"

// add gives a node a child. A field may have its caption before it or behind it.
func add(n, k *Node) {
	if k.Role == "" && k.Name == apart {
		n.apart = true
		return
	}
	k.apart, n.apart = n.apart, false
	if last := len(n.Kids) - 1; last >= 0 {
		switch before := n.Kids[last]; {
		case strings.IndexByte(before.Flags, 't') >= 0:
			before.caption, k.said = k, true
		case strings.IndexByte(k.Flags, 'h') >= 0:
			k.caption, before.said = before, true
		}
	}
	n.Kids = append(n.Kids, k)
}

// called is what a caption says; its colon says no more.
func called(caption *Node) string { return strings.TrimRight(firstText(caption), ": ") }

// parse reads a line.
func (n *Node) parse(line, prefix string) (depth int, ok bool) {
	d, rest, _ := strings.Cut(line, "\t")
	depth, err := strconv.Atoi(d)
	role, rest, found := strings.Cut(rest, "\t")
	if err != nil || !found {
		return 0, false
	}
	if role == "" {
		n.Name = defused(rest)
		return depth, true
	}
	n.Role = role
	n.Ref, rest, _ = strings.Cut(rest, "\t")
	n.Ref = prefix + n.Ref
	n.Flags, rest, _ = strings.Cut(rest, "\t")
	if i := strings.IndexAny(n.Flags, "0123456789"); i >= 0 {
		n.Level, _ = strconv.Atoi(n.Flags[i:])
		n.Flags = n.Flags[:i]
	}
	n.URL, rest, _ = strings.Cut(rest, "\t")
	n.Note, n.Name, _ = strings.Cut(rest, "\t")
	n.Name, n.URL, n.Note = defused(n.Name), defused(n.URL), defused(n.Note)
	return depth, true
}

// defused has a page's text not look like a ref of the outline.
func defused(text string) string {
	if !strings.Contains(text, "[ref") { // nearly all
		return text
	}
	return defusing.Replace(text)
}

var defusing = strings.NewReplacer("[ref=", "[ref =", "[refs:", "[refs :")

// maxNote is the longest note, in characters.
const maxNote = 100

// PlainNote is a note without the brackets that enclose notes and refs, and cut. Secrets
// are masked before.
func PlainNote(note string) string {
	return Cut(strings.Map(func(r rune) rune {
		if strings.ContainsRune("()[]", r) {
			return -1
		}
		return r
	}, note), maxNote)
}

// Frames calls fn for every iframe of the tree, in order.
func (n *Node) Frames(fn func(*Node)) {
	n.each(func(k *Node) {
		if k.Role == "iframe" {
			fn(k)
		}
	})
}

// each calls fn for every node of the tree.
func (n *Node) each(fn func(*Node)) {
	for _, k := range n.Kids {
		fn(k)
		k.each(fn)
	}
}

// Equal reports whether two trees say the same.
func (n *Node) Equal(o *Node) bool {
	return n == o || n.Role == o.Role && n.Ref == o.Ref && n.Name == o.Name && n.URL == o.URL && n.Note == o.Note &&
		n.Flags == o.Flags && n.Level == o.Level && slices.EqualFunc(n.Kids, o.Kids, (*Node).Equal)
}

// states renders the flags: ` [checked] [disabled]`.
func (n *Node) states() string {
	var b strings.Builder
	for _, f := range flagWords {
		if strings.IndexByte(n.Flags, f.letter) >= 0 {
			b.WriteString(" [" + f.word + "]")
		}
	}
	return b.String()
}

// Controls are the roles that can be acted on.
var controls = map[string]bool{
	"button": true, "link": true, "textbox": true, "searchbox": true, "checkbox": true, "radio": true, "combobox": true,
	"listbox": true, "option": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true, "tab": true,
	"switch": true, "slider": true, "spinbutton": true, "treeitem": true, "gridcell": false, "clickable": true, "iframe": true,
	"scrollbar": true, "editor": true, "canvas": true,
}

// Control reports whether the node can be acted on.
func (n *Node) Control() bool { return controls[n.Role] || strings.IndexByte(n.Flags, 'k') >= 0 }

// fronts are the roles of what stands in front of a page or speaks to its reader.
var fronts = map[string]bool{"dialog": true, "alertdialog": true, "menu": true, "listbox": true, "tooltip": true,
	"overlay": true, "alert": true, "status": true}

// isFront reports whether the node is such a thing. Of popovers, toasts and live regions without a role
// the page says it.
func (n *Node) isFront() bool { return fronts[n.Role] || strings.IndexByte(n.Flags, 'y') >= 0 }

// covers reports whether the node hides the rest of the page.
func (n *Node) covers() bool { return strings.IndexByte(n.Flags, 'o') >= 0 }
