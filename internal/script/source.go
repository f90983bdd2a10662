package script

import (
	"strings"
	"sync"
	"unsafe"

	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// What a source may cost to parse and to compile: stack is in bytes, words are
// the tokens, of which each takes some hundred bytes of memory. arrows is how
// deep the parameters of arrow functions are nested in one another: the engine
// parses such twice, so each level doubles the time. labels is the memory of what
// the parser may have to say of labels.
type sourceBounds struct{ stack, words, arrows, labels int }

var (
	ofScript = sourceBounds{128 << 20, 500_000, 6, maxLabels}
	ofEval   = sourceBounds{64 << 20, 250_000, 6, maxLabels}
	ofLower  = sourceBounds{48 << 20, 250_000, 6, maxLabels} // esbuild takes up to four times the stack
)

// The stack that the parser and the compiler take for a token that may nest
// something, in bytes: measured, and rounded up by a half.
const (
	stackOfBracket  = 3000 // ( [ { and the backtick
	stackOfOperator = 1000 // any other punctuation, and a keyword
)

// keywords are those that something can be nested in, TypeScript's included.
var keywords = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields("await yield typeof void delete new if else for while do with try catch finally switch case default " +
		"class extends function async in instanceof of return throw static get set import export super as satisfies keyof infer " +
		"readonly unique abstract declare namespace module enum interface type is asserts accessor const let var") {
		all[w] = true
	}
	return all
}()

// measure finds what a source may cost, at most. The parser goes on after an
// error, and then takes anything for anything; so nothing that was opened is
// taken back when it is closed, and only what is no token for any state of the
// parser's is left out: strings and comments. From the first template, regular
// expression, division or stray backslash on, where lexing depends on the
// parser's state, they count too.
func measure(src string) sourceBounds {
	var m sourceBounds
	nest, labels := arrowNest{}, labelNest{}
	sure := true
	for i := 0; i < len(src); {
		c := src[i]
		end := i + 1
		switch {
		case c <= ' ' || c == 0x7f:
			i++
			continue
		case sure && c == '/' && strings.HasPrefix(src[i:], "//"):
			i = endOfLine(src, i)
			continue
		case sure && c == '/' && strings.HasPrefix(src[i:], "/*"):
			n := strings.Index(src[i+2:], "*/")
			if n < 0 {
				n = len(src) - i - 4
			}
			i = max(i+n+4, i+2)
			continue
		case c == '"' || c == '\'':
			if sure {
				end, sure = endOfString(src, i)
			}
		case wordByte[c]:
			for end < len(src) && wordByte[src[end]] {
				end++
			}
			if keywords[src[i:end]] {
				m.stack += stackOfOperator
			}
			if c <= '9' && end-i > maxDigits { // read in a time that grows with the square
				m.words += ofScript.words
			}
		case c >= 0x80: // what of a word is not ASCII can't make a keyword
			for end < len(src) && src[end] >= 0x80 {
				end++
			}
		case c == '(' || c == '[' || c == '{':
			m.stack += stackOfBracket
		case c == '`':
			m.stack, sure = m.stack+stackOfBracket, false
		case c == '/' || c == '\\':
			m.stack, sure = m.stack+stackOfOperator, false
		case c == ')' || c == ']' || c == '}' || c == ',' || c == ';':
		default:
			m.stack += stackOfOperator
		}
		m.words++
		nest.see(src[i:end])
		labels.see(src, i, src[i:end], sure)
		i = end
	}
	m.arrows, m.labels = nest.most, labels.cost()
	return m
}

// wordByte tells the bytes of identifiers, keywords and numbers.
var wordByte = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
	}
	return is
}()

// endOfString finds the end of a string; ok is false where it has none on its
// line, and the next byte is all that is known.
func endOfString(src string, i int) (end int, ok bool) {
	quote := src[i]
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case quote:
			return j + 1, true
		case '\n', '\r':
			return i + 1, false
		case '\\':
			if j++; strings.HasPrefix(src[j:], "\r\n") {
				j++
			}
		}
	}
	return i + 1, false
}

