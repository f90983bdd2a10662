package snapshot

import (
	"strconv"
	"strings"
)

// Front is the tree without what an open modal dialog keeps a person from: the dialog, what is above
// it, and behind them a line that says how much is left out. Without such a dialog it is the tree itself.
func (n *Node) Front() *Node {
	if !Blocks(n) {
		return n
	}
	var left behind
	front := left.leaveOut(n)
	if left == (behind{}) {
		return n
	}
	front.Kids = append(front.Kids, &Node{Role: "document", Note: left.String()})
	return front
}

// Blocks reports whether a modal dialog in the tree keeps a person from the rest.
func Blocks(n *Node) bool { return holds(n, "b") }

// holds reports whether the node or one in it has one of these flags.
func holds(n *Node, flags string) bool {
	if strings.ContainsAny(n.Flags, flags) {
		return true
	}
	for _, k := range n.Kids {
		if holds(k, flags) {
			return true
		}
	}
	return false
}

// behind counts what is left out.
type behind struct{ controls, texts int }

func (b behind) String() string {
	return "left out behind the dialog: " + counted(b.controls, "control") + ", " + counted(b.texts, "text") +
		"; search finds them"
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

func (b *behind) leaveOut(n *Node) *Node {
	c := *n
	c.Kids = nil
	for _, k := range n.Kids {
		switch {
		case strings.ContainsAny(k.Flags, "bv"):
			c.Kids = append(c.Kids, k)
		case holds(k, "bv"):
			c.Kids = append(c.Kids, b.leaveOut(k))
		default:
			b.count(k)
			k.each(b.count)
		}
	}
	return &c
}

func (b *behind) count(n *Node) {
	switch {
	case n.Control():
		b.controls++
	case n.Role == "" || n.Name != "" && len(n.Kids) == 0:
		b.texts++
	}
}
