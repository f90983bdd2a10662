package snapshot

import "strings"

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
	known := map[string]bool{}
	before.each(func(k *Node) {
		if landmarks[k.Role] {
			known[saidBy(k)] = true
		}
	})
	return n.without(known)
}

func (n *Node) without(known map[string]bool) *Node {
	c := *n
	c.Kids = nil
	for _, k := range n.Kids {
		if landmarks[k.Role] && k.tokens(leastFamiliar) >= leastFamiliar && known[saidBy(k)] {
			short, words := *k, "as before"
			if refs := controlRefs(k); len(refs) > 0 {
				words += " [refs: " + ranges(refs) + "]"
			}
			short.Kids = []*Node{{Name: words}}
			c.Kids = append(c.Kids, &short)
			continue
		}
		c.Kids = append(c.Kids, k.without(known))
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

// saidBy is what the node says, refs aside.
func saidBy(n *Node) string {
	var b strings.Builder
	b.WriteString(n.head() + n.URL + n.Note)
	n.each(func(k *Node) { b.WriteString("\n" + k.head() + " " + k.URL + " " + k.Note) })
	return b.String()
}
