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
}

// The lengths, in characters, to which texts are cut. Names of controls are
// what callers choose by, so they keep more.
const (
	textLength = 50
	nameLength = 80
	cellLength = 30
	maxChoices = 24 // options of a select that are named
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
	kids  []*view

	long   bool   // its value is not cut
	pieces bool   // a text joined of short ones, which all say something
	acts   bool   // it can be acted on
	hash   uint64 // of its shape
	acted  uint64 // of its controls and their states, 0 for none
	size   int    // lines that it takes
	fold   string // set: this line stands for views that are folded
}

// Outline renders the tree compressed.
func (n *Node) Outline(o Options) []Line {
	b := outliner{o}
	var kids []*view
	if o.Controls {
		kids = b.controls(n)
	} else {
		kids = b.kids(n)
	}
	if !o.Whole {
		kids = foldAll(kids)
	}
	var out []Line
	for _, v := range kids {
		out = b.print(out, v, 0)
	}
	return out
}

type outliner struct{ Options }

// plain are roles that say nothing without a name: their children stand for
// them.
var plain = map[string]bool{"document": true, "generic": true, "rowgroup": true, "presentation": true, "none": true,
	"group": true, "paragraph": true, "fragment": true, "figure": true}

// repeated is what the ref engine calls an element without a role that has
// siblings of its kind.
const repeated = "item"

// inline are roles whose text is part of the sentence around it.
var inline = map[string]bool{"strong": true, "emphasis": true, "code": true, "time": true, "subscript": true,
	"superscript": true, "insertion": true, "deletion": true, "mark": true, "term": true, "definition": true, "caption": true, "blockquote": true}

// cells are the parts of a row.
var cells = map[string]bool{"cell": true, "gridcell": true, "columnheader": true, "rowheader": true}

// kids builds the views of a node's children: useless wrappers gone,
// neighbouring texts joined.
func (b outliner) kids(n *Node) []*view {
	var out []*view
	for _, k := range n.Kids {
		for _, v := range b.view(k) {
			if last := len(out) - 1; v.role == "" && v.fold == "" && !isBlock(k) && last >= 0 && out[last].role == "" && out[last].url == "" {
				out[last] = join(out[last], v)
				continue
			}
			if v.role == "" && isBlock(k) {
				v.url = "block" // a paragraph of its own: not joined with what follows
			}
			out = append(out, v)
		}
	}
	return dropLabels(out, n.Name)
}

// join makes one text of two neighbours.
func join(a, b *view) *view {
	short := func(v *view) bool { return v.pieces || len(v.name) <= cellLength }
	space := " "
	if a.name == "" || b.name != "" && strings.ContainsRune(".,;:!?)", rune(b.name[0])) {
		space = ""
	}
	return &view{name: a.name + space + b.name, pieces: short(a) && short(b)}
}

// dropLabels removes the texts that a control beside them has as its name, the
// pictures called as something beside them, the texts and headings that repeat
// the parent's, and what only separates.
func dropLabels(kids []*view, parent string) []*view {
	var out []*view
	names := func(i int, text string) bool {
		return i >= 0 && i < len(kids) && kids[i].acts && strings.Contains(kids[i].name, text)
	}
	for i, v := range kids {
		switch {
		case v.role == "" && (names(i-1, v.name) || names(i+1, v.name) || separators[v.name]):
		case v.role == "img" && len(v.kids) == 0 && slices.ContainsFunc(kids, func(o *view) bool { return o != v && o.role != "img" && o.name == v.name }):
		case v.name == parent && (v.role == "" || v.isHeading() && len(v.kids) == 0):
		default:
			out = append(out, v)
		}
	}
	return out
}

// separators are texts that stand between things and say nothing.
var separators = map[string]bool{"/": true, "|": true, "·": true, "•": true, "›": true, "»": true, ">": true, "–": true, "—": true}

func (v *view) isHeading() bool { return len(v.role) == 2 && v.role[0] == 'h' && !v.acts }

// isBlock tells the nodes whose text starts a line.
func isBlock(n *Node) bool { return n.Role != "" && !inline[n.Role] }

// view builds what stands for one node: itself, its children, or nothing.
func (b outliner) view(n *Node) []*view {
	if n.Role == "" {
		return []*view{{name: n.Name}}
	}
	if n.Role == "row" {
		return []*view{b.row(n)}
	}
	v := &view{role: n.Role, name: n.Name, state: n.states(), ref: n.Ref, outer: n.Ref, url: n.URL, acts: n.Control()}
	v.kids = b.kids(n)
	if v.acts {
		v.dropEcho()
		b.choices(v)
	}
	switch {
	case n.Role == "heading":
		return b.heading(n, v)
	case v.acts:
	case n.Role == "img" && n.Name == "", n.Role == "separator":
		return v.kids
	case n.Role == repeated && n.Name == "" && len(v.kids) > 1:
	case inline[n.Role] || plain[n.Role] && n.Name == "":
		return v.stand(n)
	case (n.Role == "listitem" || n.Role == "list" || cells[n.Role]) && len(v.kids) == 1 && n.Flags == "":
		return v.stand(n)
	case n.Role == "listitem" && len(v.kids) > 1:
	case n.Name == "" && len(v.kids) == 0:
		return nil
	case n.Role == repeated:
		return v.stand(n)
	case len(v.kids) == 1 && v.kids[0].role == "list" && v.kids[0].name == "":
		v.kids = v.kids[0].kids
	}
	if len(v.kids) == 1 && v.kids[0].role == "" {
		v.value, v.kids = v.kids[0].name, nil
	}
	if v.name != "" && (v.value == v.name || v.role == "button" || v.role == "link") {
		v.value = "" // what the control shows where its name says more
	}
	return []*view{v}
}

