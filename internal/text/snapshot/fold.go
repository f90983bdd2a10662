package snapshot

import (
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Folding. Siblings whose shapes are alike are represented by the first of
// them. Shapes are compared by SimHash: each feature of a view (the path of
// roles to a part of it, with its states) votes on 64 bits, so that views that
// differ in little have hashes that differ in few bits, and a comparison is a
// XOR. Each sibling is compared with a few representatives only, so the whole
// takes time in proportion to the number of views.
const (
	maxDistance = 20  // bits in which the hashes of like shapes may differ; their controls agree exactly
	maxShapes   = 12  // representatives among the children of one view
	maxFeatures = 64  // parts of a view that are looked at
	minFold     = 12  // so many items are shown whole
	minFields   = 40  // buttons and fields in one place, in items too: so many are
	minLarge    = 4   // of items that take many lines, where there is room for little: so many are
	manyLines   = 60  // which is so many lines
	longText    = 150 // characters of a paragraph of which little is shown
	maxRanges   = 40  // ranges of refs in a line
)

// foldAll folds the lists among views and below them.
func (b outliner) foldAll(kids []*view) []*view {
	for _, v := range kids {
		if v.role != "row" {
			v.kids = b.foldAll(v.kids)
		}
		if b.folds {
			v.measure()
		}
	}
	switch {
	case b.folds && len(kids) > 2:
		kids = b.fold(kids)
	case b.once && len(kids) >= minAlike:
		kids = brief(b, kids)
	}
	return dissolve(kids)
}

// dissolve takes away the repeated wrappers that no fold made use of.
func dissolve(kids []*view) []*view {
	if !slices.ContainsFunc(kids, (*view).isWrapper) {
		return kids
	}
	var out []*view
	folded := slices.ContainsFunc(kids, func(v *view) bool { return v.role == repeated && v.fold != "" })
	for _, v := range kids {
		if v.isWrapper() && !folded {
			out = append(out, v.kids...)
			continue
		}
		out = append(out, v)
	}
	return out
}

func (v *view) isWrapper() bool {
	return v.role == repeated && v.fold == "" && v.note == "" && !v.isFlat()
}

// items are the roles that lists are made of. Other things that look alike,
// such as the fields of a form, are there to be seen.
var items = map[string]bool{"": true, "listitem": true, "row": true, "article": true, "clickable": true, "link": true, "option": true,
	"treeitem": true, "menuitem": true, "img": true, "shape": true, repeated: true, "list": true, "feed": true}

// group are siblings of one shape.
type group struct {
	first  *view
	all    []*view
	folded []*view
	said   bool // the line that stands for the folded ones is written
}

func (b outliner) fold(kids []*view) []*view {
	hidden := map[*view]*group{}
	for _, g := range groupAlike(kids) {
		for _, v := range b.hidden(g) {
			hidden[v] = g
		}
	}
	out := make([]*view, 0, len(kids))
	for _, k := range kids {
		g := hidden[k]
		if g == nil {
			out = append(out, k)
			continue
		}
		if !g.said { // one line stands for all that are hidden, where the first of them stood
			g.said = true
			out = append(out, b.rest(g))
		}
	}
	return out
}

// hidden returns the items of a group that are folded. The first few, items near the focus
// and items that differ from the others are shown.
func (b outliner) hidden(g *group) []*view {
	show := b.show(g)
	if show >= len(g.all) {
		return nil
	}
	odd := g.odd()
	for _, v := range g.all[show:] {
		if !v.near && !odd[v] {
			g.folded = append(g.folded, v)
		}
	}
	b.out.Folded += len(g.folded)
	return g.folded
}

// show is how many of a group are shown.
func (b outliner) show(g *group) int {
	many := len(g.all) > minFold
	switch {
	case g.first.role == "":
		switch {
		case b.text < longText && len(g.all) > 2 && g.allLong():
			return 1 // the beginning of the first tells what they are about
		case many:
			return b.rows
		}
	case !items[g.first.role]:
		if len(g.all) > minFields && g.first.size == 1 && g.first.acts {
			return b.lines
		}
	case g.first.role == "row" && many:
		return b.rows
	case g.first.hasField():
		if len(g.all) > minFields {
			return b.lines
		}
	case many && g.first.size == 1:
		return b.lines
	case many, b.items == 1 && len(g.all) >= minLarge && len(g.all)*g.first.size > manyLines:
		return b.items
	}
	return len(g.all)
}

// fields are the controls that are filled in: each is there to be seen.
var fields = map[string]bool{"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "slider": true,
	"checkbox": true, "radio": true, "switch": true, "listbox": true}

func (v *view) hasField() bool {
	return fields[v.role] || slices.ContainsFunc(v.kids, (*view).hasField)
}

func (g *group) allLong() bool {
	return !slices.ContainsFunc(g.all, func(v *view) bool { return len(v.name) <= longText })
}

// groupAlike finds the siblings that look alike. Texts are grouped only as
// neighbours: what stands between them is their order's sense.
func groupAlike(kids []*view) (groups []*group) {
	var shapes []*group
	var texts *group // that the next text belongs to
	for _, k := range kids {
		g := texts
		if k.role != "" {
			g = closest(shapes, k)
		}
		if g == nil {
			g = &group{first: k}
			groups = append(groups, g)
			if k.role != "" && len(shapes) < maxShapes {
				shapes = append(shapes, g)
			}
		}
		g.all = append(g.all, k)
		if texts = nil; k.role == "" {
			texts = g
		}
	}
	return groups
}

func closest(shapes []*group, k *view) *group {
	var best *group
	least := maxDistance + 1
	for _, g := range shapes {
		if g.first.role != k.role || g.first.state != k.state || g.first.acted != k.acted || (g.first.size == 1) != (k.size == 1) {
			continue
		}
		if d := bits.OnesCount64(g.first.hash ^ k.hash); d < least {
			best, least = g, d
		}
	}
	return best
}

// rest is the line that stands for the folded ones.
func (b outliner) rest(g *group) *view {
	role := g.first.role
	if role == "" {
		size := 0
		for _, v := range g.folded {
			size += utf8.RuneCountInString(v.name)
		}
		return &view{fold: fmt.Sprintf("(and %d more texts of %d characters)", len(g.folded), size), size: 1}
	}
	refs := make([]string, len(g.folded))
	for i, v := range g.folded {
		refs[i] = v.outer
	}
	s := fmt.Sprintf("%s (and %d more like it) [refs: %s]", role, len(g.folded), ranges(refs))
	if d := b.digest(g.folded); d != "" {
		s += ": " + d
	}
	return &view{role: role, fold: s, size: 1}
}
