package snapshot

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Match is what a search found.
type Match struct {
	Text  string // the lines, and where they stand
	Found int    // lines that match, shown or not
}

// Search finds the lines of a whole outline that match, with around lines of context on both
// sides; at most limit lines match. Above hits that stand elsewhere than the ones before it says
// where, and behind a hit without a ref what is nearest to act on. RE2 takes time in proportion to
// the text, whatever the pattern.
func Search(lines []Line, re *regexp.Regexp, limit, around int) Match {
	var m Match
	var b strings.Builder
	end, last := 0, "" // lines before end are written or left out; last is where the hit before stands
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
		if where := whereIs(lines, i); where != last {
			if last = where; where != "" {
				b.WriteString(where + ":\n")
			}
		}
		for j := from; j <= min(i+around, len(lines)-1); j++ {
			text := lines[j].Text
			if near := nearest(lines, j); near != "" && re.MatchString(text) {
				text += " (near " + near + ")"
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

// These bound how far a search looks around a hit, in lines, and what it says of what it finds, in characters.
const (
	maxAway  = 200
	maxPlace = 50
)

var (
	reRef    = regexp.MustCompile(`\[ref=(\w+)\]`)
	reAct    = regexp.MustCompile(`([a-z]\w*(?: "(?:[^"\\]|\\.)*")?)(?: \[[^\]]*\])*? \[ref=\w+\]`)
	reHead   = regexp.MustCompile(`^(h[1-6]) (?:\w+ )?("(?:[^"\\]|\\.)*")`)
	reDialog = regexp.MustCompile(`^(alert)?dialog\b`)
	reNamed  = regexp.MustCompile(`^[a-z]\w* "(?:[^"\\]|\\.)*"`)
	reQuoted = regexp.MustCompile(`"(?:[^"\\]|\\.)+"`)
)

// outward calls fn for what a line stands in, the nearest first, until it returns false.
func outward(lines []Line, at int, fn func(i int) bool) {
	depth := lines[at].Depth
	for i := at - 1; i >= 0 && depth > 0; i-- {
		if lines[i].Depth < depth {
			if depth = lines[i].Depth; !fn(i) {
				return
			}
		}
	}
}

// whereIs says where a line stands, if its own words don't: the innermost part that has a name, or the item of a
// list; the dialog around it; and the heading above it.
func whereIs(lines []Line, at int) string {
	own := wordsOf(lines[at].Text)
	var places []string
	said := false // the item's first words are the heading above the line
	outward(lines, at, func(i int) bool {
		text := lines[i].Text
		role, _, _ := strings.Cut(strings.TrimSuffix(text, ":"), " ")
		name := reNamed.FindString(text)
		isDialog := reDialog.MatchString(text)
		switch {
		case isDialog && name == "":
			places = append(places, role)
		case isDialog || name != "" && role != "article" && len(places) == 0 && !own.hold(reQuoted.FindString(name)):
			places = append(places, Cut(name, maxPlace))
		case name == "" && len(places) == 0 && (role == "listitem" || role == repeated || role == "article"):
			if first := saidIn(lines, i); !said && first != at {
				words := reQuoted.FindString(lines[first].Text)
				if words != "" && !own.hold(words) && !reHead.MatchString(lines[first].Text) {
					places = append(places, role+" "+Cut(words, maxPlace))
				}
				said = true
			}
		}
		return !isDialog
	})
	slices.Reverse(places)
	where := ""
	if len(places) > 0 {
		where = "in " + strings.Join(places, " > ")
	}
	if heading, words := above(lines, at); heading != "" && !own.hold(words) && !strings.Contains(where, words) {
		if where != "" {
			where += ", "
		}
		where += "below " + heading
	}
	return where
}

// saidIn is the first line in an item that has words of its own.
func saidIn(lines []Line, item int) int {
	for i := item + 1; i < len(lines) && lines[i].Depth > lines[item].Depth; i++ {
		if reQuoted.MatchString(lines[i].Text) {
			return i
		}
	}
	return item
}

// above is the heading that a line stands below, and its words: one beside it, or beside what it stands in.
func above(lines []Line, at int) (heading, words string) {
	depth := lines[at].Depth
	for i := at - 1; i >= max(0, at-10*maxAway); i-- {
		if lines[i].Depth > depth {
			continue
		}
		if lines[i].Depth < depth && reDialog.MatchString(lines[i].Text) {
			break // what is above it is behind it
		}
		depth = lines[i].Depth
		if m := reHead.FindStringSubmatch(lines[i].Text); m != nil {
			return m[1] + " " + Cut(m[2], maxPlace), m[2]
		}
	}
	return "", ""
}

// nearest finds what there is to act on at a line that has no ref: what the line stands in, else what is closest to
// it in that.
func nearest(lines []Line, at int) (near string) {
	if reRef.MatchString(lines[at].Text) {
		return ""
	}
	outward(lines, at, func(i int) bool {
		if at-i > maxAway {
			return false
		}
		if near = actIn(lines[i].Text); near == "" {
			near = closestIn(lines, at, i)
		}
		return near == ""
	})
	if near == "" {
		near = closestIn(lines, at, -1)
	}
	return near
}

// closestIn is what is closest to a line, of the lines below a parent; -1 is all of them.
func closestIn(lines []Line, at, parent int) string {
	in := func(i int) bool { return i > parent && (parent < 0 || lines[i].Depth > lines[parent].Depth) }
	before, behind := true, true
	for away := 1; away <= maxAway && (before || behind); away++ {
		before = before && at-away >= 0 && in(at-away)
		behind = behind && at+away < len(lines) && in(at+away)
		if before {
			if near := actIn(lines[at-away].Text); near != "" {
				return near
			}
		}
		if behind {
			if near := actIn(lines[at+away].Text); near != "" {
				return near
			}
		}
	}
	return ""
}

// actIn is the first in a line that can be acted on, with its ref.
func actIn(text string) string {
	ref := reRef.FindString(text)
	role, _, _ := strings.Cut(text, " ")
	if ref == "" || enclosing[role] {
		return ""
	}
	if m := reAct.FindStringSubmatch(text); m != nil {
		return Cut(m[1], maxPlace) + " " + ref
	}
	return ref
}

// enclosing are the roles of what has a ref for being a part of the page, not for being acted on.
var enclosing = rolesIn("dialog alertdialog form region group table grid list navigation banner main complementary " +
	"contentinfo search article figure tabpanel menu menubar toolbar tablist radiogroup tree treegrid feed log status alert iframe")

func rolesIn(names string) map[string]bool {
	roles := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		roles[name] = true
	}
	return roles
}
