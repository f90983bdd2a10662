package playwrightmcp

import (
	"regexp"
	"slices"
	"strings"
)

// Answers show code in the language of --codegen. The tools write TypeScript; statements that
// act on an element or check one are written again in the other languages. The rest, such as
// what a script does, stays as it is.

// Languages lists the values of --codegen, except for none.
var Languages = []string{"typescript", "python", "java", "csharp"}

// codeFrame returns the name of the language for a block of code.
func codeFrame(language string) string {
	if _, other := dialects[language]; other {
		return language
	}
	return "js"
}

// inLanguage writes lines of code in a language.
func inLanguage(language string, code []string) []string {
	d, other := dialects[language]
	if !other {
		return code
	}
	lines := slices.Clone(code)
	for i, line := range lines {
		if s, ok := parseStatement(line); ok {
			if made, ok := d.statement(s); ok {
				lines[i] = made
			}
		}
	}
	return lines
}

// statement is one call on the page or an element, or a check of an element.
type statement struct {
	check, not bool   // it is expect(element).method(…)
	element    []link // page itself if it is empty
	link
}

// link is one call of a chain.
type link struct {
	method string
	args   []literalValue
}

// literalValue is a value in code.
type literalValue any

// Kinds of values, besides string and []literalValue.
type (
	bare        string // a number, true or false
	environment string // the name of a variable
	options     []option
)

type option struct {
	name  string
	value literalValue
}

// parser reads the code that this package writes.
type parser struct {
	rest string
	bad  bool // the code is of another form
}

func parseStatement(line string) (s statement, ok bool) {
	p := &parser{rest: line}
	if !p.skip("await ") {
		return s, false
	}
	s.check = p.skip("expect(")
	chain := p.chain()
	if s.check {
		p.need(")")
		s.not = p.skip(".not")
		p.need(".")
		s.element, s.link = chain, p.call()
	} else if n := len(chain); n > 0 {
		s.element, s.link = chain[:n-1], chain[n-1]
	}
	p.skip(";")
	return s, !p.bad && p.rest == "" && s.method != ""
}

func (p *parser) skip(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest = rest
	return ok
}

func (p *parser) need(text string) {
	if !p.skip(text) {
		p.bad = true
	}
}

func (p *parser) blank() { p.rest = strings.TrimLeft(p.rest, " \n") }

// comma skips a comma and the space around it.
func (p *parser) comma() bool {
	p.blank()
	found := p.skip(",")
	p.blank()
	return found
}

// chain reads page, and the calls after it.
func (p *parser) chain() (chain []link) {
	p.need("page")
	for !p.bad && !strings.HasPrefix(p.rest, ".not.") && p.skip(".") {
		chain = append(chain, p.call())
	}
	return chain
}

func (p *parser) call() (l link) {
	l.method = p.word()
	p.need("(")
	for !p.bad && !p.skip(")") {
		l.args = append(l.args, p.value())
		if !p.comma() && !strings.HasPrefix(p.rest, ")") {
			p.bad = true
		}
	}
	return l
}

// word reads a name, a number, or true or false.
func (p *parser) word() string {
	word := reWord.FindString(p.rest)
	p.rest = p.rest[len(word):]
	p.bad = p.bad || word == ""
	return word
}

var (
	reWord   = regexp.MustCompile(`^(?:[0-9][\w.-]*|[\w-]+)`)
	reNumber = regexp.MustCompile(`^[-0-9]`)
	reText   = regexp.MustCompile("(?s)^(?:'((?:[^'\\\\]|\\\\.)*)'|\"((?:[^\"\\\\]|\\\\.)*)\"|`((?:[^`\\\\]|\\\\.)*)`)")
)

func (p *parser) value() literalValue {
	switch {
	case p.bad || p.rest == "":
		p.bad = true
		return nil
	case p.skip("process.env['"):
		name, rest, ok := strings.Cut(p.rest, "']")
		p.rest, p.bad = rest, !ok
		return environment(name)
	case p.skip("["):
		list := []literalValue{}
		for !p.bad && !p.skip("]") {
			list = append(list, p.value())
			p.comma()
		}
		return list
	case p.skip("{"):
		p.blank()
		var o options
		for !p.bad && !p.skip("}") {
			name := p.word()
			p.need(": ")
			o = append(o, option{name, p.value()})
			p.comma()
		}
		return o
	case strings.ContainsRune("'\"`", rune(p.rest[0])):
		return p.text()
	}
	switch w := p.word(); {
	case w == "true", w == "false", reNumber.MatchString(w):
		return bare(w)
	}
	p.bad = true
	return nil
}

// text reads a literal in quotes of any kind.
func (p *parser) text() string {
	m := reText.FindStringSubmatch(p.rest)
	if m == nil {
		p.bad = true
		return ""
	}
	p.rest = p.rest[len(m[0]):]
	if m[0][0] == '`' {
		return strings.NewReplacer("\\`", "`", `\$`, `$`, `\\`, `\`).Replace(m[3])
	}
	inner := strings.NewReplacer(`\'`, `'`, `\\`, `\\`, `\"`, `\"`, `"`, `\"`).Replace(m[1] + m[2])
	return unquoted(`"` + inner + `"`)
}
