package snapshot

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cut shortens a text, and says by how much.
func (b outliner) cut(s string, most int) string {
	short := b.trial(s, most)
	if short == s {
		return s
	}
	b.out.Cuts++
	return short + "(+" + strconv.Itoa(utf8.RuneCountInString(s)-utf8.RuneCountInString(short)+1) + ")"
}

// trial is what is left of a text that is cut.
func (b outliner) trial(s string, most int) string {
	if b.Whole || len(s) <= most+len(s)/20+8 { // nothing is won by a cut so small
		return s
	}
	return Cut(s, most)
}

// most is how much is shown of a text, or of the name of an element that is no control.
func (b outliner) most(v *view) int {
	switch {
	case v.near, v.label, v.isHeading():
		return b.label
	case v.acts:
		return b.name
	case v.pieces:
		return 4 * b.text
	case v.role != "":
		return min(b.label, b.name)
	}
	return b.text
}

// head is the line of a view without its children.
func (b outliner) head(v *view) string {
	if v.fold != "" {
		return v.fold
	}
	if v.role == "" {
		return quote(b.cut(v.name, b.most(v)))
	}
	s := v.role
	if v.name != "" && !v.beside {
		s += " " + quote(b.cut(v.name, b.most(v)))
	}
	s += v.state
	if v.ref != "" && (v.acts && v.role != "row" || v.hit || b.Whole && v.name != "" && v.role != "row" && len(v.kids) > 0 && !v.isFlat()) {
		s += " [ref=" + v.ref + "]"
	}
	s += v.note
	if v.beside {
		s += " in " + quote(b.cut(v.name, b.most(v)))
	} else if v.where != "" {
		s += " in " + quote(v.where)
	}
	switch {
	case b.Whole && v.url != "":
		s += " " + v.url
	case v.role == "link" && v.name == "" && v.url != "":
		s += " " + Cut(v.url, longestURL)
	}
	if v.value != "" {
		s += ": " + b.cut(v.value, b.maxValue(v))
	}
	return s
}

// maxValue is how much of a view's value is shown.
func (b outliner) maxValue(v *view) int {
	switch {
	case v.role == "row" || v.long:
		return unlimited // its parts are cut one by one
	case v.role == "textbox" && (strings.Contains(v.state, "[disabled]") || strings.Contains(v.note, "read only")):
		return min(b.label, max(cmp.Or(b.Budget, DefaultBudget)/fixedShare, minFixed)) // a text to look up
	case v.near, v.label:
		return b.label
	}
	return b.name
}

// The value of a field that nobody can write in is cut. It has one character for every fixedShare tokens of the
// budget, and at least minFixed characters.
const (
	fixedShare = 5
	minFixed   = 100
)

// longestURL is how much is shown of the URL of a link without a name.
const longestURL = 80

func (b outliner) print(out []Line, v *view, at int) []Line {
	if b.Depth > 0 && at >= b.Depth {
		return out
	}
	text, front := b.head(v), v.front
	if v.role == "row" || len(v.kids) == 0 {
		return append(out, Line{at, text, front})
	}
	if v.isFlat() {
		text += ":"
		for _, k := range v.kids {
			text += " " + b.head(k)
			front = front || k.front
		}
		return append(out, Line{at, text, front})
	}
	if b.Depth > 0 && at+1 >= b.Depth {
		return append(out, Line{at, text + " (" + strconv.Itoa(count(v)-1) + " more inside)", front})
	}
	out = append(out, Line{at, text + ":", front})
	for _, k := range v.kids {
		out = b.print(out, k, at+1)
	}
	return out
}

// isFlat tells a view whose children are written on its line: the one control
// in it, or an item's controls without names and the text beside them.
func (v *view) isFlat() bool {
	if v.acts || v.role == "row" || v.value != "" {
		return false
	}
	texts, named := 0, 0
	for _, k := range v.kids {
		switch {
		case k.role == "" && k.fold == "":
			texts++
		case !k.acts || k.role == "row" || k.fold != "" || len(k.kids) > 0:
			return false
		case k.name != "" || k.value != "":
			named++
		}
	}
	return len(v.kids) == 1 && texts == 0 ||
		len(v.kids) > 1 && texts <= 1 && named == 0 && (v.role == "listitem" || v.role == repeated)
}

// count is the number of lines that a view takes.
func count(v *view) int {
	n := 1
	if v.role == "row" || v.isFlat() {
		return n
	}
	for _, k := range v.kids {
		n += count(k)
	}
	return n
}
