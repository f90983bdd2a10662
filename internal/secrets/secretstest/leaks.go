// Package secretstest looks for what is left of secrets in a text, for tests.
// It knows nothing of how they are masked: it writes every eight characters of
// a value in each of the encodings and looks whether that is there.
package secretstest

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"index/suffixarray"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

// Odd are values of every kind that is hard to find again, by name.
var Odd = map[string]string{
	"QUOTES":  `p&ss "w<rd>'\ é+/%`,
	"EIGHT":   "q7#Z k&9",
	"SPACES":  "two  spaces and\u00a0no-break   three",
	"LINES":   "line one\nand line two\r\nand\tthree",
	"ESCAPES": `a%41b%20c&amp;d\n\u0041\\e{{X}}`,
	"UNICODE": "Straße № 7 日本語の合言葉 🔑🗝️ Ωmega",
	"TOKEN":   "ghx_R8fK2mQz7LwPn4Vb9TcYs1Ud6Xe3Ha0Jg5",
	"LONG":    strings.Repeat("Jw4%x&é ", 25),
	"HOST":    "s3cr3t-tenant-name",
	"IDN":     "geheimer-mieter-münchen",
	"BRACES":  "{{not a name}} but <a> value",
	"PLUSES":  "1+1=2 and 2+2=4 or 5%",
	"BACKED":  `C:\new\table\x41\101\u0041`,
	"CSS":     `9 lives #id.class[a="b"]`,
	"ZERO":    "zero\u200bwidth\u00adsoft\u2060joined",
	"NUMBER":  "4111111111111234",
	"PIN":     "4711",
	"LONGER":  "4711-4711",
}

// run is how many characters of a value may not stand in a row.
const run = 8

// shortest is what a value must have for it to be told from other text.
const shortest = 4

// Encodings are ways in which a value is written, by name.
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
	"octal":         everyASCII(`\%03o`),
	"go":            func(s string) string { q := strconv.Quote(s); return q[1 : len(q)-1] },
	"go ascii":      func(s string) string { q := strconv.QuoteToASCII(s); return q[1 : len(q)-1] },
	"twice":         func(s string) string { return url.QueryEscape(html.EscapeString(s)) },
}

// percentEncoder percent-encodes the characters of a set of the URL standard,
// controls and what is beyond ASCII. URLs lose tabs and line breaks.
func percentEncoder(set string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, c := range []byte(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)) {
			if c < ' ' || c > '~' || strings.IndexByte(set, c) >= 0 {
				fmt.Fprintf(&b, "%%%02X", c)
			} else {
				b.WriteByte(c)
			}
		}
		return b.String()
	}
}

// foldSpace makes every run of white space one.
func foldSpace(s string) string { return reSpace.ReplaceAllString(s, " ") }

var reSpace = regexp.MustCompile(`[\s\p{Z}]+`)

func everyByte(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

func everyRune(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, r := range s {
			fmt.Fprintf(&b, format, r)
		}
		return b.String()
	}
}

// everyASCII writes what is ASCII in a format, and leaves the rest.
func everyASCII(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, r := range s {
			if r < 0x80 {
				fmt.Fprintf(&b, format, r)
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
}

func units(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(s)) {
			fmt.Fprintf(&b, format, u)
		}
		return b.String()
	}
}

// mixedCase is component with digits of either case.
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
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		switch {
		case u > 255:
			fmt.Fprintf(&b, "%%u%04X", u)
		case u < 128 && (u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u >= 'a' && u <= 'z' || strings.ContainsRune("@*_+-./", rune(u))):
			b.WriteByte(byte(u))
		default:
			fmt.Fprintf(&b, "%%%02X", u)
		}
	}
	return b.String()
}

// inside is a JSON string without its quotes.
func inside(raw []byte, err error) string {
	if err != nil {
		return ""
	}
	return string(raw[1 : len(raw)-1])
}

// Base64 are what base64 has of a value wherever it stands: without what comes
// before and after it.
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

// windows are every run of a value; all of it where it is shorter.
func windows(value string) []string {
	r := []rune(value)
	if len(r) <= run {
		return []string{value}
	}
	var all []string
	for i := 0; i+run <= len(r); i++ {
		all = append(all, string(r[i:i+run]))
	}
	return all
}

// needle is a run of a value in an encoding.
type needle struct{ encoding, text string }

// needles are made once a value, for as long as these are few.
var needles = struct {
	sync.Mutex
	of map[string][]needle
}{of: map[string][]needle{}}

func needlesOf(v string) []needle {
	needles.Lock()
	defer needles.Unlock()
	if list, ok := needles.of[v]; ok {
		return list
	}
	if len(needles.of) > 100 {
		clear(needles.of)
	}
	seen := map[string]bool{"": true}
	var list []needle
	add := func(encoding, text string) {
		if !seen[text] && strings.TrimSpace(text) != "" {
			seen[text] = true
			list = append(list, needle{encoding, text})
		}
	}
	for name, encode := range Encodings {
		form := encodable(name, v)
		if len([]rune(form)) < shortest && form != v {
			continue
		}
		for _, w := range windows(form) {
			if strings.TrimSpace(w) != "" {
				add(name, encode(w))
			}
		}
	}
	for _, w := range windows(v) {
		for _, core := range Base64(w) {
			if len(core) >= run {
				add("base64", core)
			}
		}
	}
	needles.of[v] = list
	return list
}

// Leak is what is left of some values in a text, "" if nothing is: which one,
// how it is written, and where.
func Leak(text string, values ...string) string {
	find := func(s string) int { return strings.Index(text, s) }
	if len(text) > 4096 {
		whole := suffixarray.New([]byte(text))
		find = func(s string) int {
			if at := whole.Lookup([]byte(s), 1); len(at) > 0 {
				return at[0]
			}
			return -1
		}
	}
	for _, v := range values {
		for _, n := range needlesOf(v) {
			if at := find(n.text); at >= 0 {
				return found(text, v, n.encoding, n.text, at)
			}
		}
	}
	return ""
}

// encodable is the value of which windows are taken: for encodings that drop
// characters they would otherwise be shorter than a run.
func encodable(name, v string) string {
	switch name {
	case "folded":
		return foldSpace(v)
	case "fragment", "query", "path", "userinfo", "component":
		return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(v)
	}
	return v
}

func found(text, value, name, what string, at int) string {
	return fmt.Sprintf("%.12q… as %s: %q in …%s…", value, name, what, text[max(0, at-60):min(len(text), at+len(what)+60)])
}
