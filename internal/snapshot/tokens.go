package snapshot

import "unicode/utf8"

// Tokens estimates how many tokens of a large model's vocabulary a text takes.
// It is meant to be too high rather than too low: it bounds a page of a
// snapshot, and a test holds it against the real vocabulary.
func Tokens(s string) int {
	n, run, digits := 0, 0, 0
	flush := func() {
		n += (run + 3) / 4
		n += (digits + 2) / 3
		run, digits = 0, 0
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			if digits > 0 {
				flush()
			}
			run++
			i++
		case c >= '0' && c <= '9':
			if run > 0 {
				flush()
			}
			digits++
			i++
		case c < utf8.RuneSelf:
			flush()
			if c != ' ' {
				n++
			}
			i++
		default:
			flush()
			_, size := utf8.DecodeRuneInString(s[i:])
			n += size - 1
			i += size
		}
	}
	flush()
	return n
}

// Fit counts the lines from the first on that fit into a number of tokens; at
// least one.
func Fit(lines []Line, most int) int {
	used := 0
	for i, l := range lines {
		used += Tokens(l.Text) + 3
		if used > most && i > 0 {
			return i
		}
	}
	return len(lines)
}
