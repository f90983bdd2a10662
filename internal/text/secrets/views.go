package secrets

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// sym is a character, and the bytes of the text that it stands for.
type sym struct {
	r        rune
	from, to int32
}

func symbols(text string, from, to int) []sym {
	out := make([]sym, 0, to-from)
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(text[i:to])
		out = append(out, sym{r, int32(i), int32(i + size)})
		i += size
	}
	return out
}

// kind is one of the kinds of escapes, or several that are decoded together.
type kind int

const (
	percents  kind = 1 << iota // of URLs
	entities                   // of HTML
	backslash                  // of JSON, JavaScript, Go and regular expressions
	css                        // of CSS, which reads hex digits after a backslash differently
	octal                      // of JSON and JavaScript, with octal digits after a backslash
)

// views are a text as it is, and with its escapes decoded: kind by kind, since a value
// may contain what looks like an escape of another kind, and of all kinds together,
// repeatedly while there are any.
func views(text []sym) [][]sym {
	const (
		most   = 16 // views that are made kind by kind
		levels = 4  // how often escapes are decoded together
	)
	all := [][]sym{text}
	add := func(v []sym, limit int) {
		if len(all) < limit && !slices.ContainsFunc(all, func(o []sym) bool { return slices.Equal(o, v) }) {
			all = append(all, v)
		}
	}
	seen := kind(0)
	for i := 0; i < len(all); i++ {
		there := kinds(all[i])
		seen |= there
		for _, k := range []kind{percents, entities, backslash, css, octal} {
			if next, changed := decode(all[i], k&there); changed {
				add(next, most)
			}
		}
	}
	if seen == percents || seen == entities || seen&^octal == backslash|css {
		return all // with one kind this equals all kinds together
	}
	for _, k := range []kind{percents | entities | backslash, percents | entities | css} {
		at := text
		for range levels {
			next, changed := decode(at, k&kinds(at))
			if !changed {
				break
			}
			add(next, most+2*levels)
			at = next
		}
	}
	return all
}

func kinds(text []sym) (k kind) {
	for i, c := range text {
		switch c.r {
		case '%':
			k |= percents
		case '&':
			k |= entities
		case '\\':
			k |= backslash | css
			if i+1 < len(text) && isOctal(text[i+1].r) {
				k |= octal
			}
		}
	}
	return k
}

type region struct{ from, to int }

// How many bytes around escapes are searched, and the longest part that is searched at
// once.
const (
	around   = 40
	maxBytes = 32 << 10
)

// escaped are the parts of a text with escapes, and their surroundings.
func escaped(text string) []region {
	var out []region
	for i := 0; ; i++ {
		n := strings.IndexAny(text[i:], `%&\`)
		if n < 0 {
			return out
		}
		i += n
		if !isEscape(text[i:]) {
			continue
		}
		from, to := start(text, i-around), start(text, i+around)
		last := len(out) - 1
		if last >= 0 && from <= out[last].to {
			if to-out[last].from <= maxBytes {
				out[last].to = to
				continue
			}
			out[last].to = to // the next begins within, so that nothing is missed between the two
		}
		out = append(out, region{from, to})
	}
}

// start is an offset within the text at which a character begins.
func start(text string, i int) int {
	i = min(max(i, 0), len(text))
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// isEscape reports whether a text that begins with %, & or \ may begin with an escape.
func isEscape(s string) bool {
	switch {
	case len(s) < 2:
		return false
	case s[0] == '\\':
		return true
	case s[0] == '%':
		return s[1] == 'u' || len(s) > 2 && isHex(rune(s[1])) && isHex(rune(s[2]))
	case s[1] == '#':
		return true
	}
	for i := 1; i < len(s) && i < longestEntity; i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 1
		case c >= utf8.RuneSelf || !inBase64[c]:
			return bare(s) != ""
		}
	}
	return bare(s) != ""
}

// bareEntities are the usual entities that browsers read without a semicolon.
var bareEntities = []string{"&amp", "&lt", "&gt", "&quot", "&nbsp", "&AMP", "&LT", "&GT", "&QUOT"}

func bare(s string) string {
	for _, e := range bareEntities {
		if strings.HasPrefix(s, e) {
			return e
		}
	}
	return reNumber.FindString(s)
}

// reNumber is an entity by number, without the semicolon.
var reNumber = regexp.MustCompile(`^&#(?:[0-9]+|[xX][0-9a-fA-F]+)`)
