package hostconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// readJSON reads JSON with comments. A key that an object has twice is an error: hosts differ in
// which one they use.
func readJSON(text []byte) (map[string]any, error) {
	v, err := hujson.Parse(slices.Clone(text))
	if err != nil {
		return nil, err
	}
	for inner := range v.All() {
		o, ok := inner.Value.(*hujson.Object)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for _, m := range o.Members {
			name := m.Name.Value.(hujson.Literal).String()
			if seen[name] {
				return nil, fmt.Errorf("it has the key %q twice in one object", name)
			}
			seen[name] = true
		}
	}
	v.Standardize()
	d := json.NewDecoder(bytes.NewReader(v.Pack()))
	d.UseNumber()
	var config map[string]any
	if err := d.Decode(&config); err != nil || config == nil {
		return nil, errors.New("it is no JSON object")
	}
	return config, nil
}

// addJSON inserts the server after the last server, or a section with it after the last section.
func (f Form) addJSON(text []byte, s Server) ([]byte, error) {
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	style := styleOf(text, root)
	if section := root.Find("/" + f.Section); section != nil {
		return style.insert(text, *section, s.Name, func(at string) string { return f.members(s, style, at) }), nil
	}
	return style.insert(text, root, f.Section, func(at string) string {
		return style.object(at, style.member(s.Name, f.members(s, style, at+style.unit)))
	}), nil
}

func (f Form) members(s Server, style style, indent string) string {
	var list []string
	if f.Typed {
		list = append(list, style.member("type", quote("stdio")))
	}
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = quote(a)
	}
	list = append(list, style.member("command", quote(s.Command)),
		style.member("args", "["+strings.Join(args, ", ")+"]"))
	return style.object(indent, list...)
}

func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string has a JSON
	return strings.TrimSuffix(b.String(), "\n")
}

type style struct{ newline, unit string }

func styleOf(text []byte, root hujson.Value) style {
	s := style{newline: "\n", unit: "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if o := root.Value.(*hujson.Object); len(o.Members) > 0 {
		outer := s.indentOf(text, root)
		if own := s.indentOf(text, o.Members[0].Name); len(own) > len(outer) && strings.HasPrefix(own, outer) {
			s.unit = own[len(outer):]
		}
	}
	return s
}

// indentOf returns the white space at the beginning of the line where a value begins.
func (s style) indentOf(text []byte, v hujson.Value) string {
	line := text[bytes.LastIndexByte(text[:v.StartOffset], '\n')+1 : v.StartOffset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func (s style) member(name, value string) string { return quote(name) + ": " + value }

// object returns an object with a member on each line. Its last line is indented.
func (s style) object(indent string, members ...string) string {
	line := s.newline + indent + s.unit
	return "{" + line + strings.Join(members, ","+line) + s.newline + indent + "}"
}

// insert puts a member at the end of an object, after its comments.
func (s style) insert(text []byte, into hujson.Value, name string, value func(indent string) string) []byte {
	o := into.Value.(*hujson.Object)
	brace := into.EndOffset - 1
	space := len(o.AfterExtra) - len(bytes.TrimRight(o.AfterExtra, " \t\r\n"))
	outer := s.indentOf(text, into)
	at, indent := brace-space, outer+s.unit
	comma, comesAt, end := "", at, ""
	if n := len(o.Members); n > 0 {
		last := o.Members[n-1]
		if bytes.Contains(text[into.StartOffset:last.Name.StartOffset], []byte("\n")) { // on a line of its own
			indent = s.indentOf(text, last.Name)
		}
		if last.Value.AfterExtra == nil { // no comma follows it
			comma, comesAt = ",", last.Value.EndOffset
		}
	}
	if !bytes.Contains(text[at:brace], []byte("\n")) {
		end = s.newline + outer
	}
	added := s.newline + indent + s.member(name, value(indent)) + end
	return slices.Concat(text[:comesAt], []byte(comma), text[comesAt:at], []byte(added), text[at:])
}
