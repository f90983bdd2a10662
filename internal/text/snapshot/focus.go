package snapshot

import "strings"

// nearFocus is how many nodes around the focused one count as near it.
const nearFocus = 60

// focus finds the nodes around the one that has the focus.
func (n *Node) focus() map[*Node]bool {
	path := n.pathToFocus()
	for _, around := range path {
		near := map[*Node]bool{}
		if around.collect(near); len(near) <= nearFocus {
			return near
		}
	}
	return nil
}

// pathToFocus leads from the tree to the focused node.
func (n *Node) pathToFocus() []*Node {
	if strings.Contains(n.Flags, "a") {
		return []*Node{n}
	}
	for _, k := range n.Kids {
		if path := k.pathToFocus(); path != nil {
			return append([]*Node{n}, path...)
		}
	}
	return nil
}

func (n *Node) collect(all map[*Node]bool) {
	for _, k := range n.Kids {
		if len(all) > nearFocus {
			return
		}
		all[k] = true
		k.collect(all)
	}
}
