package snapshot

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Diff renders what changed from one rendering to the next: new lines with "+", each below the
// lines that lead to it, a short text also below the line before it; gone lines with "-"; lines
// whose ref has another line now with "~"; lines that stand behind another one now with ">". A
// line that only got the focus is no change. What stands in front of the page comes first. "" means
// that nothing changed.
func Diff(before, after []Line) string { return strings.Join(changes(before, after, nil).all(), "\n") }

// Changes are the lines of [Diff]: those of what stands in front of the page, gone ones among them, and the rest.
func Changes(before, after []Line) (front, rest []string) {
	d := changes(before, after, nil)
	return slices.Concat(d.front, d.goneFront), slices.Concat(d.list, d.gone)
}

// News is what changed since an earlier tree, for the answer of an act. What stands in front of the page
// comes first and whole. The rest takes at most about so many tokens, and of a view that was replaced the
// gone lines are counted. Of another document it is the outline, and so where nothing came before, or is
// there now.
func (n *Node) News(before *Node, o Options, most int, clocks *Clocks) (text string, another bool) {
	if before == nil || !Shared(before, n) || len(n.Kids) == 0 && len(before.Kids) > 0 {
		clocks.forget()
		return "", true
	}
	after, before := redrawn(before, n)
	had, has := before.At(o, 0), after.At(o, 0)
	full := changes(had, has, clocks)
	clocks.doubt(had, has)
	shorter := func(level int) difference { return changes(before.At(o, level), after.At(o, level), clocks) }
	front, room := full.front, cmp.Or(o.Budget, DefaultBudget)
	for level := 1; fitting(front, room) < len(front) && level < len(levels); level++ {
		front = shorter(level).front
	}
	front = cutTo(front, room, most)
	if full.counted > 0 && len(front) == 0 {
		full.kept = keptFrom(before, n)
	}
	list, few := full.rest(), most
	if len(front) > 0 {
		most = max(most-tokensOfTexts(front), most/4)
	}
	if fitting(list, most) < len(list) { // the same in fewer words
		short := shorter(newsLevel)
		short.counted, short.kept = full.counted, full.kept
		if rest := short.rest(); len(rest) > 0 {
			list = rest
		}
	}
	return strings.Join(append(front, cutTo(list, most, few)...), "\n"), false
}

// cutTo are the first lines that cost at most so many tokens, at least one, and how many more there are.
// Few more lines stay if they cost at most few: a look at the page would cost more.
func cutTo(list []string, most, few int) []string {
	i := max(fitting(list, most), 1)
	if i >= len(list) || len(list)-i < fewLines && fitting(list[i:], few) == len(list)-i {
		return list
	}
	if strings.HasPrefix(list[i], "- ") { // these are the last, and no look at the page shows them
		return append(list[:i:i], "(and more is gone)")
	}
	return append(list[:i:i], "("+strconv.Itoa(len(list)-i)+" more changed lines: snapshot shows the page)")
}

const (
	newsLevel = 3  // the level of detail at which much that is new is told
	fewLines  = 10 // so many lines are worth a word about the rest
	fewGone   = 5  // so many gone lines are listed in any case
)

func tokensOfTexts(list []string) (sum int) {
	for _, line := range list {
		sum += tokensIn(line) + 1
	}
	return sum
}

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

// difference has the lines of a difference.
type difference struct {
	front []string // of what stands in front of the page
	list  []string // of the rest
	gone  []string // one for a thing with many lines in it

	goneFront []string // those that stood in front
	goneLines int      // all that are gone
	kept      []string // what stays around a view that was replaced
	counted   int      // gone lines that are counted, since another view took their place
}

func (d difference) all() []string { return slices.Concat(d.front, d.list, d.gone) }

// rest is all that is not in front.
func (d difference) rest() []string {
	if d.counted == 0 {
		return append(d.list, d.gone...)
	}
	return append(append(d.list, d.kept...), "("+strconv.Itoa(d.counted)+" lines are gone)")
}

// replaced reports whether so many lines came, or something opened, that what is gone was replaced.
func (d difference) replaced(came int, opened bool) bool {
	return d.goneLines > fewGone && (opened || came >= d.goneLines/2)
}

