package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastDigits is how many hex digits the shortest value has.
const leastDigits = 2 * shortest

// hexOverlap is how many digits a part of a long dump has in common with the next: so
// many as eight characters take at the most.
const hexOverlap = 2 * 4 * gramLength

// mostGap is how many characters, none of them a letter or a digit, may stand between two
// digits: the comma, the line break and the indent of a list, or quotes.
const mostGap = 8

// hexed finds values in the hex digits of their bytes, together or apart, as dumps,
// fingerprints and lists have them. Where a pair begins is not known: the digits may
// follow others.
func (s *Set) hexed(text string) []span {
	var out []span
	for i := 0; i < len(text); {
		digits, tails, next := hexDigits(text, i)
		out = append(out, s.readHex(text, digits)...)
		for _, tail := range tails {
			out = append(out, s.readHex(text, tail)...)
		}
		if i = next; len(digits) == mostBytes { // there may be more
			i = int(digits[mostBytes-hexOverlap])
		}
	}
	return out
}

// readHex finds values in digits at these places.
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

// hexDigits returns the places of the digits that begin at i, and where to go on behind
// them. The zero of a 0x that follows a digit at once may be a digit, the last one: tails
// are the ends of such readings.
func hexDigits(text string, i int) (places []int32, tails [][]int32, next int) {
	for i < len(text) && len(places) < mostBytes {
		at := i
		for n := 0; n < mostGap && len(places) > 0 && at < len(text); n++ {
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

// bytesOf are the characters that hex digits make.
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
