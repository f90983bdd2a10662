package snapshot

import (
	"slices"
	"strconv"
	"strings"
)

// Options say what an outline shows.
type Options struct {
	Controls bool // only what can be acted on
	Depth    int  // levels to show, 0 for all
	Whole    bool // no cuts and no folding: what a search looks through
	Budget   int  // tokens to aim at, 0 for DefaultBudget

	once bool // what alike items share is written once; a difference names each item whole
}

const (
	shortPiece = 30 // a text up to here is a piece of what it is joined to
	maxChoices = 24 // options of a select that are named, where texts are cut
)

// view is a node as an outline shows it. A view without a role is a text.
type view struct {
	role  string
	name  string
	state string
	ref   string // shown if the node can be acted on
	outer string // the ref that stands for the view when it is folded
	value string // text behind the colon
	url   string
	note  string // what role and name don't say, in brackets
	where string // what it is in, in a list of controls alone
	kids  []*view

	shows  []*view  // of a row: what its line shows
	cells  []string // and what its cells say, uncut
	beside bool     // its name only stands beside it: no selector finds it by that
	long   bool     // its value is not cut
	pieces bool     // a text joined of short ones, which all say something
	label  bool     // a text that tells what to do, or what happened: cut last
	near   bool     // it is near the focus
	acts   bool     // it can be acted on
	front  bool     // see Line
	hit    bool     // it has a ref though it is no control: a row that can be clicked, what covers the page
	hash   uint64   // of its shape
	acted  uint64   // of its controls and their states, 0 for none
	size   int      // lines that it takes
	fold   string   // set: this line stands for views that are folded
}

// Outline renders the tree compressed.
func (n *Node) Outline(o Options) []Line { return n.Fit(o).Lines }

// at renders the tree at a level of detail.
func (n *Node) at(o Options, level int) Outlined {
	out := Outlined{Level: level}
	b := outliner{o, levels[level], n.focus(), &out}
	var kids []*view
	if o.Controls {
		kids = b.controls(n)
	} else {
		kids = b.kids(n)
	}
	if !o.Whole {
		kids = b.foldAll(kids)
		n.each(func(n *Node) {
			if n.covers() {
				text := Cut(n.head(), maxNote) + " [ref=" + n.Ref + "]" + covers
				out.Lines = append(out.Lines, Line{Text: text, Front: true})
			}
		})
	}
	for _, v := range kids {
		out.Lines = b.print(out.Lines, v, 0)
	}
	return out
}

type outliner struct {
	Options
	detail
	focus map[*Node]bool // near the focus: cut last
	out   *Outlined
}

// plain are roles that say nothing without a name: their children stand for
// them.
var plain = map[string]bool{"document": true, "generic": true, "rowgroup": true, "presentation": true, "none": true,
	"group": true, "columns": true, "paragraph": true, "fragment": true, "figure": true}

// repeated is what the ref engine calls an element without a role that has
// siblings of its kind.
const repeated = "item"

// inline are roles whose text is part of the sentence around it.
var inline = map[string]bool{"strong": true, "emphasis": true, "code": true, "time": true, "subscript": true,
	"superscript": true, "insertion": true, "deletion": true, "mark": true, "term": true, "definition": true, "caption": true, "blockquote": true}

// kids builds the views of a node's children: useless wrappers gone,
// neighbouring texts joined.
func (b outliner) kids(n *Node) []*view {
	var out []*view
	for _, k := range inRows(n) {
		if k.said {
			continue
		}
		for _, v := range b.view(k) {
			v.front = v.front || k.isFront()
			if last := len(out) - 1; v.role == "" && v.fold == "" && !isBlock(k) && !k.apart && last >= 0 && out[last].role == "" && out[last].url == "" {
				out[last] = join(out[last], v)
				continue
			}
			if v.role == "" && isBlock(k) {
				v.url = "block" // a paragraph of its own: not joined with what follows
			}
			out = append(out, v)
		}
	}
	out = dropLabels(out)
	markLabels(n, out)
	return out
}

// join makes one text of two neighbours.
func join(a, b *view) *view {
	short := func(v *view) bool { return v.pieces || len(v.name) <= shortPiece }
	space := " "
	if a.name == "" || b.name != "" && strings.ContainsRune(".,;:!?)", rune(b.name[0])) {
		space = ""
	}
	return &view{name: a.name + space + b.name, pieces: short(a) && short(b), near: a.near || b.near}
}

func (v *view) isHeading() bool { return len(v.role) == 2 && v.role[0] == 'h' && !v.acts }

// isBlock tells the nodes whose text starts a line.
func isBlock(n *Node) bool { return n.Role != "" && !inline[n.Role] }