// changes makes a difference.
func changes(before, after []Line, clocks *Clocks) (d difference) {
	keys, now := clocks.keys(before), clocks.keys(after)
	had := map[string]int{}
	for _, key := range keys {
		had[key]++
	}
	was := goneKeys(before, keys, now)
	var path []Line // the ancestors of the line at hand
	var prior Line  // the line before, if it says nothing new
	front, rest := place{list: &d.front}, place{list: &d.list}
	base := -1 // the depth of what stands in front, within it
	came, opened := 0, false
	moved := moves(before, after)
	for i, l := range after {
		beside := prior
		prior = Line{}
		for len(path) > 0 && path[len(path)-1].Depth >= l.Depth {
			path = path[:len(path)-1]
		}
		rest.shown, front.shown = min(rest.shown, len(path)), min(front.shown, len(path))
		if l.Depth <= base {
			base = -1
		}
		at := &rest
		if l.Front && base < 0 {
			base, front.shown, front.indent = l.Depth, len(path), l.Depth
		}
		if base >= 0 {
			at = &front
		}
		above := path
		path = append(path, l)
		if key := now[i]; had[key] > 0 {
			had[key]--
			prior = l
			if where := moved[i]; where != "" {
				at.add("> " + strings.TrimSuffix(l.Text, ":") + " " + where)
			}
			continue
		}
		if old := was[l.ref()]; had[old] > 0 { // it is known where it stands
			had[old]--
			at.add("~ " + strings.TrimSuffix(l.Text, ":"))
			continue
		}
		at.comes(l, above, beside)
		came++
		opened = opened || l.Front && opens.MatchString(l.Text)
	}
	d.goes(before, keys, had)
	if d.replaced(came, opened) {
		d.counted = d.goneLines
	}
	return d
}

// opens matches the lines of what hides the page from its reader.
var opens = regexp.MustCompile(`^(dialog|alertdialog|overlay)\b`)

// place is where lines of a difference are written.
type place struct {
	list   *[]string
	shown  int // ancestors of the line at hand that are written already
	indent int // of what stands in front, in the page
}

func (p *place) add(text string) { *p.list = append(*p.list, text) }

// comes writes a new line below those that lead to it, and a short one also below the line before it.
func (p *place) comes(l Line, above []Line, beside Line) {
	for _, a := range above[p.shown:] {
		p.line("  ", a)
	}
	if l.isShort() && beside.Text != "" && beside.Depth == l.Depth {
		p.line("  ", beside)
	}
	p.line("+ ", l)
	p.shown = len(above) + 1
}

func (p *place) line(mark string, l Line) {
	p.add(mark + strings.Repeat(" ", l.Depth-p.indent) + l.Text)
}

// goneKeys has the key of each gone line by its ref.
func goneKeys(before []Line, keys, now []string) map[string]string {
	was, left := map[string]string{}, map[string]int{}
	for _, key := range now {
		left[key]++
	}
	for i, l := range before {
		if key := keys[i]; left[key] == 0 {
			was[l.ref()] = key
		} else {
			left[key]--
		}
	}
	delete(was, "")
	return was
}

// goes notes the lines of what is left of had, in the order in which they stood. Of a thing that is gone with many lines in
// it, such as a dialog, these are counted.
func (d *difference) goes(before []Line, keys []string, had map[string]int) {
	isGone := make([]bool, len(before))
	for i := range slices.Backward(before) {
		if key := keys[i]; had[key] > 0 {
			had[key]--
			isGone[i] = true
			d.goneLines++
		}
	}
	for i := 0; i < len(before); i++ {
		l := before[i]
		if !isGone[i] {
			continue
		}
		if l.Front {
			d.goneFront = append(d.goneFront, "- "+l.Text)
		}
		end := i + 1
		for end < len(before) && isGone[end] && before[end].Depth > l.Depth {
			end++
		}
		text, within := "- "+Cut(l.Text, maxGone), end-i-1
		whole := end == len(before) || before[end].Depth <= l.Depth
		if whole && within > fewGone {
			text = "- " + Cut(strings.TrimSuffix(l.Text, ":"), maxGone) + ", and " + strconv.Itoa(within) + " lines in it"
			for _, in := range before[i+1 : end] {
				if in.Front {
					d.goneFront = append(d.goneFront, "- "+in.Text)
				}
			}
			i = end - 1
		}
		d.gone = append(d.gone, text)
	}
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
