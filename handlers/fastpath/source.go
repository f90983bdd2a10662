package fastpath

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// sources are the injected scripts of the drivers in use, by their folder.
var sources sync.Map

// injectedScript is the script that the driver evaluates in each document, with its
// selector engines. "" if it can't be read.
func injectedScript(driver string) string {
	if text, ok := sources.Load(driver); ok {
		return text.(string)
	}
	text, _ := os.ReadFile(filepath.Join(driver, "package", "lib", "coreBundle.js"))
	_, rest, _ := strings.Cut(string(text), "// packages/playwright-core/src/generated/injectedScriptSource.ts\n")
	source := literalIn(rest)
	sources.Store(driver, source)
	return source
}

// reSource begins the text that a generated module contains. Several modules have one,
// so the bundle numbers them.
var reSource = regexp.MustCompile(`\bsource\d* = '`)

// literalIn is the text in the variable source of a generated module, "" if there is
// none.
func literalIn(module string) string {
	at := reSource.FindStringIndex(module)
	if at == nil {
		return ""
	}
	rest := module[at[1]:]
	var b strings.Builder
	for i := 0; i < len(rest) && rest[i] != '\n'; i++ {
		switch c := rest[i]; c {
		case '\'':
			return b.String()
		case '\\':
			i++
			n := escape(&b, rest[i:])
			if n == 0 {
				return ""
			}
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return ""
}

// escape writes the character of a JavaScript escape, and answers its length; 0 for an
// unknown one.
func escape(b *strings.Builder, s string) int {
	if s == "" {
		return 0
	}
	if at := strings.IndexByte("ntrbfv0", s[0]); at >= 0 {
		b.WriteByte("\n\t\r\b\f\v\x00"[at])
		return 1
	}
	digits := map[byte]int{'x': 2, 'u': 4}[s[0]]
	if digits == 0 {
		b.WriteByte(s[0])
		return 1
	}
	if len(s) <= digits {
		return 0
	}
	char, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil {
		return 0
	}
	b.WriteRune(rune(char))
	return 1 + digits
}
