package secrets

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// span is a part of a text that a mask replaces.
type span struct {
	from, to int // bytes
	secret   int
	length   int  // characters of the value in it
	entire   bool // all of the value
}

// hit is a gram that was found in a stream.
type hit struct {
	place
	last     int // number of its last character in the stream
	from, to int // bytes of the text
}

// stream passes a text character by character through an index.
type stream struct {
	x    *index
	w    uint64 // the last characters, an octet each
	n    int    // characters so far
	run  int    // characters since the last gap
	text [gramLength]rune
	from [gramLength]int
	hits []hit
}

// push takes the next character, with its bytes in the text.
func (g *stream) push(r rune, from, to int) {
	at := g.n & (gramLength - 1)
	g.text[at], g.from[at] = r, from
	g.n++
	g.run++
	o := byte(r)
	if r >= utf8.RuneSelf {
		o = octet(r)
	}
	g.w = g.w<<8 | uint64(o)
	if g.x.long && g.run >= gramLength {
		if h := spread(g.w); g.x.may(h) {
			g.compare(h, gramLength, to)
		}
	}
	for _, length := range g.x.short {
		if h := hash(g.w, length); g.run >= length && g.x.may(h) {
			g.compare(h, length, to)
		}
	}
}

// compare checks whether the last characters are a gram with that hash.
func (g *stream) compare(h uint64, length, to int) {
	for _, p := range g.x.grams[h] {
		if p.length != length || !g.endsWith(g.x.patterns[p.pattern].text[p.at:p.at+length]) {
			continue
		}
		g.hits = append(g.hits, hit{p, g.n - 1, g.from[(g.n-length)&(gramLength-1)], to})
	}
}

func (g *stream) endsWith(text []rune) bool {
	for i, r := range text {
		if g.text[(g.n-len(text)+i)&(gramLength-1)] != r {
			return false
		}
	}
	return true
}

// spans joins consecutive grams of a pattern, and drops those that reveal nothing.
func (g *stream) spans() []span {
	type run struct {
		span
		hit
		telling bool
	}
	var runs []run
	var open []int // runs that may go on
	for _, h := range g.hits {
		open = slices.DeleteFunc(open, func(i int) bool { return runs[i].last < h.last-1 })
		i := slices.IndexFunc(open, func(i int) bool {
			r := runs[i].hit
			return r.pattern == h.pattern && r.last+1 == h.last && r.at+1 == h.at
		})
		if i < 0 {
			secret := g.x.patterns[h.pattern].secret
			runs = append(runs, run{span{from: h.from, to: h.to, secret: secret, length: h.length}, h, !h.common})
			open = append(open, len(runs)-1)
			continue
		}
		r := &runs[open[i]]
		r.hit = h
		r.span.to, r.span.length, r.telling = h.to, r.span.length+1, r.telling || !h.common
	}
	var out []span
	for _, r := range runs {
		if r.telling {
			r.entire = r.length == len(g.x.patterns[r.pattern].text)
			out = append(out, r.span)
		}
	}
	return out
}

// find is every part of a text to mask, in order.
func (s *Set) find(text string) []span { return merge(s.parts(text)) }

// parts are all parts of values in a text, also where several are in one place.
func (s *Set) parts(text string) []span {
	spans := s.asIs(text)
	for _, r := range escaped(text) {
		spans = append(spans, s.decoded(text, r)...)
	}
	spans = append(spans, s.hosts(text)...)
	spans = append(spans, s.packed(text)...)
	return append(spans, s.hexed(text)...)
}

// merge joins overlapping parts; the name is that of the longest one.
func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, b.length-a.length) })
	var out []span
	for _, p := range spans {
		last := len(out) - 1
		if last < 0 || p.from >= out[last].to {
			out = append(out, p)
			continue
		}
		o := &out[last]
		o.to = max(o.to, p.to)
		if p.length > o.length {
			o.secret, o.length = p.secret, p.length
		}
	}
	return out
}

// reader reads a text once for every index.
type reader struct {
	words, plain, codes stream
	blank               bool // the last word ended in white space
}

func (s *Set) reader() reader {
	return reader{words: stream{x: s.text}, plain: stream{x: s.plain}, codes: stream{x: s.code}}
}

func (d *reader) push(r rune, from, to int) {
	f := fold(r)
	if f != dropped && (f != space || !d.blank) {
		d.blank = f == space
		d.words.push(f, from, to)
	}
	if len(d.plain.x.patterns) > 0 {
		d.plain.push(f, from, to)
	}
	switch {
	case r < ' ' || r == 0x7F: // a line of base64 may break anywhere
	case d.codes.x.base64 && (r >= utf8.RuneSelf || !inBase64[r]):
		d.codes.run = 0
	default:
		d.codes.push(r, from, to)
	}
}

func (d *reader) spans() []span {
	if len(d.words.hits)+len(d.plain.hits)+len(d.codes.hits) == 0 {
		return nil
	}
	return slices.Concat(d.words.spans(), d.plain.spans(), d.codes.spans())
}

// asIs finds values that are not escaped. It skips existing masks.
func (s *Set) asIs(text string) []span {
	d := s.reader()
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if r == '<' {
			if n := s.maskAt(text[i:]); n > 0 { // a mask is no part of any value
				d.words.run, d.plain.run, d.codes.run, d.blank = 0, 0, 0, false
				i += n
				continue
			}
		}
		d.push(r, i, i+size)
		i += size
	}
	return d.spans()
}

// maskAt is the length of the mask with which a text begins, 0 if there is none.
func (s *Set) maskAt(text string) int {
	for _, m := range s.masks {
		if strings.HasPrefix(text, m) {
			return len(m)
		}
	}
	return 0
}

// decoded finds values in a part of a text after decoding its escapes, of one kind or
// several, repeatedly.
func (s *Set) decoded(text string, r region) []span {
	var out []span
	for _, syms := range views(symbols(text, r.from, r.to))[1:] {
		out = append(out, s.read(syms)...)
	}
	return out
}

func (s *Set) read(syms []sym) []span {
	d := s.reader()
	for _, c := range syms {
		d.push(c.r, int(c.from), int(c.to))
	}
	return d.spans()
}
