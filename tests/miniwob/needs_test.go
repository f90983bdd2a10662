//go:build evidence

package miniwob

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// need is something that a policy reads in the outline, or an element that it acts on.
type need struct {
	ref   string   // the element, "" for a text of the page
	like  []string // refs of all elements that the policy's pattern fits
	words []string // texts that the policy knows the element by, or reads
	mark  string   // what else it knows the element by: a class, an id, a colour, a state
	fact  string   // what it reads of the element beyond its text, such as its colour
	place string   // its box, if the policy needs that
}

// enough ends a policy whose needs are recorded.
type enough struct{}

// needs runs a policy against the first outline, and answers what it looked for there, and
// whether it looks again later. Nothing is done to the page.
func (a *agent) needs(do policy) (list []need, again bool) {
	a.t.Helper()
	a.needed = &list
	defer func() {
		a.needed, a.acts = nil, nil
		r := recover()
		if again = r == (enough{}); !again && r != nil {
			panic(r)
		}
	}()
	do(a)
	return list, false
}

// note records a need once.
func (a *agent) note(n need) {
	if a.needed == nil {
		return
	}
	for _, old := range *a.needed {
		same := old.ref == n.ref && old.mark == n.mark && old.fact == n.fact && old.place == n.place
		if same && slices.Equal(old.words, n.words) {
			return
		}
	}
	*a.needed = append(*a.needed, n)
}

var (
	reRef = regexp.MustCompile(`\[ref=(\w+)\]`)
	// reMarks are states, refs, and what stands in brackets behind a ref.
	reMarks = regexp.MustCompile(`\[[^\]\n]*\](?: \([^()\n]*\))?`)
	// reRoles are roles, at the start of a line or before a name or a ref.
	reRoles = regexp.MustCompile(`(?m)(?:^\s*- |[|:")\]] )[a-z]+\d?(?: "| \[|:)`)
	rePlace = regexp.MustCompile(`(\d+)x(\d+) at (-?\d+),(-?\d+)`)
)

// noteElement records that a pattern found an element. It fits others, too.
func (a *agent) noteElement(e element, pattern string, all []element) {
	var like []string
	for _, other := range all {
		like = append(like, other.ref)
	}
	m := re(pattern).FindStringIndex(e.line)
	a.note(need{ref: e.ref, like: like, words: words(e.line, m[0], m[1]), mark: marks(e.line, m[0], m[1])})
}

// words are the texts in a range of the outline, without roles, states, refs and marks.
func words(part string, from, to int) (list []string) {
	plain := []byte(part)
	for _, m := range append(reMarks.FindAllStringIndex(part, -1), reRoles.FindAllStringIndex(part, -1)...) {
		for i := m[0]; i < m[1]; i++ {
			plain[i] = 0
		}
	}
	parts := func(r rune) bool { return strings.ContainsRune("\x00\"|\n", r) }
	for _, w := range strings.FieldsFunc(string(plain[from:to]), parts) {
		w = strings.TrimSpace(w)
		if w = strings.TrimPrefix(strings.TrimPrefix(w, "- "), ": "); w != "" && w != "-" && w != ":" {
			list = append(list, w)
		}
	}
	return list
}

// marks are the states and marks that a range touches.
func marks(part string, from, to int) string {
	var list []string
	for _, m := range reMarks.FindAllStringIndex(part, -1) {
		mark := reRef.ReplaceAllString(part[m[0]:m[1]], "")
		touched := part[max(from, m[0]):max(min(to, m[1]), max(from, m[0]))]
		touched = strings.Trim(reRef.ReplaceAllString(touched, ""), "[]() ")
		if touched != "" && !strings.HasPrefix("ref=", touched) && !strings.HasPrefix(touched, "ref=") {
			list = append(list, strings.Trim(mark, "[]() "))
		}
	}
	return strings.Join(list, " ")
}

// noteGroups records the groups of a match: refs are elements, all else are texts or facts.
func (a *agent) noteGroups(part string, m []int) {
	for i := 2; i < len(m); i += 2 {
		group := part[max(m[i], 0):max(m[i+1], 0)]
		switch {
		case group == "":
		case strings.HasSuffix(part[:m[i]], "[ref="):
			a.note(need{ref: group, like: []string{group}, words: words(part, m[0], m[1]), mark: marks(part, m[i], m[1])})
		case marks(part, m[i], m[i+1]) != "":
			if owner := reRef.FindAllStringSubmatch(part[:m[i]], -1); owner != nil {
				a.note(aspect(need{ref: owner[len(owner)-1][1]}, part, m[i], m[i+1]))
			}
		default:
			a.note(need{words: []string{group}})
		}
	}
}

// aspect completes a need with what stands in brackets: a box, or a fact.
func aspect(n need, part string, from, to int) need {
	for _, m := range rePlace.FindAllStringIndex(part, -1) {
		if m[0] <= from && to <= m[1] {
			n.place = part[m[0]:m[1]]
			return n
		}
	}
	n.fact = part[from:to]
	return n
}

func TestWordsOfOutline(t *testing.T) {
	for _, test := range []struct{ line, pattern, words, mark string }{
		{`- button "ONE" [ref=e1]`, `button "ONE"`, "ONE", ""},
		{` - clickable [ref=e3491]: +`, `: \+$`, "+", ""},
		{`- textbox [ref=e7] (#math-answer)`, `math-answer`, "", "#math-answer"},
		{`- textbox [ref=e7] (several lines): Sbd`, `textbox \[ref=\w+\] \(several lines\): `, "", "several lines"},
		{` - row: Year | textbox [ref=e3396]`, `row: Year`, "Year", ""},
		{`- item: "Ann @ann Hi." clickable [ref=e1] (.reply) clickable [ref=e2] (.like)`, `item: ".* @ann .*\(\.reply`, "Ann @ann Hi.", ".reply"},
		{`- treeitem "Docs" [collapsed] [ref=e4]`, `collapsed\] \[ref`, "", "collapsed"},
		{`- checkbox "T" [ref=e2900]`, `checkbox`, "", ""},
	} {
		m := re(test.pattern).FindStringIndex(test.line)
		if got := strings.Join(words(test.line, m[0], m[1]), "|"); got != test.words {
			t.Errorf("%s in %s: words %q, not %q", test.pattern, test.line, got, test.words)
		}
		if got := marks(test.line, m[0], m[1]); got != test.mark {
			t.Errorf("%s in %s: mark %q, not %q", test.pattern, test.line, got, test.mark)
		}
	}
}
