// Package secrets keeps values that may be typed into pages and must not leave the
// process otherwise. {{NAME}} in a request stands for a value; wherever the value would
// leave again, <secret:NAME> replaces it.
//
// [Set.Mask] finds a value in any encoding. It reads a text as it is, and again with
// its escapes decoded (those of URLs, HTML, JSON, JavaScript, CSS and regular
// expressions, also nested). Case, and the amount and kind of white space, make no
// difference. Any eight consecutive characters of a value are found, even if a page,
// the browser or a cut has removed the rest. A backslash right before a value is read as
// an escape of up to nine of its characters: it can hide a value of less than eighteen.
package secrets

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"pwpipe/internal/machine/writefile"
)

// Set is the secrets of a run. A nil Set has none.
type Set struct {
	values map[string]string
	mask   func(name string) string
	masks  []string // the masks, in the order of the names
	exact  map[string]string
	text   *index // of the folded values
	plain  *index // of values that folding shortens, character by character
	code   *index // of what is found by its exact letters: base64
}

// shortest is the least length of a value, in characters. A shorter one would be found,
// and masked, everywhere.
const shortest = 4

// Load reads a dotenv file: NAME=value, a line each.
func Load(file string) (*Set, error) {
	text, err := writefile.Config(file)
	if err != nil {
		return nil, err
	}
	values, err := godotenv.UnmarshalBytes(text)
	if err != nil {
		// The parser's error quotes the line, which may contain a secret.
		return nil, fmt.Errorf("%s is not a dotenv file (NAME=value, a line each)", file)
	}
	return New(values)
}

// New makes a set of names and values.
func New(values map[string]string) (*Set, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !reName.MatchString("{{" + name + "}}") {
			return nil, fmt.Errorf("%q is not a name; a name has letters, digits and _", name)
		}
	}
	return Marked(values, MaskOf)
}

// MaskOf returns what is shown in place of a value.
func MaskOf(name string) string { return "<secret:" + name + ">" }

// Marked is New with the caller's mask, and any names.
func Marked(values map[string]string, mask func(name string) string) (*Set, error) {
	s := &Set{values: maps.Clone(values), mask: mask, exact: map[string]string{}, text: newIndex(), plain: newIndex(), code: newIndex()}
	for i, name := range slices.Sorted(maps.Keys(values)) {
		v := values[name]
		s.masks = append(s.masks, mask(name))
		s.exact[v] = s.masks[i]
		if !s.learn(i, v) {
			return nil, fmt.Errorf("%s is shorter than %d characters and could not be masked", name, shortest)
		}
	}
	return s, nil
}

func (s *Set) empty() bool { return s == nil || len(s.values) == 0 }

// Mask replaces each value in a text, and each eight characters of one, by
// <secret:NAME>. A text without any comes back unchanged.
func (s *Set) Mask(text string) string {
	if s.empty() {
		return text
	}
	spans := s.find(text)
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	end := 0
	for _, p := range spans {
		b.WriteString(text[end:p.from])
		b.WriteString(s.masks[p.secret])
		end = p.to
	}
	b.WriteString(text[end:])
	return b.String()
}

// MaskNumber is Mask for a number, which is masked as a whole or not at all: if it is a
// value, or eight of its digits are part of a value.
func (s *Set) MaskNumber(text string) (string, bool) {
	if s.empty() {
		return text, false
	}
	if mask, ok := s.exact[text]; ok {
		return mask, true
	}
	for _, p := range s.find(text) {
		if p.to-p.from >= gramLength {
			return s.masks[p.secret], true
		}
	}
	return text, false
}

// Part is a part of a value in a text, encoded or not.
type Part struct {
	Name     string
	From, To int  // bytes of the text
	Entire   bool // all of the value, and not only some eight characters
}

// Parts returns all parts of values in a text, also where several are in one place.
func (s *Set) Parts(text string) (list []Part) {
	if s.empty() {
		return nil
	}
	names := slices.Sorted(maps.Keys(s.values))
	for _, p := range s.parts(text) {
		list = append(list, Part{names[p.secret], p.from, p.to, p.entire})
	}
	return list
}

var (
	reName  = regexp.MustCompile(`\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}`)
	reLoud  = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)
	reExact = regexp.MustCompile(`^\{\{.*\}\}$`)
)

// Resolve replaces {{NAME}} by its value. A name in capitals without a secret is an
// error; other double braces stay, since pages use them too.
func (s *Set) Resolve(text string) (string, error) {
	if s == nil || !strings.Contains(text, "{{") {
		return text, nil
	}
	var missing string
	out := reName.ReplaceAllStringFunc(text, func(m string) string {
		name := m[2 : len(m)-2]
		if v, ok := s.values[name]; ok {
			return v
		}
		if missing == "" && (reLoud.MatchString(name) || reExact.MatchString(text)) {
			missing = name
		}
		return m
	})
	if missing != "" {
		names := s.names()
		if len(names) == 0 {
			return "", fmt.Errorf("no secret named %s; there are none", missing)
		}
		return "", fmt.Errorf("no secret named %s; there are %s", missing, strings.Join(names, ", "))
	}
	return out, nil
}

// Name is the reverse of Resolve: it replaces an unescaped value by {{NAME}}. Other
// remains of a value are masked.
func (s *Set) Name(text string) string {
	if s.empty() {
		return text
	}
	names := slices.SortedFunc(maps.Keys(s.values), func(a, b string) int { return len(s.values[b]) - len(s.values[a]) })
	for _, name := range names { // a value that contains another one goes first
		text = strings.ReplaceAll(text, s.values[name], "{{"+name+"}}")
	}
	return s.Mask(text)
}

type maskWriter struct {
	s *Store
	w io.Writer
}

func (m maskWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, m.s.Mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Value is what a name stands for.
func (s *Set) Value(name string) (value string, ok bool) {
	value, ok = s.values[name]
	return value, ok
}
