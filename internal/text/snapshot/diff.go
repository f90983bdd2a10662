package snapshot

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Diff renders what changed from one rendering to the next: new lines with "+", each below the
// lines that lead to it, a short text also below the line before it; gone lines with "-"; lines
// whose ref has another line now with "~"; lines that stand behind another one now with ">". A
// line that only got the focus is no change. "" means that nothing changed.
func Diff(before, after []Line) string { return strings.Join(changes(before, after), "\n") }

// News is what changed since an earlier tree, for the answer of an act: at most about so many
// tokens. Of another document it is the outline, and so where nothing came before, or is there now.
func (n *Node) News(before *Node, o Options, most int) (text string, another bool) {
	if before == nil || !Shared(before, n) || len(n.Kids) == 0 && len(before.Kids) > 0 {
		return "", true
	}
	list := changes(before.At(o, 0), n.At(o, 0))
	if fitting(list, most) < len(list) { // the same in fewer words
		if short := changes(before.At(o, newsLevel), n.At(o, newsLevel)); len(short) > 0 {
			list = short
		}
	}
	if i := max(fitting(list, most), 1); i < len(list) {
		kind := "changed"
		if strings.HasPrefix(list[i], "- ") { // these are the last
			kind = "gone"
		}
		list = append(list[:i:i], "("+strconv.Itoa(len(list)-i)+" more "+kind+" lines: snapshot shows the page)")
	}
	return strings.Join(list, "\n"), false
}

// newsLevel is the level of detail at which much that is new is told.
const newsLevel = 3

// fitting is how many of the lines cost at most so many tokens.
func fitting(list []string, most int) int {
	for i, line := range list {
		if most -= tokensIn(line) + 1; most < 0 {
			return i
		}
	}
	return len(list)
}

// Shared reports whether trees are of one document: some element is in both, or neither has one.
func Shared(before, after *Node) bool {
	had := map[string]bool{}
	before.each(func(k *Node) { had[k.Ref] = k.Ref != "" })
	some, both := false, false
	after.each(func(k *Node) { some, both = some || k.Ref != "", both || had[k.Ref] })
	return both || !some && len(had) < 2
}

// changes are the lines of a difference.
func changes(before, after []Line) (list []string) {
	had := map[string]int{}
	for _, l := range before {
		had[l.key()]++
	}
	was := map[string]string{} // the key of a gone line by its ref
	left := map[string]int{}
	for _, l := range after {
		left[l.key()]++
	}
	for _, l := range before {
		if key := l.key(); left[key] == 0 {
			was[l.ref()] = key
		} else {
			left[key]--
		}
	}
	delete(was, "")
	var path []Line // the ancestors of the line at hand
	shown := 0      // how many of them are written already
	var prior Line  // the line before, if it says nothing new
	moved := moves(before, after)
	for i, l := range after {
		beside := prior
		prior = Line{}
		for len(path) > 0 && path[len(path)-1].Depth >= l.Depth {
			path = path[:len(path)-1]
		}
		shown = min(shown, len(path))
		above := path
		path = append(path, l)
		if key := l.key(); had[key] > 0 {
			had[key]--
			prior = l
			if where := moved[i]; where != "" {
				list = append(list, "> "+strings.TrimSuffix(l.Text, ":")+" "+where)
			}
			continue
		}
		if old := was[l.ref()]; had[old] > 0 { // it is known where it stands
			had[old]--
			list = append(list, "~ "+strings.TrimSuffix(l.Text, ":"))
			continue
		}
		for _, p := range above[shown:] {
			list = append(list, marked("  ", p))
		}
		if l.isShort() && beside.Text != "" && beside.Depth == l.Depth {
			list = append(list, marked("  ", beside))
		}
		list = append(list, marked("+ ", l))
		shown = len(path)
	}
	return append(list, gone(before, had)...)
}

// gone are the lines of what is left of had, in the order in which they stood.
func gone(before []Line, had map[string]int) (list []string) {
	for _, l := range slices.Backward(before) {
		if key := l.key(); had[key] > 0 {
			had[key]--
			list = append(list, "- "+Cut(l.Text, maxGone))
		}
	}
	slices.Reverse(list)
	return list
}

// maxGone is how much is shown of a line that is gone, in characters.
const maxGone = 80

// key is what a line says but for what changes with every act: where the focus is, where on the
// screen it lies, and how far its area is scrolled.
func (l Line) key() string { return passing.ReplaceAllString(l.Text, "") }

var passing = regexp.MustCompile(` \[active\]| at -?\d+,-?\d+\)|, \d+ px (below|above|further right|further left)`)

// isShort reports whether a line is a text of a few characters, such as "1" beside one of many
// alike buttons. Only the line before it tells where it stands.
func (l Line) isShort() bool { return strings.HasPrefix(l.Text, `"`) && len(l.Text) <= 14 }

// covers ends the line at the top of an outline that says what hides the rest.
const covers = " is open above the rest"

// ref is the ref of what the line stands for, "" if it stands for none or for several, or only speaks of one.
func (l Line) ref() string {
	if strings.HasSuffix(l.Text, "]"+covers) {
		return ""
	}
	_, rest, found := strings.Cut(l.Text, "[ref=")
	ref, _, _ := strings.Cut(rest, "]")
	if !found || strings.Contains(rest, "[ref=") {
		return ""
	}
	return ref
}

func marked(mark string, l Line) string { return mark + strings.Repeat(" ", l.Depth) + l.Text }
