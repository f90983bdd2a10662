package snapshot

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// digest lists what tells the folded items apart: what they are called, of rows a cell.
func (b outliner) digest(folded []*view) string {
	more := len(folded) - b.names
	column := -1
	if folded[0].role == "row" {
		column = tellingColumn(folded)
	}
	if more > 0 {
		folded = folded[:b.names]
	}
	same := map[string]int{}
	for _, v := range folded {
		same[title(v)]++
	}
	var names []string
	for _, v := range folded {
		name := title(v)
		if text := firstOf(v); same[name] > 1 && text != "" {
			name = text // what is called alike is told by what it says
		}
		name = Cut(name, b.short)
		if v.role == "row" {
			name = Cut(v.cellAt(column), b.short)
		} else if p := price(v); p != "" {
			name += " " + p
		}
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	if more > 0 && len(names) > 0 {
		names = append(names, "…")
	}
	return strings.Join(names, " | ")
}

// firstOf is the first text in a view that no control says.
func firstOf(v *view) string {
	if v.role == "" {
		return v.name
	}
	if v.acts {
		return ""
	}
	return cmp.Or(first(v.kids, firstOf), v.value)
}

// first is the first text that fn finds in a list of views.
func first(list []*view, fn func(*view) string) string {
	for _, v := range list {
		if text := fn(v); text != "" {
			return text
		}
	}
	return ""
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
	return first(v.kids, price)
}

// title is what an item is called: its own name, else that of the first
// heading or link in it.
func title(v *view) string {
	if v.fold != "" {
		return ""
	}
	if v.name != "" {
		return v.name
	}
	for _, k := range v.kids {
		if (k.acts || strings.HasPrefix(k.role, "h")) && k.name != "" {
			return k.name
		}
	}
	if v.value != "" {
		return v.value
	}
	for _, pictures := range []bool{false, true} { // an icon tells less than a text does
		for _, k := range v.kids {
			if (k.role == "img") != pictures {
				continue
			}
			if t := title(k); t != "" {
				return t
			}
		}
	}
	return ""
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
