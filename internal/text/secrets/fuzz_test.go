package secrets

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pwpipe/internal/text/secrets/secretstest"
)

// FuzzMask: of a value in any encoding, between any texts, whole or cut, no eight characters
// remain. Left out is a short value right after a backslash that escapes nothing: together
// with up to nine of the value's characters it is read as an escape.
func FuzzMask(f *testing.F) {
	names := slices.Sorted(maps.Keys(secretstest.Encodings))
	for i, name := range slices.Sorted(maps.Keys(odd)) {
		f.Add(odd[name], "before ", " after", uint8(i), uint16(0))
		f.Add(odd[name], `{"a":"\`, `%4`, uint8(i+7), uint16(3*i))
	}
	f.Fuzz(func(t *testing.T, value, before, after string, encoding uint8, cut uint16) {
		if !utf8.ValidString(value) || strings.ContainsRune(value, utf8.RuneError) || strings.Contains(value, "secret") || len(value) > 300 || len(before)+len(after) > 2000 {
			return
		}
		if strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) || r == 0x85 }) {
			return // HTML has no numbers for these
		}
		// Characters are counted as they are compared: invisible ones do not count, and a
		// run of white space counts as one. At an end it does not count, nor does the + of forms.
		value = strings.Trim(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
			if fold(r) == dropped {
				return -1
			}
			return r
		}, value)), " "), "+ ")
		s, err := New(map[string]string{"X": value})
		if err != nil || utf8.RuneCountInString(value) < gramLength || ordinary(s) {
			return
		}
		if strays := len(before) - len(strings.TrimRight(before, `\`)); strays%2 == 1 && utf8.RuneCountInString(value) < 2*gramLength+2 {
			return
		}
		name := names[int(encoding)%len(names)]
		text := before + secretstest.Encodings[name](value) + after
		if cut > 0 {
			text = text[:start(text, len(before)+int(cut)%(len(text)-len(before)+1))]
		}
		got := s.Mask(text)
		if left := secretstest.Leak(got, value); left != "" {
			t.Errorf("%q as %s in %q: %q: %s", value, name, text, got, left)
		}
		if again := s.Mask(got); again != got {
			t.Errorf("%q: masked twice: %q, %q", value, got, again)
		}
	})
}

// ordinary reports whether parts of a value stay, because many texts contain them.
func ordinary(s *Set) bool {
	for _, list := range s.text.grams {
		for _, p := range list {
			if p.common {
				return true
			}
		}
	}
	return false
}
