package network

import (
	"regexp"
	"strings"
)

// globRegexp turns a URL glob into a regular expression, as Playwright reads
// it: ** is anything, * anything but a slash, {a,b} one of several; a question
// mark is itself.
func globRegexp(glob string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	group := false
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '*' && i+1 < len(glob) && glob[i+1] == '*':
			b.WriteString(".*")
			for i+1 < len(glob) && glob[i+1] == '*' {
				i++
			}
		case c == '*':
			b.WriteString("[^/]*")
		case c == '{':
			b.WriteString("(?:")
			group = true
		case c == '}' && group:
			b.WriteString(")")
			group = false
		case c == ',' && group:
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString("$")
	re, err := regexp.Compile(b.String())
	if err != nil { // a brace that is not closed: the text itself
		return regexp.MustCompile("^" + regexp.QuoteMeta(glob) + "$")
	}
	return re
}
