package snapshot

import (
	"slices"
	"strings"
)

// Items that are alike. What all items of a run say is written once, above them; each item is a line
// with what it says itself, and its refs:
//
//   - listitem, each: link "…" | "…" | button "Add … to cart":
//   - Brass Lantern [ref=e3] | €6.50 | [ref=e51]
const (
	minAlike   = 13 // as many as fold, where there is less room
	maxColumns = 8
)

// brief writes the runs of alike items among views in few words.
func brief(b outliner, kids []*view) []*view {
	var out []*view
	for i := 0; i < len(kids); {
		end := i + 1
		if shape := kids[i].columns(); shape != "" {
			for end < len(kids) && kids[end].columns() == shape {
				end++
			}
		}
		run := kids[i:end]
		i = end
		if len(run) >= minAlike {
			if short := briefRun(b, run); short != nil {
				out = append(out, short)
				continue
			}
		}
		out = append(out, run...)
	}
	return out
}

// columns is the shape of an item whose parts are all leaves, "" for others.
func (v *view) columns() string {
	if v.acts || v.name != "" || v.value != "" || v.note != "" || v.fold != "" || !items[v.role] ||
		len(v.kids) < 2 || len(v.kids) > maxColumns {
		return ""
	}
	shape := v.role + v.state
	for _, k := range v.kids {
		if len(k.kids) > 0 || k.fold != "" || k.role == "row" {
			return ""
		}
		shape += "\x00" + k.role
		if fields[k.role] {
			return "" // each is there to be seen
		}
	}
	return shape
}

// briefRun is a run of alike items, nil where little is won.
func briefRun(b outliner, run []*view) *view {
	n := len(run[0].kids)
	head, lines := make([]string, n), make([][]string, len(run))
	var first []string // what tells the items apart in the first column
	for c := range n {
		said := make([]string, len(run))
		for i, v := range run {
			said[i] = v.kids[c].said()
		}
		before, behind := shared(said)
		same := len(slices.Compact(slices.Clone(said))) == 1
		for i, s := range said {
			said[i] = strings.TrimSpace(s[min(len(before), len(s)) : len(s)-len(behind)])
		}
		echo := first != nil && slices.Equal(first, said)
		if first == nil && !same {
			first = said
		}
		role := run[0].kids[c].role
		head[c] = strings.TrimSpace(role + " " + quote(template(before, behind, same)))
		for i, v := range run {
			k := *v.kids[c]
			if k.name != "" {
				k.url = "" // it stands for a name that is missing
			}
			k.name, k.value = "", ""
			text := ""
			if !echo && !same {
				text = b.cut(said[i], b.most(v.kids[c]))
			}
			tail := strings.TrimPrefix(b.head(&k), k.role)
			if k.role == "" {
				tail = ""
			}
			lines[i] = append(lines[i], strings.TrimSpace(text+tail))
		}
	}
	short := &view{role: run[0].role, fold: run[0].role + run[0].state + ", each: " + strings.Join(head, " | ")}
	sum, whole := len(short.fold), 0
	for i, v := range run {
		text := strings.TrimRight(strings.Join(bareRefs(lines[i]), " | "), " |")
		short.kids = append(short.kids, &view{fold: text, outer: v.outer})
		sum += len(text)
		for _, l := range b.print(nil, v, 0) {
			whole += len(l.Text) + l.Depth + 2
		}
	}
	if sum*5 > whole*4 {
		return nil
	}
	return short
}

// bareRefs makes a range of three cells or more beside each other that have nothing but their refs.
func bareRefs(cells []string) (out []string) {
	for i := 0; i < len(cells); {
		var refs []string
		for _, cell := range cells[i:] {
			ref, _ := strings.CutPrefix(cell, "[ref=")
			ref, found := strings.CutSuffix(ref, "]")
			if !found || !isRef(ref) {
				break
			}
			refs = append(refs, ref)
		}
		if text := ranges(refs); len(refs) > 2 && !strings.Contains(text, ",") {
			out = append(out, "[refs: "+text+"]")
			i += len(refs)
			continue
		}
		out = append(out, cells[i])
		i++
	}
	return out
}

func isRef(s string) bool { return strings.Trim(s, "ef0123456789") == "" }

// said is what a leaf says.
func (v *view) said() string {
	switch {
	case v.value == "":
		return v.name
	case v.name == "":
		return v.value
	}
	return v.name + ": " + v.value
}

func template(before, behind string, same bool) string {
	if same {
		return before
	}
	return before + "…" + behind
}

// shared is what texts begin and end with, in whole words.
func shared(texts []string) (before, behind string) {
	before, behind = texts[0], texts[0]
	for _, t := range texts[1:] {
		for !begins(t, before) {
			before = before[:strings.LastIndexByte(strings.TrimRight(before, " "), ' ')+1]
		}
		for !ends(t, behind) {
			rest := strings.TrimLeft(behind, " ")
			behind = rest[len(rest)-len(after(rest)):]
		}
	}
	for _, t := range texts {
		if len(before)+len(behind) > len(t) { // they overlap
			return before, ""
		}
	}
	return before, behind
}

// after is what stands behind a text's first word, with the space.
func after(text string) string {
	if i := strings.IndexByte(text, ' '); i >= 0 {
		return text[i:]
	}
	return ""
}

func begins(text, with string) bool {
	return strings.HasPrefix(text, with) &&
		(len(text) == len(with) || with == "" || strings.HasSuffix(with, " ") || text[len(with)] == ' ')
}

func ends(text, with string) bool {
	return strings.HasSuffix(text, with) &&
		(len(text) == len(with) || with == "" || with[0] == ' ' || text[len(text)-len(with)-1] == ' ')
}
