package thin

import (
	"io"
	"os"
	"unicode/utf8"
)

// ForTerminal is w with what could steer a terminal made visible, where w is one. What a
// page says must not move the cursor, or write to the clipboard.
func ForTerminal(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok {
		return w
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return w
	}
	return tame{w}
}

type tame struct{ io.Writer }

func (t tame) Write(p []byte) (int, error) {
	if _, err := t.Writer.Write(Visible(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Visible writes control characters other than line feeds and tabs as \x1b, and what turns the
// direction of the text around it as \u202e: a line could look like another.
func Visible(p []byte) []byte {
	var b []byte
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && n == 1 {
			r = rune(p[i]) // an old terminal may take it for a character
		}
		switch {
		case r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0:
			b = append(b, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
		case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			b = append(b, '\\', 'u', '2', '0', hexDigits[r>>4&15], hexDigits[r&15])
		default:
			b = append(b, p[i:i+n]...)
		}
		i += n
	}
	return b
}
