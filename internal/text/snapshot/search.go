package snapshot

import (
	"fmt"
	"regexp"
	"strings"
)

// Match is what a search found.
type Match struct {
	Text  string // the lines, and what leads to them
	Found int    // lines that match, shown or not
}

// Search finds the lines of a whole outline that match, with around lines of
// context on both sides; at most limit lines match. RE2 takes time in
// proportion to the text, whatever the pattern.
func Search(lines []Line, re *regexp.Regexp, limit, around int) Match {
	var m Match
	var b strings.Builder
	end := 0 // lines before it are written or left out
	for i, l := range lines {
		if !re.MatchString(l.Text) {
			continue
		}
		if m.Found++; m.Found > limit {
			continue
		}
		from := max(i-around, end)
		if from > end && end > 0 && around > 0 {
			b.WriteString("…\n")
		}
		for j := from; j <= min(i+around, len(lines)-1); j++ {
			writeLine(&b, "", Line{0, lines[j].Text})
		}
		end = max(end, min(i+around, len(lines)-1)+1)
	}
	m.Text = strings.TrimSuffix(b.String(), "\n")
	if m.Found > limit {
		m.Text += fmt.Sprintf("\n(%d more; raise lineLimit or narrow the pattern)", m.Found-limit)
	}
	return m
}
