package secretstest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Encodings are encodings of a value, by name.
var Encodings = map[string]func(string) string{
	"plain":         func(s string) string { return s },
	"folded":        foldSpace,
	"upper case":    strings.ToUpper,
	"lower case":    strings.ToLower,
	"fragment":      percentEncoder(" \"<>`"),
	"query":         percentEncoder(" \"#<>'"),
	"path":          percentEncoder(" \"#<>?^`{}"),
	"userinfo":      percentEncoder(" \"#<>?^`{}/:;=@[\\]|"),
	"component":     percentEncoder(" \"#<>?^`{}/:;=@[\\]|$%&+,"),
	"form":          url.QueryEscape,
	"every byte":    everyByte("%%%02X"),
	"every byte, a": everyByte("%%%02x"),
	"mixed case":    mixedCase,
	"escape()":      oldEscape,
	"html":          html.EscapeString,
	"inner html":    strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;").Replace,
	"attribute":     strings.NewReplacer("&", "&amp;", `"`, "&quot;", "\u00a0", "&nbsp;").Replace,
	"decimal":       everyRune("&#%d;"),
	"hex":           everyRune("&#x%x;"),
	"HEX":           everyRune("&#X%X;"),
	"xml":           func(s string) string { var b strings.Builder; _ = xml.EscapeText(&b, []byte(s)); return b.String() },
	"json":          func(s string) string { return inside(json.Marshal(s)) },
	"json in json":  func(s string) string { return inside(json.Marshal(inside(json.Marshal(s)))) },
	"json units":    units(`\u%04x`),
	"JSON units":    units(`\u%04X`),
	"javascript":    strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace,
	"hex escapes":   everyRune(`\u{%x}`),
	"octal":         octal,
	"go":            func(s string) string { q := strconv.Quote(s); return q[1 : len(q)-1] },
	"go ascii":      func(s string) string { q := strconv.QuoteToASCII(s); return q[1 : len(q)-1] },
	"bytes":         func(s string) string { return hex.EncodeToString([]byte(s)) },
	"BYTES":         func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"bytes apart":   func(s string) string { return fmt.Sprintf("% x", s) },
	"fingerprint":   func(s string) string { return strings.ReplaceAll(fmt.Sprintf("% X", s), " ", ":") },
	"byte list":     func(s string) string { return strings.ReplaceAll(fmt.Sprintf("% #x", s), " ", ", ") },
	"BYTE LIST":     func(s string) string { return strings.ReplaceAll(fmt.Sprintf("% #X", s), " ", ",") },
	"far bytes":     apart("0x%02x", ",\n      "),
	"byte lines":    apart("0x%02x", ",\n  "),
	"byte strings":  apart("%02x", `", "`),
	"byte table":    apart("%02x", "   |   "),
	"angled bytes":  everyByte("<%02x>"),
	"printable":     everyByte("=%02X"),
	"selectors":     func(s string) string { return strings.Join(strings.Split(s, ""), "\ufe0f") },
	"fillers":       func(s string) string { return strings.Join(strings.Split(s, ""), "\u3164\u034f") },
	"full-width":    fullWidth,
	"twice":         func(s string) string { return url.QueryEscape(html.EscapeString(s)) },
}

// percentEncoder percent-encodes the characters of a set of the URL standard, controls
// and non-ASCII. URLs lose tabs and line breaks.
func percentEncoder(set string) func(string) string {
	return func(s string) string {
		return written([]byte(oneLine.Replace(s)), func(c byte) string {
			if c < ' ' || c > '~' || strings.IndexByte(set, c) >= 0 {
				return fmt.Sprintf("%%%02X", c)
			}
			return string(rune(c))
		})
	}
}

// oneLine drops tabs and line breaks.
var oneLine = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// written writes the parts of a value one by one.
func written[T any](parts []T, write func(T) string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(write(p))
	}
	return b.String()
}

// in is a format as a function.
func in[T any](format string) func(T) string {
	return func(part T) string { return fmt.Sprintf(format, part) }
}

// foldSpace makes every run of white space one.
func foldSpace(s string) string { return reSpace.ReplaceAllString(s, " ") }

func everyByte(format string) func(string) string {
	return func(s string) string { return written([]byte(s), in[byte](format)) }
}

func apart(format, between string) func(string) string {
	return func(s string) string {
		return strings.TrimSuffix(everyByte(format+between)(s), between)
	}
}

func everyRune(format string) func(string) string {
	return func(s string) string { return written([]rune(s), in[rune](format)) }
}

// octal writes ASCII characters in octal digits, and keeps the rest.
func octal(s string) string {
	return written([]rune(s), func(r rune) string {
		if r < 0x80 {
			return fmt.Sprintf(`\%03o`, r)
		}
		return string(r)
	})
}

func units(format string) func(string) string {
	return func(s string) string { return written(utf16.Encode([]rune(s)), in[uint16](format)) }
}

// mixedCase is component with digits in both cases.
func mixedCase(s string) string {
	var b strings.Builder
	for i, c := range []byte(s) {
		switch {
		case c > ' ' && c <= '~' && strings.IndexByte(`%&"<>'`, c) < 0:
			b.WriteByte(c)
		case i%2 == 0:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

// oldEscape is JavaScript's escape.
func oldEscape(s string) string {
	return written(utf16.Encode([]rune(s)), func(u uint16) string {
		switch {
		case u > 255:
			return fmt.Sprintf("%%u%04X", u)
		case u < 128 && (u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u >= 'a' && u <= 'z' || strings.ContainsRune("@*_+-./", rune(u))):
			return string(rune(u))
		}
		return fmt.Sprintf("%%%02X", u)
	})
}

func fullWidth(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '\u3000'
		case r > ' ' && r <= '~':
			return r - '!' + '\uFF01'
		}
		return r
	}, s)
}

// inside is a JSON string without its quotes.
func inside(raw []byte, err error) string {
	if err != nil {
		return ""
	}
	return string(raw[1 : len(raw)-1])
}

// Base64 are the parts of a value's base64 that do not depend on its surroundings.
func Base64(s string) []string {
	var all []string
	for shift := range 3 {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			text := enc.EncodeToString([]byte(strings.Repeat("x", shift) + s))
			from, to := (shift*8+5)/6, (shift+len(s))*8/6
			all = append(all, text[from:to])
		}
	}
	return all
}
