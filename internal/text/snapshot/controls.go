package snapshot

import "slices"

// controls lists what can be acted on, without what is around it. Of controls
// that have no name, or look like another one elsewhere, it says where they
// are.
func (b outliner) controls(n *Node) []*view {
	list, all := b.listed(n, &spot{node: n})
	alike := map[string][]placed{}
	for _, c := range all {
		if c.v.name == "" {
			c.v.where = b.cut(c.place(true), b.name)
			continue
		}
		look := c.v.role + c.v.state + "\x00" + c.v.name + "\x00" + c.v.value
		alike[look] = append(alike[look], c)
	}
	for _, group := range alike {
		places, differ := make([]string, len(group)), false
		for i, c := range group {
			places[i] = b.cut(c.place(false), b.name)
			differ = differ || places[i] != places[0]
		}
		for i, c := range group {
			if differ {
				c.v.where = places[i]
			}
		}
	}
	return list
}

// placed is a control and where it is.
type placed struct {
	v  *view
	at *spot
}

// spot is a node in its parent.
type spot struct {
	node *Node
	in   *spot
	nth  int
}

func (b outliner) listed(n *Node, at *spot) (list []*view, all []placed) {
	for i, k := range n.Kids {
		here := &spot{k, at, i}
		inner, more := b.listed(k, here)
		if !k.Control() {
			list, all = append(list, inner...), append(all, more...)
			continue
		}
		v := &view{role: k.Role, name: k.Name, state: k.states(), ref: k.Ref, outer: k.Ref, url: k.URL, acts: true, kids: inner, note: k.noted()}
		if k.Name == "" && fields[k.Role] {
			v.value = firstText(k)
		} else if k.Name == "" {
			v.name = firstText(k)
		} else if len(k.Kids) == 1 && k.Kids[0].Role == "" {
			v.value = k.Kids[0].Name
		}
		b.choices(v)
		list = append(list, v)
		all = append(append(all, placed{v, here}), more...)
	}
	return list, all
}

// place is what the control is in: the nearest name that says more than its
// own or, if that is wanted, the text beside it.
func (c placed) place(beside bool) string {
	if caption := c.at.node.caption; caption != nil && beside {
		return called(caption)
	}
	own := wordsOf(c.v.name)
	for s := c.at; s.in != nil; s = s.in {
		if beside {
			if text := s.beside(saidBehind[c.v.role]); text != "" {
				return text
			}
		}
		if name := s.in.node.Name; name != "" && !own.hold(name) {
			return name
		}
	}
	return ""
}

// saidBehind are the fields that have what they stand for behind them.
var saidBehind = map[string]bool{"checkbox": true, "radio": true, "switch": true}

// beside is the text next to a node that is not a control's own: the one before it, or the one behind; of a
// choice the other way round.
func (s *spot) beside(choice bool) string {
	before, behind := slices.Clone(s.in.node.Kids[:s.nth]), s.in.node.Kids[s.nth+1:]
	slices.Reverse(before)
	if choice {
		before, behind = behind, before
	}
	for _, list := range [][]*Node{before, behind} {
		for _, k := range list {
			if k.hasControl() {
				break
			}
			if text := firstText(k); text != "" {
				return text
			}
		}
	}
	return ""
}

// hasControl reports whether the node or one in it can be acted on.
func (n *Node) hasControl() bool {
	return n.Control() || slices.ContainsFunc(n.Kids, (*Node).hasControl)
}

// firstText is the first text in a node, or the node itself.
func firstText(n *Node) string {
	if n.Role == "" {
		return n.Name
	}
	for _, k := range n.Kids {
		if k.Role == "" || k.Name != "" {
			return k.Name
		}
		if t := firstText(k); t != "" {
			return t
		}
	}
	return ""
}
