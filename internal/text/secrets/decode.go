package secrets

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// decode decodes one level of escapes, of some kinds.
func decode(in []sym, k kind) (out []sym, changed bool) {
	if k == 0 {
		return nil, false
	}
	out = make([]sym, 0, len(in))
	for i := 0; i < len(in); {
		n := 0
		switch {
		case in[i].r == '%' && k&percents != 0:
			out, n = percent(out, in[i:])
		case in[i].r == '&' && k&entities != 0:
			out, n = entity(out, in[i:])
		case in[i].r == '\\' && k&css != 0:
			out, n = escapedCSS(out, in[i:])
		case in[i].r == '\\' && k&octal != 0:
			out, n = escapedOctal(out, in[i:])
		case in[i].r == '\\' && k&backslash != 0:
			out, n = escapedChar(out, in[i:])
		}
		if n == 0 {
			out = append(out, in[i])
			i++
			continue
		}
		changed = true
		i += n
	}
	return out, changed
}

// made appends to out a character that stands for n characters of the text.
func made(out []sym, r rune, in []sym, n int) ([]sym, int) {
	return append(out, sym{r, in[0].from, in[n-1].to}), n
}

// percent decodes %E2%82%AC, and %u20AC of the old function escape. Bytes that are not
// UTF-8 are Latin-1, as in that function.
func percent(out, in []sym) ([]sym, int) {
	if len(in) > 5 && in[1].r == 'u' {
		if r, ok := hexRune(in[2:6]); ok {
			return pair(out, r, in, 6, 'u')
		}
	}
	n := 0
	var bytes []byte
	for len(in)-n > 2 && in[n].r == '%' && isHex(in[n+1].r) && isHex(in[n+2].r) {
		r, _ := hexRune(in[n+1 : n+3])
		bytes = append(bytes, byte(r))
		n += 3
	}
	for i := 0; i < len(bytes); {
		r, size := decodeByte(bytes[i:])
		out = append(out, sym{r, in[3*i].from, in[3*(i+size)-1].to})
		i += size
	}
	return out, n
}

// decodeByte is the first character of some bytes: of Latin-1 if they are not UTF-8.
func decodeByte(bytes []byte) (r rune, size int) {
	if r, size = utf8.DecodeRune(bytes); r == utf8.RuneError && size <= 1 {
		return rune(bytes[0]), 1
	}
	return r, size
}

// pair is made for a number that may be the first of a surrogate pair: the second is
// written as the first, in n characters.
func pair(out []sym, r rune, in []sym, n int, letter rune) ([]sym, int) {
	if utf16.IsSurrogate(r) && len(in) >= 2*n && in[n].r == in[0].r && in[n+1].r == letter {
		if low, ok := hexRune(in[n+2 : 2*n]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return made(out, utf16.DecodeRune(r, low), in, 2*n)
		}
	}
	return made(out, r, in, n)
}

// longestEntity is longer than the longest name in HTML.
const longestEntity = 36

// usual are the most frequent entities.
var usual = map[string]string{"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": `"`, "&#39;": "'", "&#34;": `"`, "&nbsp;": "\u00a0"}

// entity decodes &amp;, &nbsp;, &#38; and &#x26;.
func entity(out, in []sym) ([]sym, int) {
	var text [longestEntity]byte
	end := 0
	for end < len(in) && end < longestEntity && in[end].r < utf8.RuneSelf {
		text[end] = byte(in[end].r)
		if end++; text[end-1] == ';' || end > 1 && text[end-1] != '#' && !inBase64[text[end-1]] {
			break
		}
	}
	name := text[:end]
	value, ok := usual[string(name)]
	if !ok {
		whole := string(name)
		if !strings.HasSuffix(whole, ";") {
			whole = bare(whole)
		}
		value = html.UnescapeString(whole)
		if value == whole || strings.HasSuffix(value, ";") && value != ";" { // none, or what is left of a name
			return out, 0
		}
		end = len(whole)
	}
	for _, r := range value {
		out, _ = made(out, r, in, end)
	}
	return out, end
}

var controls = map[rune]rune{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v', '0': 0}

// escapedCSS decodes a backslash of CSS: hex digits with a white space that ends them,
// or the character itself.
func escapedCSS(out, in []sym) ([]sym, int) {
	if len(in) < 2 {
		return out, 0
	}
	n := 1
	for n < len(in) && n < 7 && isHex(in[n].r) {
		n++
	}
	r, ok := hexRune(in[1:n])
	if !ok {
		return made(out, in[1].r, in, 2)
	}
	if n < len(in) && unicode.IsSpace(in[n].r) {
		n++
	}
	return made(out, r, in, n)
}

// escapedOctal is escapedChar plus three octal digits for a character, as in older
// JavaScript and cookies.
func escapedOctal(out, in []sym) ([]sym, int) {
	if len(in) > 3 && in[1].r <= '3' && isOctal(in[1].r) && isOctal(in[2].r) && isOctal(in[3].r) {
		return made(out, (in[1].r-'0')<<6|(in[2].r-'0')<<3|(in[3].r-'0'), in, 4)
	}
	return escapedChar(out, in)
}

// hexEscapes are the escapes with a number of hex digits, by their letter.
var hexEscapes = map[rune]int{'u': 4, 'x': 2, 'U': 8}

// escapedChar decodes a backslash of JSON, JavaScript, Go and regular
// expressions.
func escapedChar(out, in []sym) ([]sym, int) {
	if len(in) < 2 {
		return out, 0
	}
	next := in[1].r
	if digits := hexEscapes[next]; digits > 0 && len(in) >= 2+digits {
		if r, ok := hexRune(in[2 : 2+digits]); ok {
			return pair(out, r, in, 2+digits, next)
		}
	}
	if next == 'u' && len(in) > 4 && in[2].r == '{' {
		n := 3
		for n < len(in) && n < 10 && isHex(in[n].r) {
			n++
		}
		if r, ok := hexRune(in[3:n]); ok && n < len(in) && in[n].r == '}' {
			return made(out, r, in, n+1)
		}
	}
	if c, ok := controls[next]; ok {
		return made(out, c, in, 2)
	}
	switch {
	case next == 's' && len(in) > 2 && (in[2].r == '+' || in[2].r == '*'): // white space, in a regular expression
		return made(out, space, in, 3)
	case next == 's':
		return made(out, space, in, 2)
	case next == '\n': // a continued line
		return out, 2
	}
	return made(out, next, in, 2)
}

func isHex(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
}

func isOctal(r rune) bool { return r >= '0' && r <= '7' }

func hexRune(digits []sym) (rune, bool) {
	n := rune(0)
	for _, d := range digits {
		switch {
		case !isHex(d.r) || n > utf8.MaxRune:
			return 0, false
		case d.r <= '9':
			n = n<<4 + (d.r - '0')
		default:
			n = n<<4 + (d.r | 0x20) - 'a' + 10
		}
	}
	return n, len(digits) > 0 && n <= utf8.MaxRune
}
