//go:build evidence

package agent_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// said is a line of a tree, or of a template of trees.
type said struct {
	role   string // "" of a text, "/url" of where a link leads
	name   string
	match  *regexp.Regexp // of a template whose name is a pattern
	text   string         // behind the colon
	states []string
	ref    string
}

var (
	saidLine  = regexp.MustCompile(`^([/\w]+)(?: "((?:[^"\\]|\\.)*)"| /((?:[^/\\]|\\.|\[[^\]]*\])*)/)?((?: ?\[[^\]]*\]| \([^)]*\))*)(?::(?: (.*))?)?$`)
	saidState = regexp.MustCompile(`\[\s*([\w-]+)\s*(?:=\s*([\w-]+)\s*)?\]`)
	escaped   = regexp.MustCompile(`\\(.)`)
)

// saidBy reads the lines of a tree. ok is false where one of them can't be read.
func saidBy(text string) (list []said, ok bool) {
	for _, line := range strings.Split(text, "\n") {
		line, found := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !found && line != "" {
			return nil, false
		}
		if line = unquoted(line, "'"); line == "" {
			continue
		}
		m := saidLine.FindStringSubmatch(line)
		if m == nil {
			return nil, false
		}
		s := said{role: m[1], name: escaped.ReplaceAllString(m[2], "$1"), text: unquoted(m[5], `"`)}
		if s.role == "text" {
			s.role = ""
		}
		if m[3] != "" {
			s.match = regexp.MustCompile(m[3])
		}
		for _, state := range saidState.FindAllStringSubmatch(m[4], -1) {
			switch name, value := state[1], state[2]; {
			case name == "ref":
				s.ref = value
			case name == "cursor", value == "false":
			case value == "true" || value == "":
				s.states = append(s.states, name)
			default:
				s.states = append(s.states, name+"="+value)
			}
		}
		if s.role != "/children" {
			list = append(list, s)
		}
	}
	return list, true
}

func unquoted(text, mark string) string {
	if len(text) < 2 || !strings.HasPrefix(text, mark) || !strings.HasSuffix(text, mark) {
		return text
	}
	text = text[1 : len(text)-1]
	if mark == "'" {
		return strings.ReplaceAll(text, "''", "'")
	}
	return escaped.ReplaceAllString(text, "$1")
}

// saidAsJSON reads a tree that is given as JSON.
func saidAsJSON(nodes []any) (list []said) {
	for _, n := range nodes {
		if text, ok := n.(string); ok {
			list = append(list, said{text: text})
			continue
		}
		node, _ := n.(map[string]any)
		of := func(key string) string { s, _ := node[key].(string); return s }
		s := said{role: of("role"), name: of("name"), text: of("text"), ref: of("ref")}
		if s.role == "text" {
			s.role = ""
		}
		for _, state := range []string{"checked", "disabled", "active"} {
			if node[state] == true {
				s.states = append(s.states, state)
			}
		}
		if level, ok := node["level"].(float64); ok {
			s.states = append(s.states, "level="+strconv.Itoa(int(level)))
		}
		list = append(list, s)
		if of("url") != "" {
			list = append(list, said{role: "/url", text: of("url")})
		}
		kids, _ := node["children"].([]any)
		list = append(list, saidAsJSON(kids)...)
	}
	return list
}

// faults says what tests expect and our outline lacks. compared is how many pairs there were.
func (r specRun) faults(t *testing.T) (list []string, compared int) {
	t.Helper()
	for _, p := range r.Pairs {
		var template string
		var nodes []any
		var want []said
		ok := true
		if json.Unmarshal(p.Expected, &template) == nil {
			want, ok = saidBy(template)
		} else if json.Unmarshal(p.Expected, &nodes) == nil {
			want = saidAsJSON(nodes)
		}
		if !ok || len(want) == 0 {
			continue // a way to write a template, no other tree
		}
		compared++
		if found := p.faults(want); len(found) > 0 {
			list = append(list, fmt.Sprintf("%s\nexpected:\n%s\nwhole:\n%s\noutline:\n%s\nthat don't act: %v",
				strings.Join(found, "\n"), p.Expected, p.Full, p.Outline, p.Dead))
		}
	}
	return list, compared
}

// usable are the roles that a person uses.
var usable = regexp.MustCompile(`^(button|link|textbox|searchbox|checkbox|radio|combobox|listbox|menuitem|tab|switch|slider|spinbutton)$`)

func (p specPair) faults(want []said) (list []string) {
	have := wholeTree(p.Full)
	plain := strings.Join(strings.Fields(p.Outline), " ")
	at := 0 // behind the line that the last role is on
	for _, w := range want {
		if w.role == "generic" && w.name == "" && w.text == "" {
			continue
		}
		from := at
		if w.role == "" || w.role == "/url" || w.role == "generic" {
			from = max(at-1, 0)
		}
		found := slices.IndexFunc(have[from:], w.is)
		if found < 0 {
			list = append(list, fmt.Sprintf("the whole tree lacks %+v", w))
			continue
		}
		h := have[from+found]
		if from == at {
			at += found + 1
		}
		for _, word := range []string{w.name, w.text} {
			if w.role != "/url" && !strings.Contains(plain, quotes.Replace(word)) {
				list = append(list, fmt.Sprintf("the outline lacks %q", word))
			}
		}
		if !usable.MatchString(w.role) {
			continue
		}
		if !strings.Contains(p.Outline, "[ref="+h.ref+"]") {
			list = append(list, fmt.Sprintf("the outline lacks the ref of %+v", h))
		}
		if w.ref != "" && slices.Contains(p.Dead, h.ref) {
			list = append(list, fmt.Sprintf("the ref of %+v does not act", h))
		}
	}
	return list
}

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// wholeTree reads our whole tree; what can't be read is a text.
func wholeTree(text string) (list []said) {
	for _, line := range strings.Split(text, "\n") {
		line, _ = strings.CutPrefix(strings.TrimSpace(line), "- ")
		if rest, found := strings.CutPrefix(line, "text: "); found {
			list = append(list, said{text: rest})
			continue
		}
		if rest, found := strings.CutPrefix(line, "/url: "); found {
			list = append(list, said{role: "/url", text: rest})
			continue
		}
		if one, ok := saidBy("- " + line); ok && len(one) == 1 {
			one[0].text = ""
			if _, text, ok := strings.Cut(strings.TrimPrefix(line, one[0].role+" "+strconv.Quote(one[0].name)), ": "); ok {
				one[0].text = text
			}
			list = append(list, one[0])
		}
	}
	return list
}

// is reports whether a line of our whole tree says what is expected.
func (s said) is(have said) bool {
	switch {
	case s.role == "":
		return have.text == s.text || have.name == s.text
	case s.role == "/url":
		return have.role == "/url" && (have.text == s.text || len(s.text) > 0 && s.text[0] == '/' && s.text != have.text && strings.HasSuffix(s.text, "/"))
	case s.role == "generic" && s.name == "":
		return have.text == s.text || have.name == s.text
	case s.role != "generic" && have.role != s.role:
		return false
	case s.match != nil && !s.match.MatchString(have.name):
		return false
	}
	for _, state := range s.states {
		if !slices.Contains(have.states, state) {
			return false
		}
	}
	return (s.name == "" || have.name == s.name) && (s.text == "" || have.text == s.text || have.name == s.text)
}
