package snapshot

import (
	"cmp"
	"slices"
	"strings"
)

// cells are the parts of a row.
var cells = map[string]bool{"cell": true, "gridcell": true, "columnheader": true, "rowheader": true}

// leveled are the roles whose level is no number of columns.
var leveled = map[string]bool{"heading": true, "listitem": true, "row": true, "treeitem": true}

// inRows returns the children of a node. For a grid that has no rows it makes the rows.
func inRows(n *Node) []*Node {
	if n.Level < 1 || leveled[n.Role] || len(n.Kids)%n.Level != 0 {
		return n.Kids
	}
	var rows []*Node
	for kids := range slices.Chunk(n.Kids, n.Level) {
		rows = append(rows, &Node{Role: "row", Ref: kids[0].Ref, Kids: kids})
	}
	return rows
}

// row is a table row on one line: its cells, and the controls in them. Its name
// is mostly what is in it.
func (b outliner) row(n *Node) *view {
	v := &view{role: "row", state: n.states(), ref: n.Ref, outer: n.Ref, near: b.focus[n], hit: n.Control(), acts: n.Control()}
	var parts []string
	for _, c := range n.Kids {
		if c.said {
			continue
		}
		if cells[c.Role] || c.Role == "listitem" {
			parts = append(parts, b.cellText(c, v))
			continue
		}
		for _, k := range b.view(c) {
			v.shows = append(v.shows, k)
			v.cells = append(v.cells, plainText([]*view{k}))
			parts = append(parts, strings.Join(b.inCell(k, v), " "))
		}
	}
	v.value = strings.Join(parts, " | ")
	if n.Name != "" && !n.isContent(n.Name) && !b.shown(v.shows).hold(n.Name) {
		v.name = n.Name
	}
	return v
}

// cellText is what a cell shows: its content, behind its name where that says
// something else, and its state.
func (b outliner) cellText(c *Node, row *view) string {
	var words []string
	kids := b.kids(c)
	for _, k := range kids {
		words = append(words, b.inCell(k, row)...)
	}
	name := b.cut(c.Name, b.cell)
	switch {
	case len(words) == 0 && name != "":
		words = []string{name}
	case name != "" && !c.isContent(c.Name) && !b.shown(kids).hold(c.Name):
		words = append([]string{name + ":"}, words...)
	}
	row.shows = append(append(row.shows, kids...), &view{name: name})
	row.cells = append(row.cells, cmp.Or(plainText(kids), c.Name)+c.states())
	text := strings.TrimPrefix(strings.Join(words, " ")+c.states(), " ")
	if !c.Control() {
		return text
	}
	row.acts = true
	row.kids = append(row.kids, &view{role: c.Role, acts: true, state: c.states()})
	return strings.TrimPrefix(text+" [ref="+c.Ref+"]"+c.noted(), " ")
}

// plainText is what views say, without roles and refs.
func plainText(list []*view) string {
	var words []string
	for _, v := range list {
		text := cmp.Or(v.name, v.value)
		if text == "" {
			text = plainText(v.kids)
		}
		if text != "" {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}

// inCell is what a cell shows of a view, flattened.
func (b outliner) inCell(v *view, row *view) []string {
	var words []string
	switch {
	case v.acts:
		row.acts = true
		row.kids = append(row.kids, &view{role: v.role, acts: true, state: v.state}) // for its shape; print leaves it out
		words = append(words, b.head(v))
	case v.name != "":
		words = append(words, b.cut(v.name, b.cell)+v.state)
	case v.state != "":
		words = append(words, v.role+v.state)
	}
	if v.value != "" && !v.acts {
		words = append(words, b.cut(v.value, b.cell))
	}
	if v.role == "row" { // of a table in the cell: its line says it all
		row.kids = append(row.kids, v.kids...)
		return words
	}
	for _, k := range v.kids {
		words = append(words, b.inCell(k, row)...)
	}
	return words
}
