package scripts

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	maxMeant      = 5   // elements that an error names of those that a locator means
	maxLocator    = 100 // characters of what finds one
	maxInsideText = 40  // characters of what is in one
)

var (
	reStrict = regexp.MustCompile(`(?s)(strict mode violation: .*? resolved to (\d+) elements:)(\s+1\) .*)`)
	reMeant  = regexp.MustCompile(`(?m)^\s+(\d+)\) (<.*>) aka (.+)$`)
	reInside = regexp.MustCompile(`>([^<>]+)</`)
)

// shortStrict says of each element that a locator means only what finds it alone, and of what has no name
// of its own what is in it. Playwright's error has the whole tag of ten of them.
func shortStrict(msg string, short func(text string, most int) string) string {
	m := reStrict.FindStringSubmatchIndex(msg)
	if m == nil {
		return msg
	}
	list := reMeant.FindAllStringSubmatch(msg[m[6]:m[7]], -1)
	if len(list) == 0 {
		return msg
	}
	var b strings.Builder
	b.WriteString(msg[:m[3]])
	for _, one := range list[:min(len(list), maxMeant)] {
		b.WriteString("\n  " + one[1] + ") " + short(one[3], maxLocator))
		if in := reInside.FindStringSubmatch(one[2]); in != nil && !strings.Contains(one[3], strings.TrimSpace(in[1])) {
			b.WriteString(" " + strconv.Quote(short(strings.TrimSpace(in[1]), maxInsideText)))
		}
	}
	if n, _ := strconv.Atoi(msg[m[4]:m[5]]); n > maxMeant {
		fmt.Fprintf(&b, "\n  and %d more", n-maxMeant)
	}
	return b.String()
}
