package tool

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain answers a text on one line, without invisible characters, which could make it
// look like another text.
func Plain(text string) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r) && r != zeroWidthJoiner && r != zeroWidthNonJoiner, r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(seen), " ")
}

// Persian and emoji are written with these.
const zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
