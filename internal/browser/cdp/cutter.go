package cdp

import "bytes"

// cutter copies JSON and cuts its texts, in pieces as they come.
type cutter struct {
	most int            // bytes of a text
	all  int            // bytes of all texts together, 0 for no bound: then only short ones stay
	of   map[string]int // bytes of the texts of some members, cut without a mark

	in, escaped, cutting bool
	marked               bool   // the current text gets a mark if it is cut
	bound                int    // bytes of it
	sum                  int    // bytes of the texts before it
	hex, n               int    // of \u0000 still to come; bytes of the text
	word                 []byte // the beginning of the last text
	key                  string // the member of the current text, "" for none
}

// maxOfKey is longer than the name of any member above.
const maxOfKey = 16

// add appends what remains of a piece.
func (c *cutter) add(to, piece []byte) []byte {
	for i := 0; i < len(piece); {
		if c.in && !c.escaped && c.hex == 0 {
			plain := bytes.IndexAny(piece[i:], `"\`)
			if plain < 0 {
				plain = len(piece) - i
			}
			if plain > 0 {
				to = c.text(to, piece[i:i+plain])
				i += plain
				continue
			}
		}
		b := piece[i]
		i++
		switch {
		case !c.in:
			c.outside(b)
			to = append(to, b)
			continue
		case c.escaped:
			if c.escaped = false; b == 'u' {
				c.hex = 4
			}
		case c.hex > 0:
			c.hex--
		case b == '"':
			if c.cutting && c.marked {
				to = append(to, "…"...)
			}
			c.in, c.key, c.sum = false, "", c.sum+min(c.n, c.bound)
			to = append(to, b)
			continue
		default: // a \: an escape begins
			c.cutting = c.cutting || c.n >= c.bound
			c.escaped = true
		}
		if c.n++; !c.cutting {
			to = append(to, b)
		}
	}
	return to
}

// outside continues outside of texts.
func (c *cutter) outside(b byte) {
	switch b {
	case '"':
		c.in, c.cutting, c.n, c.word = true, false, 0, c.word[:0]
		c.bound, c.marked = c.boundOf(c.key)
	case ':':
		c.key = string(c.word)
	case ',', '{', '[':
		c.key = ""
	}
}

// boundOf is how many bytes a member's text may have, and whether a cut is marked.
func (c *cutter) boundOf(key string) (bytes int, marked bool) {
	if bound, ok := c.of[key]; ok {
		return bound, false
	}
	if c.all > 0 && c.sum > c.all {
		return min(c.most, shortText), true
	}
	return c.most, true
}

// text appends a part of a text without escapes.
func (c *cutter) text(to, part []byte) []byte {
	c.word = append(c.word, part[:min(len(part), maxOfKey-min(maxOfKey, len(c.word)))]...)
	end := len(part)
	switch {
	case c.cutting:
		end = 0
	case c.n+end > c.bound:
		// A character that has begun is completed.
		for end = max(0, c.bound-c.n); end < len(part) && part[end]&0xC0 == 0x80; end++ {
		}
		c.cutting = end < len(part)
	}
	c.n += len(part)
	return append(to, part[:end]...)
}
