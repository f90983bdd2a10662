package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// readHex finds values in the digits at these places.
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

// bytesOf decodes hex digits.
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