// endOfLine finds where a comment that began with // ends.
func endOfLine(src string, i int) int {
	for ; i < len(src); i++ {
		if c := src[i]; c == '\n' || c == '\r' || c == 0xe2 && (strings.HasPrefix(src[i:], "\u2028") || strings.HasPrefix(src[i:], "\u2029")) {
			return i
		}
	}
	return i
}

// arrowNest follows how deep parameter lists of arrow functions lie in one
// another. It goes by the parentheses as they stand.
type arrowNest struct {
	open   []int // of each open parenthesis, the most that was closed in it
	closed int   // of the parenthesis that was closed just now
	equals bool  // the token before is =, after a closed parenthesis
	after  bool  // the token before is )
	most   int
}

func (n *arrowNest) see(tok string) {
	switch {
	case n.equals && tok == ">":
		n.note(n.closed + 1)
	case tok == "(":
		n.open = append(n.open, 0)
	case tok == ")" && len(n.open) > 0:
		n.closed = n.open[len(n.open)-1]
		n.open = n.open[:len(n.open)-1]
		n.note(n.closed)
	}
	n.equals = n.after && tok == "="
	n.after = tok == ")"
}

func (n *arrowNest) note(deep int) {
	n.most = max(n.most, deep)
	if last := len(n.open) - 1; last >= 0 {
		n.open[last] = max(n.open[last], deep)
	}
}

// checkSource refuses a source that would cost too much.
func checkSource(src string, may sourceBounds) error {
	m := measure(src)
	switch {
	case m.words > may.words:
		return tooMuch("the source is too large: %d words and signs, %d are the most; read data from a file instead (require('fs'))", m.words, may.words)
	case m.stack > may.stack:
		return tooMuch("the source may be nested too deep: it has brackets and operators for %d MiB of stack, %d are the most; read data from a file instead (require('fs'))", m.stack>>20, may.stack>>20)
	case m.labels > may.labels:
		return tooMuch("the source has too many colons that may be labels; put keys in quotes, or read data from a file instead (require('fs'))")
	case m.arrows > may.arrows:
		return tooMuch("parameters of arrow functions are nested %d deep, %d is the most", m.arrows, may.arrows)
	}
	return nil
}

// parserState is how the engine's parser begins in memory: an option is called
// with a part of it, before anything is parsed, and is told nothing else. It is
// the one place that every source comes through, that of eval and of new
// Function too.
type parserState struct {
	str                    string
	length, base           int
	chr                    rune
	chrOffset, offset      int
	idx                    file.Idx
	token                  token.Token
	literal                string
	parsedLiteral          unistring.String
	scope                  unsafe.Pointer
	semicolon1, semicolon2 bool
	errors                 parser.ErrorList
	recover                struct {
		idx   file.Idx
		count int
	}
	mode parser.Mode
	opts struct{}
}

// seeing is a parser's option that has see called with each source. Another
// form of the parser than the one that is known panics.
func seeing(see func(src string)) parser.Option {
	return hooked(parser.WithDisableSourceMaps, func(opts unsafe.Pointer) {
		p := (*parserState)(unsafe.Add(opts, -int(unsafe.Offsetof(parserState{}.opts))))
		if p.length != len(p.str) || p.base < 1 || p.chr != ' ' || p.offset != 0 {
			panic("this engine's parser is another than the one that is known")
		}
		see(p.str)
	})
}

// hooked adds to an option of the parser's, whose argument has no name here.
func hooked[T any](option func(*T), also func(unsafe.Pointer)) func(*T) {
	return func(o *T) {
		option(o)
		also(unsafe.Pointer(o))
	}
}

// parserKnown reports whether seeing sees what is parsed.
var parserKnown = sync.OnceValue(func() (known bool) {
	const src = "'the parser is known'"
	defer func() {
		if recover() != nil {
			known = false
		}
	}()
	_, err := parser.ParseFile(nil, "", src, 0, seeing(func(s string) { known = s == src }))
	return known && err == nil
})
