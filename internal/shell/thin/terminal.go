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

// Visible writes control characters other than line feeds and tabs as \x1b.
func Visible(p []byte) []byte {
	var b []byte
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && n == 1 {
			r = rune(p[i]) // an old terminal may take it for a character
		}
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			b = append(b, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
		} else {
			b = append(b, p[i:i+n]...)
		}
		i += n
	}
	return b
}
