package script

import (
	_ "embed"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

//go:embed table.txt
var tableText string

// entry is a line of the table: a member of the API, and what a script may hand
// to it.
type entry struct {
	class, name string
	kind        string         // async, sync, prop
	args        []kind         // of Go's method
	method      reflect.Method // Go's, of the class's interface; none for what is made in JavaScript or refused
	js          bool           // made of other members in JavaScript
	why         string         // it is refused; "" where it is not
}

// callable reports whether there is a method of playwright-go's behind the
// entry.
func (e *entry) callable() bool { return !e.js && e.why == "" }

// String is the member as Playwright's messages write it.
func (e *entry) String() string { return apiName(e.class, e.name) }

// kind is what an argument is, or an option: one of the words at the top of the
// table.
type kind struct {
	word    string
	options map[string]kind // of an object of options, by name
	rest    bool            // and all arguments that follow
}

// table is what a script can make playwright-go do.
type table struct {
	entries map[string]*entry          // by Class.member
	order   []*entry                   // as in the file
	events  map[string]map[string]bool // by class
}

var theTable = sync.OnceValue(func() *table { return parseTable(tableText) })

// parseTable reads a table. It panics where a line is none: the table is part
// of the program.
func parseTable(text string) *table {
	t := &table{entries: map[string]*entry{}, events: map[string]map[string]bool{}}
	kinds := map[string]string{}
	for _, m := range members() {
		kinds[m.class+"."+m.name] = m.kind
	}
	class := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case name == "" || name[0] == '#':
		case line[0] != ' ':
			class = name
		case name == "events":
			t.events[class] = map[string]bool{}
			for _, e := range strings.Fields(rest) {
				t.events[class][e] = true
			}
		default:
			t.add(parseEntry(class, name, rest, kinds[class+"."+name]))
		}
	}
	return t
}

func (t *table) add(e *entry) {
	t.entries[e.class+"."+e.name] = e
	t.order = append(t.order, e)
}

// find is the entry of a class's member, its parent's members included; nil if
// there is none.
func (t *table) find(class, name string) *entry {
	e := t.entries[class+"."+name]
	if parent := parents[class]; e == nil && parent != "" {
		return t.find(parent, name)
	}
	return e
}

// hears reports whether an event can be listened to.
func (t *table) hears(class, event string) bool {
	return t.events[class][event] || t.events[class]["*"]
}

// parents are the classes that inherit another's members.
var parents = map[string]string{"ElementHandle": "JSHandle"}

func parseEntry(class, name, rest, how string) *entry {
	e := &entry{class: class, name: name, kind: how}
	if e.kind == "" { // assertions are no part of playwright-core's types
		e.kind = "async"
		if name == "not" {
			e.kind = "prop"
		}
	}
	if why, refused := strings.CutPrefix(rest, "no: "); refused || rest == "js" {
		e.js, e.why = !refused, strings.TrimPrefix(why, "js")
		return e
	}
	for _, word := range split(rest) {
		e.args = append(e.args, parseKind(word))
	}
	m, ok := goMethod(classes[class], name)
	if !ok {
		panic("table.txt: playwright-go has no " + class + "." + name)
	}
	e.method = m
	return e
}

// split parts a text at the spaces that are in no braces.
func split(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) + 1 {
		switch {
		case i < len(s) && s[i] == '{':
			depth++
		case i < len(s) && s[i] == '}':
			depth--
		case i == len(s) || s[i] == ' ' && depth == 0:
			if i > from {
				out = append(out, s[from:i])
			}
			from = i + 1
		}
	}
	return out
}

func parseKind(word string) kind {
	word, rest := strings.CutSuffix(word, "...")
	if !strings.HasPrefix(word, "{") {
		if judged[word] == nil {
			panic(fmt.Sprintf("table.txt: there is no kind %q", word))
		}
		return kind{word: word, rest: rest}
	}
	k := kind{word: "options", options: map[string]kind{}, rest: rest}
	for _, o := range split(strings.TrimSuffix(word[1:], "}")) {
		name, of := o, "plain"
		if i := strings.IndexAny(o, ":{"); i >= 0 {
			name, of = o[:i], strings.TrimPrefix(o[i:], ":")
		}
		k.options[name] = parseKind(of)
	}
	return k
}