// stand lets the children stand for the view. The one child of an item is
// folded by the item's ref.
func (v *view) stand(n *Node) []*view {
	if len(v.kids) == 1 && v.kids[0].role != "" && n.Role == "listitem" {
		v.kids[0].outer = n.Ref
	}
	return v.kids
}

// dropEcho removes from a control what its name says already: texts, pictures
// and headings in it.
func (v *view) dropEcho() {
	if v.name == "" {
		return
	}
	var kept []*view
	for _, k := range v.kids {
		if (!k.hasControl() || k.role == "clickable" && len(k.kids) == 0) && strings.Contains(v.name, k.words()) {
			continue
		}
		kept = append(kept, k)
	}
	v.kids = kept
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
		switch chosen := strings.Contains(k.state, "selected"); {
		case chosen:
			names = slices.Insert(names, 0, b.cut(k.name, cellLength)+" [selected]")
		case i < maxChoices:
			names = append(names, b.cut(k.name, cellLength))
		}
	}
	if more := len(v.kids) - len(names); more > 0 {
		names = append(names, "and "+strconv.Itoa(more)+" more")
	}
	v.value, v.kids, v.long = strings.Join(names, " | "), nil, true
}

// words is the text of a view without children, or something no name holds.
func (v *view) words() string {
	if len(v.kids) > 0 {
		return "\x00"
	}
	if v.name == "" {
		return v.value
	}
	return v.name
}

func (v *view) hasControl() bool {
	if v.acts {
		return true
	}
	for _, k := range v.kids {
		if k.hasControl() {
			return true
		}
	}
	return false
}

// heading is a line "h2 …"; a link that says the same is part of it.
func (b outliner) heading(n *Node, v *view) []*view {
	v.role = "h" + strconv.Itoa(max(n.Level, 1))
	var kept []*view
	for _, k := range v.kids {
		if k.hasControl() {
			kept = append(kept, k)
		}
	}
	v.kids = kept
	if len(kept) == 1 && kept[0].name == v.name && len(kept[0].kids) == 0 {
		k := *kept[0]
		k.role = v.role + " " + k.role
		k.outer = n.Ref
		return []*view{&k}
	}
	return []*view{v}
}

// row is a table row on one line: its cells, and the controls in them.
func (b outliner) row(n *Node) *view {
	v := &view{role: "row", state: n.states(), ref: n.Ref, outer: n.Ref}
	var parts []string
	for _, c := range n.Kids {
		kids := b.kids(c)
		var words []string
		for _, k := range kids {
			words = append(words, b.inCell(k, v)...)
		}
		if len(words) == 0 && c.Name != "" && c.Role != "" {
			words = []string{b.cut(c.Name, cellLength)}
		}
		parts = append(parts, strings.Join(words, " "))
	}
	v.value = strings.Join(parts, " | ")
	return v
}

// inCell is what a cell shows of a view, flattened.
func (b outliner) inCell(v *view, row *view) []string {
	var words []string
	switch {
	case v.acts:
		row.acts = true
		row.kids = append(row.kids, &view{role: v.role, acts: true, state: v.state}) // for its shape; print leaves it out
		words = append(words, b.head(v))
	case v.role == "":
		words = append(words, b.cut(v.name, cellLength))
	case v.name != "" && v.role != "list":
		words = append(words, b.cut(v.name, cellLength))
	}
	if v.value != "" && !v.acts {
		words = append(words, b.cut(v.value, cellLength))
	}
	for _, k := range v.kids {
		words = append(words, b.inCell(k, row)...)
	}
	return words
}

// controls lists what can be acted on, without what is around it.
func (b outliner) controls(n *Node) []*view {
	var out []*view
	for _, k := range n.Kids {
		if !k.Control() {
			out = append(out, b.controls(k)...)
			continue
		}
		v := &view{role: k.Role, name: k.Name, state: k.states(), ref: k.Ref, outer: k.Ref, url: k.URL, acts: true, kids: b.controls(k)}
		if k.Name == "" {
			v.name = firstText(k)
		} else if len(k.Kids) == 1 && k.Kids[0].Role == "" {
			v.value = k.Kids[0].Name
		}
		b.choices(v)
		out = append(out, v)
	}
	return out
}

func firstText(n *Node) string {
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
