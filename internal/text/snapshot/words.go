package snapshot

import (
	"slices"
	"strings"
	"unicode"
)

// words is the set of a text's words. It shows whether another text says the same.
type words map[string]bool

func wordsOf(text string) words {
	w := words{}
	w.add(text)
	return w
}

func (w words) add(text string) {
	eachWord(text, func(word string) bool { w[word] = true; return true })
}

// hold reports whether every word of a text is among them.
func (w words) hold(text string) bool {
	return eachWord(text, func(word string) bool { return w[word] })
}

// eachWord calls fn for the words of a text as long as it returns true, and
// reports whether it always did. A word is a run of letters, or of digits, or
// what else stands between spaces; where a small letter is followed by a
// capital one, two words have run together. Marks at a word's end are left out.
func eachWord(text string, fn func(string) bool) bool {
	for field := range strings.FieldsSeq(text) {
		start, last := 0, kindless
		for i, r := range field {
			kind := kindOf(r)
			if i > 0 && kind != last && !(last == capital && kind == small) {
				if !isMark(field[start:i], last) && !fn(field[start:i]) {
					return false
				}
				start = i
			}
			last = kind
		}
		if !isMark(field[start:], last) && !fn(field[start:]) {
			return false
		}
	}
	return true
}

const (
	kindless = iota
	small
	capital
	digit
	other
)

func kindOf(r rune) int {
	switch {
	case unicode.IsUpper(r):
		return capital
	case unicode.IsLetter(r), unicode.IsMark(r):
		return small
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

// isMark tells what ends a word or a sentence.
func isMark(s string, kind int) bool { return kind == other && strings.Trim(s, ".,:;!?()\"'…") == "" }

// maxAsked bounds the views that are asked whether they say a name, so that
// the work stays in proportion to the tree's size.
const maxAsked = 2000

// shown are the words that views show, cut as they are. Where there are controls
// in a view, only its own line counts: the rest does not stand by all of them.
func (b outliner) shown(list []*view) words {
	w, left := words{}, maxAsked
	var look func(list []*view)
	look = func(list []*view) {
		for _, v := range list {
			if left--; left < 0 {
				return
			}
			w.add(b.trial(v.name, b.most(v)))
			if v.role == "row" {
				look(v.shows)
				continue
			}
			w.add(b.trial(v.value, b.maxValue(v)))
			if v.isFlat() || !v.hasControlAmong(&left) {
				look(v.kids)
			}
		}
	}
	look(list)
	return w
}

// hasControlAmong is hasControl that looks at so many views at most.
func (v *view) hasControlAmong(left *int) bool {
	if *left--; v.acts || *left < 0 {
		return v.acts
	}
	return slices.ContainsFunc(v.kids, func(k *view) bool { return k.hasControlAmong(left) })
}

// isContent reports whether a name is made of what is in the node, all of it and
// nothing else; spaces do not count.
func (n *Node) isContent(name string) bool {
	left := maxAsked
	rest, ok := n.takeContent(name, &left)
	return ok && strings.TrimSpace(rest) == ""
}

// takeContent takes what is in the node off the beginning of a name. It fails
// where something in it is called otherwise than what it holds.
func (n *Node) takeContent(name string, left *int) (rest string, ok bool) {
	rest = name
	for _, k := range n.Kids {
		if *left--; *left < 0 {
			return name, false
		}
		after, ok := k.takeContent(rest, left)
		if !ok {
			return name, false
		}
		taken := strings.TrimSpace(rest[:len(rest)-len(after)]) != ""
		switch own, ok := takeText(rest, k.Name); {
		case !taken && ok:
			after = own
		case !taken, k.Name != "" && (!ok || strings.TrimSpace(own) != strings.TrimSpace(after)):
			return name, false
		}
		rest = after
	}
	return rest, true
}

// takeText takes a text off the beginning of another, whatever their spaces.
func takeText(from, text string) (rest string, ok bool) {
	i := 0
	for _, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		at := strings.IndexFunc(from[i:], func(r rune) bool { return !unicode.IsSpace(r) })
		if at < 0 || !strings.HasPrefix(from[i+at:], string(r)) {
			return from, false
		}
		i += at + len(string(r))
	}
	return from[i:], true
}
