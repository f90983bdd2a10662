package snapshot

import (
	"unicode"
	"unicode/utf8"
)

// DefaultBudget is how many tokens an outline aims at.
const DefaultBudget = 1500

// detail is how much of a page an outline shows. Lengths are in characters.
type detail struct {
	folds bool // lists are folded
	text  int  // of running texts
	label int  // of headings, instructions and alerts
	name  int  // of controls, which callers choose by, and of their values
	cell  int  // of what is in a row
	lines int  // items of one line that are shown of a fold
	rows  int  // rows and texts that are
	items int  // larger items that are
	names int  // folded items that are named
	short int  // of such a name
}

const unlimited = 1 << 20

// levels are the ways to show a page, the fullest first: an outline is as full as its budget
// allows. Running texts and lists of like items shrink before what tells a reader what to do.
var levels = []detail{
	{text: unlimited, label: unlimited, name: unlimited, cell: unlimited},
	{true, 600, unlimited, unlimited, unlimited, 8, 6, 3, 60, 80},
	{true, 300, unlimited, 400, 120, 6, 5, 2, 50, 60},
	{true, 150, 400, 200, 60, 5, 4, 1, 40, 40},
	{true, 80, 200, 120, 40, 5, 3, 1, 30, 30},
	{true, 50, 120, 80, 30, 5, 3, 1, 30, 24},
}

// Outlined is an outline and how it was made.
type Outlined struct {
	Lines  []Line
	Level  int // 0 shows all; each level above shows less
	Cuts   int // texts that are cut
	Folded int // items that are folded
}

// Note says how to get what the outline left out; "" where it shows all.
func (o Outlined) Note() string {
	if o.Cuts == 0 && o.Folded == 0 {
		return ""
	}
	return "(shortened: search finds every line; snapshot with selector, or a larger budget, shows more)"
}

// Fit renders the tree as full as the budget allows.
func (n *Node) Fit(o Options) Outlined {
	if o.Whole {
		return n.at(o, 0)
	}
	n = n.Front()
	o.once = true
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	first := 0
	if n.tokens(8*o.Budget) >= 8*o.Budget { // far beyond: uncut it would only take time
		first = 2
	}
	for level := first; ; level++ {
		out := n.at(o, level)
		if level == len(levels)-1 || tokensOf(out.Lines, o.Budget) <= o.Budget {
			return out
		}
	}
}

// At renders the tree at a level of detail, so that two can be compared.
func (n *Node) At(o Options, level int) []Line { return n.at(o, level).Lines }

// tokens is about what the names in the tree cost, counted up to most.
func (n *Node) tokens(most int) int {
	sum := 0
	for _, k := range n.Kids {
		if sum += tokensIn(k.Name) + 1; sum >= most {
			break
		}
		if k.Control() {
			sum += refTokens
		}
		sum += k.tokens(most - sum)
	}
	return sum
}

const refTokens = 6 // "button [ref=e12]"

func tokensOf(lines []Line, most int) int {
	sum := 0
	for _, l := range lines {
		if sum += 1 + tokensIn(l.Text); sum > most {
			break
		}
	}
	return sum
}

// tokensIn is about what a text costs a model: a token for every six letters, three digits, or
// run of other characters; letters outside of ASCII cost more.
func tokensIn(s string) int {
	sum, run, last := 0, 0, kindless
	for _, r := range s {
		kind := kindOf(r)
		switch {
		case r == ' ':
			last, run = kindless, 0
			continue
		case r >= utf8.RuneSelf && unicode.IsLetter(r):
			kind = other
		case kind == capital:
			kind = small
		}
		if kind != last {
			run = 0
		}
		if run%perToken[kind] == 0 {
			sum++
		}
		run, last = run+1, kind
	}
	return sum
}

var perToken = [...]int{kindless: 1, small: 7, capital: 7, digit: 3, other: 2}
