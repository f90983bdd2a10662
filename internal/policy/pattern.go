package policy

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// pattern is a regular expression that URLs must match: anywhere in them, as
// regular expressions do, unless it is anchored.
type pattern struct {
	re   *regexp.Regexp
	prog *syntax.Prog
}

// newPattern is nil for a pattern that matches every text: it restricts nothing.
func newPattern(re *regexp.Regexp) (*pattern, error) {
	if re == nil {
		return nil, nil
	}
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	p := &pattern{re, prog}
	if p.after("") == Everything {
		return nil, nil
	}
	return p, nil
}

func (p *pattern) judge(u *url.Url) error {
	if p == nil || slices.ContainsFunc(texts(u), p.re.MatchString) {
		return nil
	}
	return p.refusal(u.Href(false))
}

func (p *pattern) refusal(what string) error {
	return &Refusal{what, fmt.Sprintf("it is not allowed here; URLs must match %s", p.re)}
}

// texts are the forms of a URL that a pattern may match. None has user info or a
// fragment, which don't change the destination. A WebSocket is also judged as the HTTP
// request with which it begins, and a blob: URL as one of the page that made it.
func texts(u *url.Url) []string {
	scheme := strings.ToLower(u.Scheme())
	switch scheme {
	case "http", "https", "ftp":
		return []string{scheme + rest(u)}
	case "ws":
		return []string{"ws" + rest(u), "http" + rest(u)}
	case "wss":
		return []string{"wss" + rest(u), "https" + rest(u)}
	case "blob":
		if inner, err := url.Parse(strings.TrimPrefix(u.Href(true), "blob:")); err == nil && inner.Scheme() != "blob" {
			return append(texts(inner), u.Href(true))
		}
	}
	return []string{u.Href(true)}
}

func rest(u *url.Url) string { return "://" + u.Host() + u.Pathname() + u.Search() }

// Reach is how many of the URLs with a common beginning may be reached.
type Reach int

const (
	Nothing Reach = iota
	Something
	Everything
)

// after is how many of the URLs that begin with this text match: none, all, or it
// depends on the rest. No URL has a line break.
func (p *pattern) after(prefix string) Reach {
	w := p.begin()
	for _, r := range prefix {
		w = w.step(r)
	}
	return w.reach()
}

// walk is the state of the pattern's automaton after some text.
type walk struct {
	p       *pattern
	at      []uint32 // its threads: instructions, sorted
	last    rune     // the last rune of the text, -1 for none
	matched bool     // and so will every longer text
}

func (p *pattern) begin() walk { return walk{p: p, last: -1, at: []uint32{uint32(p.prog.Start)}} }

// step is the state after one more rune.
func (w walk) step(r rune) walk {
	next := walk{p: w.p, last: r, matched: w.matched}
	open, matched := w.closure(syntax.EmptyOpContext(w.last, r))
	if next.matched = next.matched || matched; next.matched {
		return next
	}
	seen := map[uint32]bool{uint32(w.p.prog.Start): true} // a match may begin anywhere
	for _, pc := range open {
		if inst := &w.p.prog.Inst[pc]; inst.MatchRune(r) {
			seen[inst.Out] = true
		}
	}
	for pc := range seen {
		next.at = append(next.at, pc)
	}
	slices.Sort(next.at)
	return next
}

// closure are the instructions that wait for a rune, under these conditions, and
// whether the pattern has matched.
func (w walk) closure(holds syntax.EmptyOp) (open []uint32, matched bool) {
	seen := make([]bool, len(w.p.prog.Inst))
	stack := slices.Clone(w.at)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &w.p.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^holds == 0 {
				stack = append(stack, inst.Out)
			}
		case syntax.InstMatch:
			matched = true
		case syntax.InstFail:
		default:
			open = append(open, pc)
		}
	}
	return open, matched
}

// reach tries every kind of rune that may follow: a letter, something else, or nothing.
func (w walk) reach() Reach {
	if w.matched {
		return Everything
	}
	surely, maybe := ^syntax.EmptyOp(0), syntax.EmptyOp(0)
	for _, r := range []rune{'x', '/', -1} {
		surely &= syntax.EmptyOpContext(w.last, r)
		maybe |= syntax.EmptyOpContext(w.last, r)
	}
	if _, matched := w.closure(surely); matched {
		return Everything
	}
	if open, matched := w.closure(maybe); matched || len(open) > 0 {
		return Something
	}
	return Nothing
}

// inHosts are the runes between "https://" and the next slash in a normalised URL.
const inHosts = "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:[]%"

// maxStates bounds byHost; people's patterns have some dozens of states.
const maxStates = 2000

// byHost reports whether host and port, with the slash behind them, always decide about
// an https URL. Then the proxy, which sees no more than these, can enforce the pattern.
func (p *pattern) byHost() bool {
	if p == nil {
		return true
	}
	w := p.begin()
	for _, r := range "https://" {
		w = w.step(r)
	}
	seen, todo := map[string]bool{}, []walk{w}
	for len(todo) > 0 {
		w, todo = todo[len(todo)-1], todo[:len(todo)-1]
		key := fmt.Sprint(w.at, w.matched, syntax.IsWordChar(w.last))
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > maxStates || w.step('/').reach() == Something {
			return false
		}
		for _, r := range inHosts {
			todo = append(todo, w.step(r))
		}
	}
	return true
}
