package snapshot

import (
	"slices"
	"strings"
)

// leastFamiliar is how many tokens a part of a page must cost to be left out where it is known.
const leastFamiliar = 20

// landmarks are the parts that the pages of a site have in common.
var landmarks = map[string]bool{"banner": true, "navigation": true, "contentinfo": true, "complementary": true}

// Familiar is the tree where parts that the document before had in the same words stand as one
// line, with the refs of their controls in the same order.
func (n *Node) Familiar(before *Node) *Node {
	if before == nil {
		return n
	}
	known := landmarksIn(before)
	return with(n, func(k *Node) *Node {
		if isLandmark(k) && len(known[saidBy(k)]) > 0 {
			return inShort(k)
		}
		return k
	})
}

// redrawn is [Node.Familiar] for a document that goes on: parts that have the same words, but other refs,
// since the page made them anew, stand as one line. They are taken out of the tree before.
func redrawn(before, n *Node) (after, was *Node) {
	known := landmarksIn(before)
	if len(known) == 0 {
		return n, before
	}
	anew := map[*Node]bool{}
	after = with(n, func(k *Node) *Node {
		if !isLandmark(k) {
			return k
		}
		same := known[saidBy(k)]
		refs := controlRefs(k)
		isKept := func(old *Node) bool { return slices.Equal(controlRefs(old), refs) }
		if len(same) == 0 || len(refs) == 0 || slices.ContainsFunc(same, isKept) {
			return k
		}
		for _, old := range same {
			anew[old] = true
		}
		return inShort(k)
	})
	if len(anew) == 0 {
		return n, before
	}
	return after, with(before, func(k *Node) *Node {
		if anew[k] {
			return nil
		}
		return k
	})
}

// keptFrom has a line for each landmark that the tree before had, with the same refs.
func keptFrom(before, n *Node) (list []string) {
	known := landmarksIn(before)
	with(n, func(k *Node) *Node {
		if !isLandmark(k) {
			return k
		}
		refs := controlRefs(k)
		if slices.ContainsFunc(known[saidBy(k)], func(old *Node) bool { return slices.Equal(controlRefs(old), refs) }) {
			list = append(list, "  "+k.head()+": "+asBefore(refs))
			return nil
		}
		return k
	})
	return list
}

func isLandmark(n *Node) bool {
	return landmarks[n.Role] && n.tokens(leastFamiliar) >= leastFamiliar
}

// landmarksIn are the landmarks in the tree, by what they say.
func landmarksIn(n *Node) map[string][]*Node {
	known := map[string][]*Node{}
	n.each(func(k *Node) {
		if isLandmark(k) {
			said := saidBy(k)
			known[said] = append(known[said], k)
		}
	})
	return known
}

// inShort is one line for a part of the page.
func inShort(n *Node) *Node {
	short := *n
	short.Kids = []*Node{{Name: asBefore(controlRefs(n))}}
	return &short
}

func asBefore(refs []string) string {
	if len(refs) == 0 {
		return "as before"
	}
	return "as before [refs: " + ranges(refs) + "]"
}

// with is the tree with other nodes in their places, or without those for which it gets none.
func with(n *Node, other func(*Node) *Node) *Node {
	c := *n
	c.Kids = nil
	for _, k := range n.Kids {
		switch o := other(k); o {
		case nil:
		case k:
			c.Kids = append(c.Kids, with(k, other))
		default:
			c.Kids = append(c.Kids, o)
		}
	}
	return &c
}

// controlRefs are the refs of the controls in the node, in order.
func controlRefs(n *Node) (refs []string) {
	n.each(func(k *Node) {
		if k.Control() {
			refs = append(refs, k.Ref)
		}
	})
	return refs
}

// saidBy is what the node says, refs and the focus aside.
func saidBy(n *Node) string {
	var b strings.Builder
	b.WriteString(n.head() + n.URL + n.Note)
	n.each(func(k *Node) { b.WriteString("\n" + k.head() + " " + k.URL + " " + k.Note) })
	return strings.ReplaceAll(b.String(), " [active]", "")
}
