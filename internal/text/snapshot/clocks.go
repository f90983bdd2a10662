package snapshot

import (
	"regexp"
	"strings"
)

// Clocks are the lines of a document in which numbers change by themselves, such as a clock or a
// countdown: once known, they are no news. What an act counts, such as the items of a cart, is news each
// time. So a line is a clock only if its numbers changed between two acts.
type Clocks struct {
	known map[string]bool // by what a line says without its numbers, and the line that leads to it
	maybe map[string]bool // the numbers of these changed in the last difference
}

// Doubtful reports whether some line may be a clock: then [Clocks.Tick] tells, before the next act.
func (c *Clocks) Doubtful() bool { return len(c.maybe) > 0 }

// Tick looks at what changed since the last answer, without an act.
func (c *Clocks) Tick(before, now *Node, o Options) {
	had, has := c.doubtful(before.At(o, 0)), c.doubtful(now.At(o, 0))
	for key := range c.maybe {
		if had[key] != "" && has[key] != "" && had[key] != has[key] {
			if c.known == nil || len(c.known) > maxClocks {
				c.known = map[string]bool{}
			}
			c.known[key] = true
		}
	}
	c.maybe = nil
}

const maxClocks = 1000

// doubtful has the texts of the lines in doubt.
func (c *Clocks) doubtful(lines []Line) map[string]string {
	texts := map[string]string{}
	eachPlain(lines, func(i int, key string) {
		if c.maybe[key] {
			texts[key] += lines[i].Text + "\n"
		}
	})
	return texts
}

// forget begins anew, in another document.
func (c *Clocks) forget() {
	if c != nil {
		*c = Clocks{}
	}
}

// keys are the keys of lines: that of a clock has no numbers.
func (c *Clocks) keys(lines []Line) []string {
	keys := make([]string, len(lines))
	for i, l := range lines {
		keys[i] = l.key()
	}
	if c != nil && len(c.known) > 0 {
		eachPlain(lines, func(i int, key string) {
			if c.known[key] {
				keys[i] = key
			}
		})
	}
	return keys
}

// doubt notes the lines whose numbers alone changed.
func (c *Clocks) doubt(before, after []Line) {
	if c == nil {
		return
	}
	had := map[string]string{}
	eachPlain(before, func(i int, key string) { had[key] += before[i].key() + "\n" })
	has := map[string]string{}
	eachPlain(after, func(i int, key string) { has[key] += after[i].key() + "\n" })
	c.maybe = nil
	for key, text := range has {
		if had[key] == "" || had[key] == text || c.known[key] {
			continue
		}
		if c.maybe == nil {
			c.maybe = map[string]bool{}
		}
		c.maybe[key] = true
	}
}

// eachPlain calls fn for each line that may be a clock: it has a number, and is no row of controls.
func eachPlain(lines []Line, fn func(i int, key string)) {
	var path []string
	for i, l := range lines {
		text := ""
		if strings.ContainsAny(l.Text, "0123456789") {
			text = withoutNumbers(l.Text)
		} else {
			text = l.Text
		}
		path = append(path[:min(l.Depth, len(path))], text)
		if text == l.Text || strings.HasPrefix(l.Text, "row") && strings.Contains(l.Text, "[ref=") {
			continue
		}
		above := ""
		if l.Depth > 0 && l.Depth < len(path) {
			above = path[l.Depth-1]
		}
		fn(i, above+"\n"+text)
	}
}

func withoutNumbers(text string) string {
	return numbers.ReplaceAllString(refsOfLine.ReplaceAllString(text, ""), "#")
}

var (
	numbers    = regexp.MustCompile(`\d+`)
	refsOfLine = regexp.MustCompile(` \[(?:ref=|refs: )[^\]]*\]| \[active\]`)
)
