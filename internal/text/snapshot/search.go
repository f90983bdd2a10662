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
	refs := nearest(lines)
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
			text := lines[j].Text
			if ref := refs(j); ref != "" && re.MatchString(text) {
				text += " (near [ref=" + ref + "])"
			}
			b.WriteString(text + "\n")
		}
		end = max(end, min(i+around, len(lines)-1)+1)
	}
	m.Text = strings.TrimSuffix(b.String(), "\n")
	if m.Found > limit {
		m.Text += fmt.Sprintf("\n(%d more; raise lineLimit or narrow the pattern)", m.Found-limit)
	}
	return m
}

var reRef = regexp.MustCompile(`\[ref=(\w+)\]`)

// maxAway is how many lines away a ref may be and still be near.
const maxAway = 200

// nearest finds the ref for a line that has none: of what the line stands in, else of the line
// that is closest to it.
func nearest(lines []Line) func(at int) string {
	refOf := func(i int) string {
		if m := reRef.FindStringSubmatch(lines[i].Text); m != nil {
			return m[1]
		}
		return ""
	}
	return func(at int) string {
		if refOf(at) != "" {
			return ""
		}
		depth := lines[at].Depth
		for i := at - 1; i >= max(0, at-maxAway) && depth > 0; i-- {
			if lines[i].Depth >= depth {
				continue
			}
			depth = lines[i].Depth
			if ref := refOf(i); ref != "" {
				return ref
			}
		}
		for away := 1; away <= maxAway; away++ {
			for _, i := range []int{at - away, at + away} {
				if i >= 0 && i < len(lines) {
					if ref := refOf(i); ref != "" {
						return ref
					}
				}
			}
		}
		return ""
	}
}
