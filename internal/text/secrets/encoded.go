package secrets

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// leastDigits is the number of hex digits of the shortest value.
const leastDigits = 2 * shortest

// hexOverlap is the number of digits that consecutive parts of a long dump share: at
// most the digits of eight characters.
const hexOverlap = 2 * 4 * gramLength

// maxGap is the number of characters, other than letters and digits, that may separate
// two digits: the comma, the line break and the indent of a list, or quotes.
const maxGap = 8

// hexed finds values in the hex digits of their bytes, together or apart, as in dumps,
// fingerprints and lists. The beginning of a pair is unknown: other digits may precede.
func (s *Set) hexed(text string) []span {
	var out []span
	for i := 0; i < len(text); {
		digits, tails, next := hexDigits(text, i)
		out = append(out, s.readHex(text, digits)...)
		for _, tail := range tails {
			out = append(out, s.readHex(text, tail)...)
		}
		if i = next; len(digits) == maxBytes { // there may be more
			i = int(digits[maxBytes-hexOverlap])
		}
	}
	return out
}

func (s *Set) readHex(text string, digits []int32) (out []span) {
	if len(digits) < leastDigits {
		return nil
	}
	for first := range 2 {
		for _, v := range views(bytesOf(text, digits[first:])) {
			out = append(out, s.read(v)...)
		}
	}
	return out
}

// hexDigits returns the places of the digits that begin at i, and where to continue
// after them. The zero of a 0x directly after a digit may be a digit, the last one:
// tails are the ends of such readings.
func hexDigits(text string, i int) (places []int32, tails [][]int32, next int) {
	for i < len(text) && len(places) < maxBytes {
		at := i
		for n := 0; n < maxGap && len(places) > 0 && at < len(text); n++ {
			r, size := utf8.DecodeRuneInString(text[at:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				break
			}
			at += size
		}
		if strings.HasPrefix(text[at:], "0x") || strings.HasPrefix(text[at:], "0X") {
			if n := len(places); at == i && n > 0 {
				tails = append(tails, append(slices.Clone(places[max(0, n-hexOverlap):]), int32(at)))
			}
			at += 2
		}
		if at >= len(text) || !isHex(rune(text[at])) {
			break
		}
		places = append(places, int32(at))
		i = at + 1
	}
	if len(places) == 0 {
		i++
	}
	return places, tails, i
}

func bytesOf(text string, digits []int32) []sym {
	out := make([]sym, 0, len(digits)/2)
	bytes := make([]byte, 0, len(digits)/2)
	for n := 0; n+1 < len(digits); n += 2 {
		r, _ := hexRune([]sym{{r: rune(text[digits[n]])}, {r: rune(text[digits[n+1]])}})
		bytes = append(bytes, byte(r))
	}
	for i := 0; i < len(bytes); {
		r, size := decodeByte(bytes[i:])
		out = append(out, sym{r, digits[2*i], digits[2*(i+size)-1] + 1})
		i += size
	}
	return out
}

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
	for i := range found {
		found[i].from, found[i].to = part[0], part[1]
	}
	return found
}
