//go:build evidence

package miniwob

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// lacks says what of a need a view doesn't show, as a kind and a name, "" if it shows all. The
// need was recorded on the view ours, of the same page.
func (v *view) lacks(n need, ours *view) (kind, name string) {
	own := ours.named(n.ref)
	switch {
	case n.ref == "":
		if w := v.unseen(n.words, v.text); w != "" {
			return "no text", w
		}
		return "", ""
	case n.place != "":
		if v.with(n.place) == nil {
			return "no place of", own
		}
		return "", ""
	}
	lines := v.leading(ours.at[n.ref], ours)
	if len(lines) == 0 && ours.place(n.ref) != "" {
		lines = v.with(ours.place(n.ref))
	}
	if len(lines) == 0 && len(n.words) > 0 && v.unseen(n.words, v.text) == "" {
		return "no ref for", own
	}
	if len(lines) == 0 {
		return "not shown", own
	}
	var alike, far string
	for _, i := range lines {
		far, alike = v.unseen(n.words, v.near(i)), ""
		if n.mark != "" || len(n.words) == 0 {
			alike = v.alike(i, n, ours)
		}
		if far == "" && alike == "" && (n.fact == "" || v.tells(i, n.fact)) {
			return "", ""
		}
	}
	switch {
	case far != "":
		return "no text beside its control", far
	case alike != "":
		return "looks like another", own
	}
	return "not said", n.fact + " of " + own
}

// unseen is the first of the words that a text lacks.
func (v *view) unseen(words []string, text string) string {
	for _, w := range words {
		if !strings.Contains(text, squeeze(w)) {
			return w
		}
	}
	return ""
}

// reLong is a long mark.
var reLong = regexp.MustCompile(`^(.{30,40}?)[\w.-]{10,}(.*)$`)

// named is how our outline names an element.
func (v *view) named(ref string) string {
	for _, l := range v.lines {
		if l.ref == ref {
			name := strings.TrimSpace(strings.TrimPrefix(l.marks, "- "))
			return reLong.ReplaceAllString(strings.TrimSuffix(name, ":"), "$1…$2")
		}
	}
	return ""
}

// place is the box that an outline says of an element.
func (v *view) place(ref string) string {
	for _, l := range v.lines {
		if l.ref == ref {
			return l.place
		}
	}
	return ""
}

// with are the lines with a box, give or take a pixel.
func (v *view) with(place string) (list []int) {
	var want, got [4]float64
	scan := func(text string, to *[4]float64) bool {
		n, _ := fmt.Sscanf(text, "%gx%g at %g,%g", &to[0], &to[1], &to[2], &to[3])
		return n == 4
	}
	for i, l := range v.lines {
		if !scan(place, &want) || !scan(l.place, &got) {
			continue
		}
		off := 0.0
		for k := range want {
			off = max(off, math.Abs(want[k]-got[k]))
		}
		if off <= 1 {
			list = append(list, i)
		}
	}
	return list
}

// inside reports whether an element is another, or in it.
func inside(path, outer string) bool {
	return path == outer || strings.HasPrefix(path, outer+"/")
}

// leading are the lines whose ref acts on an element: it is that element, or a click on it hits
// that element or what a click on that hits. A larger part of the page counts if nothing else in
// it can be used.
func (v *view) leading(to spot, ours *view) (list []int) {
	for i, l := range v.lines {
		at := v.at[l.ref]
		if l.ref == "" || to.Path == "" {
			continue
		}
		acts := at.Path == to.Path || at.Field == to.Path || at.Hit != "" && (inside(at.Hit, to.Path) || at.Hit == to.Hit)
		if acts && at.Path != to.Path && inside(to.Path, at.Path) {
			for other := range maps.Values(ours.at) {
				if inside(other.Path, at.Path) && !inside(other.Path, to.Path) && !inside(to.Path, other.Path) {
					acts = false
				}
			}
		}
		if acts {
			list = append(list, i)
		}
	}
	return list
}

// end is the line after a line and what is below it.
func (v *view) end(i int) int {
	for k := i + 1; k < len(v.lines); k++ {
		if v.lines[k].depth <= v.lines[i].depth {
			return k
		}
	}
	return len(v.lines)
}

// above is the line that a line stands in, -1 at the top.
func (v *view) above(i int) int {
	for k := i - 1; k >= 0; k-- {
		if v.lines[k].depth < v.lines[i].depth {
			return k
		}
	}
	return -1
}

// before is the last text before a line.
func (v *view) before(i int) string {
	for k := i - 1; k >= 0; k-- {
		if v.lines[k].text != "" {
			return squeeze(v.lines[k].text)
		}
	}
	return ""
}

// near is the text of a line, of the two parts that it stands in, and before it.
func (v *view) near(i int) string {
	from, to := i, v.end(i)
	for range 2 {
		if up := v.above(from); up >= 0 {
			from, to = up, v.end(up)
		}
	}
	text := v.before(i) + " "
	for ; from < to; from++ {
		text += squeeze(v.lines[from].text)
	}
	return text
}

// looks is all that tells a line from others: what it says, what is below it, and the text before.
func (v *view) looks(i int) string {
	text := v.before(i)
	for k := i; k < v.end(i); k++ {
		text += "\n" + v.lines[k].marks
	}
	return text
}

// alike names an element that the policy doesn't mean and that looks the same.
func (v *view) alike(i int, n need, ours *view) string {
	var meant []int
	for _, ref := range n.like {
		meant = append(meant, v.leading(ours.at[ref], ours)...)
		if place := ours.place(ref); place != "" {
			meant = append(meant, v.with(place)...)
		}
	}
	here := v.at[v.lines[i].ref].Path
	for k, l := range v.lines {
		there := v.at[l.ref].Path
		if l.ref == "" || slices.Contains(meant, k) || inside(here, there) || inside(there, here) {
			continue
		}
		if v.looks(i) == v.looks(k) {
			return l.ref
		}
	}
	return ""
}

// tells reports whether a line, or one below it, says a fact. A colour may be in another form.
func (v *view) tells(i int, fact string) bool {
	forms := []string{fact}
	var r, g, b int
	if n, _ := fmt.Sscanf(fact, "#%02x%02x%02x", &r, &g, &b); n == 3 {
		forms = append(forms, fmt.Sprintf("rgb(%d, %d, %d)", r, g, b), hues[fact])
	}
	for k := i; k < v.end(i); k++ {
		for _, f := range forms {
			if f != "" && strings.Contains(v.lines[k].marks, f) {
				return true
			}
		}
	}
	return false
}
