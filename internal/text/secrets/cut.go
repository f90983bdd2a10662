package secrets

import (
	"strings"
	"unicode/utf8"
)

// opening is how a mask begins.
const opening = "<secret:"

const longestMask = 100

// CutAt is a place to cut a masked text: a byte offset, or the end of the mask that it
// would cut. Texts are masked first and cut then, since what a cut leaves of a value
// could be too short to recognise.
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

// Cut is the beginning of a masked text: at most that many characters, plus the rest of
// a mask in which they end.
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

// Shorten is Cut with an ellipsis if something was left out; the limit includes
// the ellipsis.
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
