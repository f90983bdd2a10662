package secrets

import (
	"strings"
	"unicode/utf8"
)

// opening is how a mask begins.
const opening = "<secret:"

// longestMask is more than a mask takes.
const longestMask = 100

// CutAt is where a masked text may be cut: at a byte offset, or behind the mask
// that would be cut in two there. Texts are masked first and cut then, for what
// a cut leaves of a value could be too little to be known again.
func CutAt(text string, at int) int {
	if at <= 0 || at >= len(text) {
		return min(max(at, 0), len(text))
	}
	from := strings.LastIndex(text[:min(at+len(opening)-1, len(text))], opening)
	if from < 0 || from >= at {
		return at
	}
	end := strings.IndexByte(text[from:min(from+longestMask, len(text))], '>')
	return max(at, from+end+1)
}

// Cut is the beginning of a masked text: at most so many characters, or as many
// more as the mask takes that they end in.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:CutAt(text, i)]
		}
		n++
	}
	return text
}

// Shorten is Cut with an ellipsis where something was left out; the text is
// then most characters long with it.
func Shorten(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	short := Cut(text, most-1)
	if len(short) == len(text) {
		return text
	}
	return short + "…"
}
