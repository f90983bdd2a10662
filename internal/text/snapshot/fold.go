package snapshot

import (
	"fmt"
	"math/bits"
	"slices"
)

// Folding. Siblings whose shapes are alike are represented by the first of
// them. Shapes are compared by SimHash: each feature of a view (the path of
// roles to a part of it, with its states) votes on 64 bits, so that views that
// differ in little have hashes that differ in few bits, and a comparison is a
// XOR. Each sibling is compared with a few representatives only, so the whole
// takes time in proportion to the number of views.
const (
	maxDistance = 20 // bits in which the hashes of like shapes may differ; their controls agree exactly
	maxShapes   = 12 // representatives among the children of one view
	maxFeatures = 64 // parts of a view that are looked at
	minLines    = 12 // one-line items: so many are shown whole
	showLines   = 5  // and of more, so many
	minTexts    = 5  // texts in a row that are shown whole
	minLong     = 2  // and of paragraphs so long that little of them is shown, so many
	showTexts   = 3
	minItems    = 4  // larger items: so many make a list
	minFields   = 40 // buttons and fields in one place, in items too: so many are shown whole
	maxRanges   = 40 // ranges of refs in a line
	maxDigest   = 60 // items whose names are listed
)

// foldAll folds the lists among views and below them.
func foldAll(kids []*view) []*view {
	for _, v := range kids {
		if v.role != "row" {
			v.kids = foldAll(v.kids)
		}
		v.measure()
	}
	if len(kids) >= minItems {
		kids = fold(kids)
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

func (v *view) isWrapper() bool { return v.role == repeated && v.fold == "" && !v.isFlat() }

// items are the roles that lists are made of. Other things that look alike,
// such as the fields of a form, are there to be seen.
var items = map[string]bool{"": true, "listitem": true, "row": true, "article": true, "clickable": true, "link": true, "option": true,
	"treeitem": true, "menuitem": true, "img": true, repeated: true, "list": true, "feed": true}

// group are siblings of one shape.
type group struct {
	first *view
	all   []*view
}

func fold(kids []*view) []*view {
	groups := groupAlike(kids)
	out := make([]*view, 0, len(kids))
	for _, k := range kids {
		g := groups[k]
		if g == nil || len(g.all) == 1 {
			out = append(out, k)
			continue
		}
		show := g.show()
		if show >= len(g.all) {
			out = append(out, k)
			continue
		}
		for i := range show {
			if g.all[i] == k {
				out = append(out, k)
			}
		}
		if g.all[show-1] == k {
			out = append(out, g.rest(show))
		}
	}
	return out
}

// show is how many of a group are shown.
func (g *group) show() int {
	size := g.first.size
	switch {
	case g.first.role == "":
		if len(g.all) > minLong && g.allLong() {
			return 1 // the beginning of the first tells what they are about
		}
		if len(g.all) > minTexts {
			return showTexts
		}
	case !items[g.first.role]:
		if len(g.all) > minFields && size == 1 && g.first.acts {
			return showLines
		}
	case g.first.role == "row" && len(g.all) > minTexts:
		return showTexts
	case g.first.hasField():
		if len(g.all) > minFields {
			return showLines
		}
	case size == 1:
		if len(g.all) > minLines {
			return showLines
		}
	case len(g.all) >= minItems:
		return 1
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
	return !slices.ContainsFunc(g.all, func(v *view) bool { return len(v.name) <= 3*textLength })
}

// groupAlike finds the siblings that look alike. Texts are grouped only as
// neighbours: what stands between them is their order's sense.
func groupAlike(kids []*view) map[*view]*group {
	groups := make(map[*view]*group, len(kids))
	var shapes []*group
	var texts *group
	for _, k := range kids {
		if k.role == "" {
			if texts == nil {
				texts = &group{first: k}
			}
			texts.all = append(texts.all, k)
			groups[k] = texts
			continue
		}
		texts = nil
		g := closest(shapes, k)
		if g == nil {
			g = &group{first: k}
			if len(shapes) < maxShapes {
				shapes = append(shapes, g)
			}
		}
		g.all = append(g.all, k)
		groups[k] = g
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
func (g *group) rest(show int) *view {
	folded := g.all[show:]
	role := g.first.role
	s := fmt.Sprintf("(and %d more like it)", len(folded))
	if role != "" {
		s = role + " " + s
		var refs []string
		for _, v := range folded {
			refs = append(refs, v.outer)
		}
		s += " [refs: " + ranges(refs) + "]"
	}
	if d := digest(folded); d != "" {
		s += ": " + d
	}
	return &view{role: role, fold: s, size: 1}
}
