package snapshot

import (
	"slices"
	"strings"
)

// Diff renders what changed from one rendering to the next: new lines with
// "+", gone ones with "-", each new one below the lines that lead to it. A line
// that only moved is no change. "" means that nothing changed.
func Diff(before, after []Line) string {
	had := counts(before)
	var b strings.Builder
	var path []Line // the ancestors of the line at hand
	shown := 0      // how many of them are written already
	for _, l := range after {
		for len(path) > 0 && path[len(path)-1].Depth >= l.Depth {
			path = path[:len(path)-1]
		}
		shown = min(shown, len(path))
		if had[l.Text] > 0 {
			had[l.Text]--
			path = append(path, l)
			continue
		}
		for _, p := range path[shown:] {
			writeLine(&b, "  ", p)
		}
		writeLine(&b, "+ ", l)
		path = append(path, l)
		shown = len(path)
	}
	// What is left of had is gone; written in the order in which it stood.
	var gone []Line
	for i := len(before) - 1; i >= 0; i-- {
		if had[before[i].Text] > 0 {
			had[before[i].Text]--
			gone = append(gone, before[i])
		}
	}
	for _, l := range slices.Backward(gone) {
		writeLine(&b, "- ", Line{0, l.Text})
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func counts(lines []Line) map[string]int {
	m := make(map[string]int, len(lines))
	for _, l := range lines {
		m[l.Text]++
	}
	return m
}

func writeLine(b *strings.Builder, mark string, l Line) {
	b.WriteString(mark)
	for range l.Depth {
		b.WriteByte(' ')
	}
	b.WriteString(l.Text)
	b.WriteByte('\n')
}
