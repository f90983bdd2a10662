// Package suggest suggests names that may have been meant.
package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxNames is how many names are offered.
const maxNames = 3

// Names returns the names in all that are near to name, the nearest first, at most
// three. Near means: equal but for a typing error or for case, or one begins with the
// other.
func Names(name string, all []string) []string {
	var found []match
	want := fold(name)
	if want == "" || utf8.RuneCountInString(want) > 60 {
		return nil
	}
	for _, candidate := range all {
		if candidate != name && fold(candidate) == want { // spelt another way: no other is meant
			return []string{candidate}
		}
		if edits, ok := distance(want, fold(candidate)); ok && candidate != name {
			found = append(found, match{candidate, edits})
		}
	}
	var out []string
	for _, near := range nearest(found, maxNames) {
		if !slices.Contains(out, near) {
			out = append(out, near)
		}
	}
	return out
}

// match is a name, and how far it is from the one that was given.
type match struct {
	name     string
	distance int
}

// nearest are the names of at most n matches, the nearest first.
func nearest(list []match, n int) (names []string) {
	slices.SortStableFunc(list, func(a, b match) int { return cmp.Compare(a.distance, b.distance) })
	for _, m := range list[:min(len(list), n)] {
		names = append(names, m.name)
	}
	return names
}

// Hint is a question after the nearest names, "" where nothing is near.
func Hint(name string, all []string) string {
	list := Names(name, all)
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return "did you mean " + list[0] + "?"
	default:
		return "did you mean " + strings.Join(list[:n-1], ", ") + " or " + list[n-1] + "?"
	}
}

// fold removes what people spell differently: case, and the signs between words.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_. ", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance counts the edits between two folded names, and reports whether they are
// near: a third of the letters may be wrong, or one name begins with the other.
func distance(a, b string) (n int, near bool) {
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) >= 3 && strings.HasPrefix(long, short) {
		return 0, true
	}
	n = edits([]rune(a), []rune(b))
	return n, n <= max(1, min(len(a), len(b))/3)
}

// edits counts the letters to insert, delete, change or swap with their neighbour (the optimal string alignment distance).
func edits(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
