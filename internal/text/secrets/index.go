package secrets

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// gramLength is the number of consecutive characters of a value that are masked.
const gramLength = 8

// index finds patterns in a stream of characters by their grams: every run of
// gramLength characters, or all of a shorter pattern. Eight characters fit into a word,
// a byte each, so a check costs a few instructions. A match is then compared in full.
type index struct {
	patterns []pattern
	long     bool               // there are grams of gramLength
	short    []int              // the lengths of shorter ones
	seen     [1 << 10]uint64    // a bit for each hash of a gram
	grams    map[uint64][]place // by hash
	base64   bool               // every pattern consists of letters of base64
}

// pattern is one form of a value in a stream.
type pattern struct {
	secret int
	text   []rune
}

// place is a gram's place in a pattern.
type place struct {
	pattern, at, length int
	common              bool // many texts contain it, so alone it reveals nothing
}

// maxPlaces bounds the places of a gram that a pattern repeats.
const maxPlaces = 3

func newIndex() *index { return &index{grams: map[uint64][]place{}, base64: true} }

// learn adds the forms of a value. It reports false if none can be told from other
// text.
func (s *Set) learn(secret int, value string) bool {
	found := false
	for _, form := range variants(value) {
		for _, level := range views(symbols(form, 0, len(form))) {
			folded, plain := foldAll(level)
			if text := []rune(strings.Trim(string(folded), " ")); len(text) >= shortest {
				s.text.add(secret, text)
				found = true
			}
			if len(plain) > len(folded) {
				s.plain.add(secret, plain)
			}
		}
	}
	if letters := []rune(value); !found && len(letters) >= shortest && strings.TrimSpace(value) != "" { // made of signs that fold away
		s.code.add(secret, letters)
		found = true
	}
	for _, core := range base64Cores(value) {
		s.code.add(secret, []rune(core))
	}
	return found
}

// variants are a value as it is, with its accents separate and combined, and without
// the line breaks and tabs that URLs and one-line inputs drop.
func variants(value string) []string {
	bare := strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(value)
	all := []string{value}
	for _, form := range []string{bare, norm.NFD.String(value), norm.NFC.String(value), norm.NFKC.String(value)} {
		if !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	return all
}

// base64Cores are the letters of a value in base64 that do not depend on its
// surroundings: they depend on the value's offset modulo three bytes.
func base64Cores(value string) []string {
	const least = 6
	var all []string
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + value))
		from, to := (shift*8+5)/6, (shift+len(value))*8/6
		if to-from >= least {
			core := text[from:to]
			all = append(all, core, strings.NewReplacer("+", "-", "/", "_").Replace(core))
		}
	}
	return all
}

func (x *index) add(secret int, text []rune) {
	if slices.ContainsFunc(x.patterns, func(p pattern) bool { return p.secret == secret && slices.Equal(p.text, text) }) {
		return
	}
	x.patterns = append(x.patterns, pattern{secret, text})
	x.base64 = x.base64 && !slices.ContainsFunc(text, func(r rune) bool { return uint32(r) >= utf8.RuneSelf || !inBase64[r] })
	length := min(len(text), gramLength)
	switch {
	case length == gramLength:
		x.long = true
	case !slices.Contains(x.short, length):
		x.short = append(x.short, length)
	}
	ordinary := commonplace(text, length)
	places := map[uint64]int{}
	for at := 0; at+length <= len(text); at++ {
		w := uint64(0)
		for _, r := range text[at : at+length] {
			w = w<<8 | uint64(octet(r))
		}
		h := hash(w, length)
		if places[h]++; places[h] > maxPlaces {
			continue
		}
		x.seen[h>>6&1023] |= 1 << (h & 63)
		x.grams[h] = append(x.grams[h], place{len(x.patterns) - 1, at, length, ordinary[at]})
	}
}

// hash spreads a gram; its low 16 bits choose the bit in seen.
func hash(w uint64, length int) uint64 {
	if length < gramLength {
		w = w&(1<<(8*length)-1) | uint64(length)<<56
	}
	return spread(w)
}

func spread(w uint64) uint64 {
	w *= 0x9E3779B97F4A7C15
	return w ^ w>>32
}

// may reports whether a gram with that hash may exist.
func (x *index) may(h uint64) bool { return x.seen[h>>6&1023]&(1<<(h&63)) != 0 }

