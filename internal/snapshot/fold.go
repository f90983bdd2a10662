package snapshot

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	minFields   = 40 // buttons and fields in one place: so many are shown whole
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
	if !slices.ContainsFunc(kids, func(v *view) bool { return v.role == repeated && v.fold == "" }) {
		return kids
	}
	var out []*view
	folded := slices.ContainsFunc(kids, func(v *view) bool { return v.role == repeated && v.fold != "" })
	for _, v := range kids {
		if v.role == repeated && v.fold == "" && !folded {
			out = append(out, v.kids...)
			continue
		}
		out = append(out, v)
	}
	return out
}

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
	case size == 1 || g.first.hasField():
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

// digest lists what the folded items are called, where that is short.
func digest(folded []*view) string {
	if folded[0].role == "" || folded[0].role == "row" {
		return ""
	}
	var names []string
	for i, v := range folded {
		if i == maxDigest {
			names = append(names, "…")
			break
		}
		if name := title(v); name != "" {
			names = append(names, strings.TrimSpace(cut(name, 24)+" "+price(v)))
		}
	}
	return strings.Join(names, " | ")
}

// priced finds what a thing costs, the one fact that lists are gone through for.
var priced = regexp.MustCompile(`[€$£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|EUR|USD|GBP|kr\b)`)

// price is the first price that an item shows outside of its controls.
func price(v *view) string {
	if v.acts {
		return ""
	}
	for _, text := range []string{v.value, v.name} {
		if p := priced.FindString(text); p != "" && (v.role == "" || text == v.value) {
			return strings.TrimRight(p, ".,")
		}
	}
	for _, k := range v.kids {
		if p := price(k); p != "" {
			return p
		}
	}
	return ""
}

// title is what an item is called: its own name, else that of the first
// heading or link in it.
func title(v *view) string {
	if v.name != "" {
		return v.name
	}
	for _, k := range v.kids {
		if (k.acts || strings.HasPrefix(k.role, "h")) && k.name != "" {
			return k.name
		}
	}
	for _, k := range v.kids {
		if t := title(k); t != "" && k.role != "" {
			return t
		}
	}
	return v.value
}

// ranges writes refs as ranges: "e5, e7-e20".
func ranges(refs []string) string {
	var parts []string
	for i := 0; i < len(refs); {
		prefix, n := splitRef(refs[i])
		j := i + 1
		for j < len(refs) {
			p, m := splitRef(refs[j])
			if p != prefix || m != n+j-i {
				break
			}
			j++
		}
		part := refs[i]
		if j > i+1 {
			part += "-" + refs[j-1]
		}
		parts = append(parts, part)
		i = j
	}
	if len(parts) > maxRanges {
		parts = append(parts[:maxRanges], fmt.Sprintf("%d more: search finds them", len(parts)-maxRanges))
	}
	return strings.Join(parts, ", ")
}

// splitRef parts "f1e5" into "f1e" and 5.
func splitRef(ref string) (string, int) {
	i := strings.LastIndexByte(ref, 'e') + 1
	n, err := strconv.Atoi(ref[i:])
	if err != nil {
		return ref, -1
	}
	return ref[:i], n
}

// measure sets size and hash, those of the children being set.
func (v *view) measure() {
	v.size = 1
	if v.role != "row" {
		for _, k := range v.kids {
			v.size += k.size
		}
	}
	var votes [64]int16
	left := maxFeatures
	v.vote(&votes, fnvBasis, &left)
	v.acted = mixString(fnvBasis, v.role+v.state)
	for _, k := range v.kids {
		if k.acts {
			v.acted = v.acted*31 + spread(mixString(fnvBasis, k.role+k.state))
		}
		if k.acted != 0 && v.role != "row" {
			v.acted = v.acted*31 + k.acted
		}
	}
	if !v.hasControl() {
		v.acted = 0
	}
	v.hash = 0
	for i, n := range votes {
		if n > 0 {
			v.hash |= 1 << i
		}
	}
}

const (
	fnvBasis = 14695981039346656037
	fnvPrime = 1099511628211
)

// vote adds the features of v: the path of roles that leads to it, and its
// states.
func (v *view) vote(votes *[64]int16, path uint64, left *int) {
	if *left == 0 {
		return
	}
	*left--
	role := v.role
	if v.fold != "" {
		role = "fold"
	}
	path = mixString(path, role)
	feature := spread(mixString(path, v.state))
	for i := range votes {
		if feature>>i&1 == 1 {
			votes[i]++
		} else {
			votes[i]--
		}
	}
	for _, k := range v.kids {
		k.vote(votes, path, left)
	}
}

func mixString(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// spread makes all bits of a hash depend on all: FNV's high bits are weak on
// short strings.
func spread(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
