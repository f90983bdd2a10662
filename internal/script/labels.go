package script

// labelNest counts what may be a label. The parser notes an error for each label
// of the same name around one, so a nest of them takes memory by the square; it
// may be in any state after an error, so those that were closed count too. What
// can't be one is left out: the keys of objects, as data has them.
type labelNest struct {
	count   int
	longest int          // of the words, in bytes
	before  [4]tokenKind // the last tokens, the latest first
}

// tokenKind is what is to be known of a token here.
type tokenKind byte

const (
	noToken tokenKind = iota // none yet
	word                     // a name, a number, a string
	keyword
	comma
	opening // ( or [
	brace   // {
	shut    // ] or }
	equal
	other
)

func kindOf(tok string) tokenKind {
	switch c := tok[0]; {
	case wordByte[c]:
		if keywords[tok] {
			return keyword
		}
		return word
	case c >= 0x80 || len(tok) > 1:
		return word
	case c == ',':
		return comma
	case c == '(' || c == '[':
		return opening
	case c == '{':
		return brace
	case c == ']' || c == '}':
		return shut
	case c == '=':
		return equal
	}
	return other
}

// see takes the next token of src, which begins at i; sure is whether all that
// stood before it were tokens.
func (n *labelNest) see(src string, i int, tok string, sure bool) {
	if tok[0] == ':' && !quoted(src, i) && !(sure && n.key()) {
		n.count++
	}
	if wordByte[tok[0]] || tok[0] >= 0x80 {
		n.longest = max(n.longest, len(tok))
	}
	n.before = [4]tokenKind{kindOf(tok), n.before[0], n.before[1], n.before[2]}
}

// key reports whether the colon at hand comes after an object's key: after a
// comma or the brace of an object that no expected brace or parenthesis could
// have been taken for.
func (n *labelNest) key() bool {
	b := n.before
	if b[0] != word {
		return b[0] != keyword && b[0] != other // ) is other
	}
	return b[1] == comma && (b[2] == word || b[2] == shut) ||
		b[1] == brace && (b[2] == opening || b[2] == comma) && b[3] != keyword && b[3] != other
}

// quoted reports whether a quote stands before i on its line, with nothing in
// between: it ends a string, or i is within one.
func quoted(src string, i int) bool {
	for i--; i >= 0 && (src[i] == ' ' || src[i] == '\t'); i-- {
	}
	return i >= 0 && (src[i] == '"' || src[i] == '\'')
}

// cost is the memory that errors of labels may take, in bytes.
func (n *labelNest) cost() int { return n.count * n.count / 2 * (150 + n.longest) }