// octet maps a character to a byte: itself, or a part of it beyond ASCII.
func octet(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r)
	}
	return byte(r) ^ byte(r>>7) | 0x80
}

// words occur in so many texts that they alone reveal nothing of a value.
var words = []string{"password", "passphrase", "username", "user name", "credential", "authorization", "bearer ", "localhost", "127.0.0.1",
	"example", "https://", "http://www.", "javascript", "function", "undefined", "document", "-----begin rsa private key-----",
	"-----end rsa private key-----", "-----begin private key-----", "-----end private key-----", "-----begin openssh private key-----",
	"-----end openssh private key-----", "-----begin certificate-----", "-----end certificate-----"}

// commonplace reports for each gram of a pattern whether many texts contain it: inside
// of one of the words, mostly in the scheme or the host of an address, or one repeated
// character. If this is so for the whole pattern, it reports none: then it is the
// value.
func commonplace(text []rune, length int) []bool {
	s := string(text)
	at := func(byteIndex int) int { return utf8.RuneCountInString(s[:byteIndex]) }
	common := make([]bool, max(len(text)-length+1, 0))
	mark := func(from, to int) {
		for i := max(from, 0); i <= to-length && i < len(common); i++ {
			common[i] = true
		}
	}
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(s[from:], w)
			if i < 0 {
				break
			}
			mark(at(from+i), at(from+i)+len(w))
			from += i + len(w)
		}
	}
	host := make([]int, len(text)) // 1 for each character of the scheme or the host
	for m, g := reHost.FindStringSubmatchIndex(s), 2; g < len(m); g += 2 {
		for i := at(max(m[g], 0)); i < at(max(m[g+1], 0)); i++ {
			host[i] = 1
		}
	}
	for i := range common {
		known := 0
		for _, n := range host[i : i+length] {
			known += n
		}
		common[i] = common[i] || known > length/2 || !slices.ContainsFunc(text[i:i+length], func(r rune) bool { return r != text[i] })
	}
	if !slices.Contains(common, false) {
		clear(common)
	}
	return common
}

// reHost finds the parts of an address that are not secret by themselves: the scheme
// and the host of a URL, the host of an e-mail address.
var reHost = regexp.MustCompile(`^([a-z][a-z0-9 .-]*://)(?:[^/?#@]*@)?([^/?#@:]+)|^[a-z0-9._%-]+(@(?:[a-z0-9-]+\.)+[a-z]{2,10})$`)

// space replaces every run of white space in a pattern, dropped an invisible character.
const (
	space   = ' '
	dropped = -1
)

// fold normalises a character: case, any white space to space, the + of forms to space,
// a backslash to a slash as in URLs, and variants of a character to that character.
func fold(r rune) rune {
	if uint32(r) < utf8.RuneSelf {
		return folded[r]
	}
	return foldWide(r)
}

func foldWide(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return dropped
	}
	if r = compatible(r); r < utf8.RuneSelf {
		return folded[r]
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// compatible is the base character of a variant, such as the A of a full-width or a
// bold one, by Unicode's table.
func compatible(r rune) rune {
	var text [utf8.UTFMax]byte
	form := norm.NFKD.Properties(text[:utf8.EncodeRune(text[:], r)]).Decomposition()
	if c, size := utf8.DecodeRune(form); len(form) > 0 && size == len(form) {
		return c
	}
	return r
}

// folded is fold for ASCII.
var folded = func() (t [utf8.RuneSelf]rune) {
	for r := range rune(utf8.RuneSelf) {
		switch {
		case unicode.IsSpace(r) || r == '+':
			t[r] = space
		case r == '\\':
			t[r] = '/'
		case unicode.IsControl(r):
			t[r] = dropped
		default:
			t[r] = unicode.ToLower(r)
		}
	}
	return t
}()

// foldAll folds a text: runs of white space to one, and what is not seen to
// nothing; and character by character.
func foldAll(text []sym) (folded, plain []rune) {
	for _, c := range text {
		f := fold(c.r)
		if f != dropped && (f != space || len(folded) == 0 || folded[len(folded)-1] != space) {
			folded = append(folded, f)
		}
		plain = append(plain, f)
	}
	return folded, plain
}
