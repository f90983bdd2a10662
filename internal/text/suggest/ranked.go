package suggest

import (
	"slices"
	"strings"
)

// maxLetters is how much of a name is compared.
const maxLetters = 60

// Ranked returns the n nearest of all: first those that contain the name or that it
// contains, then those with most of its words, then those with the most similar
// spelling. It offers something however different that is.
func Ranked(name string, all []string, n int) []string {
	want := fold(cut(name))
	distanceTo := func(candidate string) int {
		have := fold(cut(candidate))
		switch {
		case want == "" || have == "":
			return 1 << 20
		case strings.Contains(have, want) || strings.Contains(want, have):
			return max(len(have), len(want)) - min(len(have), len(want))
		}
		words := 0
		for _, word := range strings.Fields(strings.ToLower(name)) {
			if strings.Contains(strings.ToLower(candidate), word) {
				words++
			}
		}
		return 10_000 - 2000*min(words, 4) + 100*within([]rune(want), []rune(have)) + len(have)
	}
	list := make([]match, len(all))
	for i, candidate := range all {
		list[i] = match{candidate, distanceTo(candidate)}
	}
	return nearest(list, n)
}

// within counts the edits after which a is somewhere in b.
func within(a, b []rune) int {
	row := make([]int, len(b)+1) // it may begin anywhere
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			change := before
			if a[i] != b[j] {
				change++
			}
			before, row[j+1] = row[j+1], min(change, row[j+1]+1, row[j]+1)
		}
	}
	return slices.Min(row) // and end anywhere
}

func cut(s string) string {
	if r := []rune(s); len(r) > maxLetters {
		return string(r[:maxLetters])
	}
	return s
}
