package mcptools

import "strings"

// Answers show code in the language of --codegen. Statements that act on an element or check one
// are written in each language. The rest, such as what a script does, is TypeScript in all of them.

// Languages lists the values of --codegen, except for none.
var Languages = []string{"typescript", "python", "java", "csharp"}

// statement is one call on the page or an element, a check of an element, or a text.
type statement struct {
	text       string // what there is only in TypeScript, such as a comment
	check, not bool   // it is expect(element).method(…)
	element    chain  // page itself if it is empty
	link
}

// chain is the calls that find an element.
type chain []link

// String writes a chain in TypeScript.
func (ch chain) String() string { return strings.TrimPrefix(typescript.chain(ch), ".") }

// link is one call of a chain. Its arguments are texts, lists of texts, and the kinds below.
type link struct {
	method string
	args   []any
}

// Kinds of values, besides string, bool and []string.
type (
	raw         string // code that is the same in each language, such as a number
	block       string // a text of several lines
	role        string // of getByRole
	environment string // the name of a variable
	options     []option
)

type option struct {
	name  string
	value any
}

func linkOf(method string, args ...any) link { return link{method, args} }

// oneOrAll is a list of texts as code has it: a list of one is that text.
func oneOrAll(list []string) any {
	if len(list) == 1 {
		return list[0]
	}
	return list
}
