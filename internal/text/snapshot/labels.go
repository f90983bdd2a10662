package snapshot

import "slices"

// What is said twice is left out, where the other place says it of the same
// thing.

// dropLabels removes the texts that a control beside them has as its name, the
// pictures called as something beside them, and what only separates.
func dropLabels(kids []*view) []*view {
	var out []*view
	at := func(i int) *view {
		if i < 0 || i >= len(kids) || !kids[i].acts {
			return nil
		}
		return kids[i]
	}
	label := func(text string, of, other *view) bool {
		nameless := other != nil && other.name == "" && other.value == "" // the text may be its label
		return of != nil && !nameless && (of.name == text || wordsOf(of.name).hold(text))
	}
	for i, v := range kids {
		switch before, after := at(i-1), at(i+1); {
		case v.role == "" && (separators[v.name] || label(v.name, before, after) || label(v.name, after, before)):
		case v.role == "img" && !v.acts && len(v.kids) == 0 && v.value == "" && slices.ContainsFunc(kids, func(o *view) bool { return o != v && o.role != "img" && o.name == v.name }):
		default:
			out = append(out, v)
		}
	}
	return out
}

// separators are texts that stand between things and say nothing.
var separators = map[string]bool{"/": true, "|": true, "·": true, "•": true, "›": true, "»": true, ">": true, "–": true, "—": true}

// speaking are the roles whose texts say what happened.
var speaking = map[string]bool{"alert": true, "alertdialog": true, "status": true, "dialog": true, "tooltip": true}

// markLabels marks the texts that say what to do, or what happened: texts of alerts, and
// texts beside a field or a button.
func markLabels(n *Node, kids []*view) {
	beside := func(v *view) bool { return fields[v.role] || v.role == "button" || v.isHeading() }
	if !speaking[n.Role] && !slices.ContainsFunc(kids, beside) {
		return
	}
	running := 0
	for _, v := range kids {
		if v.role == "" {
			running++
		}
	}
	for _, v := range kids {
		v.label = v.label || v.role == "" && (running <= 3 || speaking[n.Role])
	}
}

// dropRepeated removes the texts and headings in a view that repeat its name.
func (v *view) dropRepeated() {
	if v.name == "" {
		return
	}
	v.kids = slices.DeleteFunc(v.kids, func(k *view) bool {
		return k.name == v.name && (k.role == "" || k.isHeading() && len(k.kids) == 0 && k.value == "")
	})
}

// single are the controls that a click anywhere in them is for: what can be
// clicked in one is a part of it.
var single = map[string]bool{"button": true, "link": true, "checkbox": true, "radio": true, "switch": true, "option": true, "tab": true,
	"menuitem": true, "menuitemcheckbox": true, "menuitemradio": true}

// dropEcho removes from a control, or a heading, what its name says already:
// texts, pictures and headings in it.
func (b outliner) dropEcho(n *Node, v *view) {
	if v.name == "" || len(v.kids) == 0 {
		return
	}
	name := v.name
	if slices.ContainsFunc(v.kids, (*view).hasControl) {
		name = b.trial(name, b.name) // what is in it is told by what is shown
	}
	all := n.isContent(name)
	said := wordsOf(name)
	v.kids = slices.DeleteFunc(v.kids, func(k *view) bool {
		label := k.role == "clickable" && len(k.kids) == 0 && k.state == "" && v.acts && (single[v.role] || k.name+k.value != "")
		if !label && k.hasControl() {
			return false
		}
		return all || len(k.kids) == 0 && said.hold(k.name+" "+k.value)
	})
}
