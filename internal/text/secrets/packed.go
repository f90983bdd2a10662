package secrets

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// reIDN finds hosts in punycode.
var reIDN = regexp.MustCompile(`(?i)[a-z0-9.-]*xn--[a-z0-9.-]+`)

// hosts finds values in punycode hosts. Such a host is masked as a whole.
func (s *Set) hosts(text string) []span {
	if !strings.Contains(text, "n--") && !strings.Contains(text, "N--") {
		return nil
	}
	var out []span
	for _, m := range reIDN.FindAllStringIndex(text, -1) {
		host, err := idna.Punycode.ToUnicode(strings.ToLower(text[m[0]:m[1]]))
		if err == nil {
			out = append(out, whole(m, s.asIs(host))...)
		}
	}
	return out
}

// packedLength is the shortest base64 text that is decoded.
const packedLength = 16

// packed finds values that were escaped before base64, as in a token with JSON; other
// values are found by their letters. The base64 text is masked as a whole.
func (s *Set) packed(text string) []span {
	var out []span
	for i, from := 0, 0; i <= len(text); i++ {
		if i < len(text) && inBase64[text[i]] {
			continue
		}
		if i-from >= packedLength {
			out = append(out, s.unpacked(text, from, i)...)
		}
		from = i + 1
	}
	return out
}

// inBase64 are the characters of its alphabets.
var inBase64 = func() (t [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
		t[c] = true
	}
	return t
}()

// unpacked searches a part of a text that may be base64.
func (s *Set) unpacked(text string, from, to int) []span {
	word := text[from:to]
	if len(word)%4 == 1 {
		word = word[:len(word)-1]
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(word, "-_") {
		enc = base64.RawURLEncoding
	}
	var first [9]byte
	if n, err := enc.Decode(first[:], []byte(word[:12])); err != nil || !text8(first[:n]) {
		return nil // as most words do
	}
	plain, err := enc.DecodeString(word)
	if err != nil || !utf8.Valid(plain) {
		return nil
	}
	inner := string(plain)
	found := s.asIs(inner)
	for _, r := range escaped(inner) {
		found = append(found, s.decoded(inner, r)...)
	}
	found = append(found, s.hexed(inner)...)
	return whole([]int{from, to}, found)
}

// text8 reports whether some bytes may begin a text in UTF-8.
func text8(b []byte) bool {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size <= 1 {
			return !utf8.FullRune(b)
		}
		if r < ' ' && !unicode.IsSpace(r) {
			return false
		}
		b = b[size:]
	}
	return true
}

// whole is a part of a text that is masked if anything was found in it.
func whole(part []int, found []span) []span {
	if len(found) == 0 {
		return nil
	}
	p := merge(found)[0]
	return []span{{part[0], part[1], p.secret, p.length}}
}