// view builds what stands for one node: itself, its children, or nothing.
func (b outliner) view(n *Node) []*view {
	if n.Role == "" {
		return []*view{{name: n.Name, near: b.focus[n]}}
	}
	if n.Role == "row" {
		return []*view{b.row(n)}
	}
	if n.Role == "named" {
		return b.named(n)
	}
	v := &view{role: n.Role, name: n.Name, state: n.states(), ref: n.Ref, outer: n.Ref, url: n.URL, acts: n.Control(),
		near: b.focus[n], note: n.noted(), hit: n.covers() || n.Role == "shape"}
	if n.caption != nil && v.name == "" {
		v.name, v.beside = called(n.caption), true
	}
	v.kids = b.kids(n)
	switch {
	case n.Role == "heading":
		return b.heading(n, v)
	case v.acts:
		b.dropEcho(n, v)
		b.choices(v)
	case n.Role == "img" && n.Name == "" && len(v.kids) > 1: // its line says where its parts end
		v.role = "drawing"
	case b.needless(n, v):
		return v.stand(n)
	}
	v.dropRepeated()
	if len(v.kids) == 1 && v.kids[0].role == "list" && v.kids[0].name == "" && !v.acts {
		v.kids = v.kids[0].kids
	}
	if len(v.kids) == 1 && v.kids[0].role == "" {
		v.value, v.label, v.front, v.kids = v.kids[0].name, v.kids[0].label, v.kids[0].front, nil
	}
	if !v.acts && len(v.kids) == 1 && fields[v.kids[0].role] {
		v.outer = v.kids[0].ref // folded, the field stands for the item
	}
	if v.name != "" && (v.value == v.name || (v.role == "button" || v.role == "link") && v.value != "" && wordsOf(v.name).hold(v.value)) {
		v.value = "" // what the control shows where its name says more
	}
	return []*view{v}
}

// named is an element without a role that is called something which nobody reads off it: its
// name stands before its text, or over what is in it, unless that says it.
func (b outliner) named(n *Node) []*view {
	kids := b.kids(n)
	switch {
	case b.shown(kids).hold(n.Name):
		return kids
	case len(kids) == 0:
		return []*view{{name: n.Name, near: b.focus[n]}}
	case len(kids) == 1 && kids[0].role == "":
		return []*view{{name: n.Name + ": " + kids[0].name, near: b.focus[n]}}
	}
	return []*view{{role: "group", name: n.Name, ref: n.Ref, outer: n.Ref, near: b.focus[n], kids: kids}}
}

// needless tells the nodes for which their children can stand, if there are
// any: wrappers that have no name, or one that the children say.
func (b outliner) needless(n *Node, v *view) bool {
	if n.Note != "" || n.covers() {
		return false
	}
	small := len(v.kids) == 0 && n.Name == "" || len(v.kids) == 1 && n.Flags == ""
	switch {
	case inline[n.Role], n.Role == "separator":
		if n.Name != "" && len(v.kids) > 1 {
			return false
		}
	case n.Role == "img", plain[n.Role]:
		if n.Name != "" {
			return false
		}
	case n.Role == repeated:
		return len(v.kids) <= 1
	case n.Role == "listitem", n.Role == "list", cells[n.Role]:
		if !small {
			return false
		}
	default:
		return n.Name == "" && len(v.kids) == 0
	}
	return n.Name == "" || b.shown(v.kids).hold(n.Name)
}

// stand lets the children stand for the view. The one child of an item is
// folded by the item's ref.
func (v *view) stand(n *Node) []*view {
	if len(v.kids) == 1 && v.kids[0].role != "" && n.Role == "listitem" {
		v.kids[0].outer = n.Ref
	}
	return v.kids
}

// choices puts the options of a select on its own line: none of them can be
// clicked, they are chosen by name.
func (b outliner) choices(v *view) {
	if b.Whole || v.role != "combobox" || len(v.kids) == 0 {
		return
	}
	var names []string
	for i, k := range v.kids {
		if k.role != "option" {
			return
		}
		switch text := b.cut(k.name, b.cell) + k.state; {
		case strings.Contains(k.state, "selected"):
			names = slices.Insert(names, 0, text)
		case i < maxChoices || !b.folds:
			names = append(names, text)
		}
	}
	if more := len(v.kids) - len(names); more > 0 {
		names = append(names, "and "+strconv.Itoa(more)+" more")
	}
	v.value, v.kids, v.long = strings.Join(names, " | "), nil, true
}

func (v *view) hasControl() bool {
	return v.acts || slices.ContainsFunc(v.kids, (*view).hasControl)
}

// heading is a line "h2 …"; a link that says the same is part of it.
func (b outliner) heading(n *Node, v *view) []*view {
	v.role = "h" + strconv.Itoa(max(n.Level, 1))
	b.dropEcho(n, v)
	if len(v.kids) == 1 && v.kids[0].acts && v.kids[0].name == v.name && len(v.kids[0].kids) == 0 {
		k := *v.kids[0]
		k.role = v.role + " " + k.role
		k.outer = n.Ref
		return []*view{&k}
	}
	if len(v.kids) == 1 && v.kids[0].role == "" {
		v.value, v.kids = v.kids[0].name, nil
	}
	return []*view{v}
}
