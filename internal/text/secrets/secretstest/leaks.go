// Package secretstest looks for what is left of secrets in a text, for tests. It does
// not use the code that masks: it writes every eight characters of a value in each of
// the encodings and searches for them.
package secretstest

import (
	"fmt"
	"index/suffixarray"
	"regexp"
	"strings"
	"sync"
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

// run is the number of consecutive characters of a value that may not occur.
const run = 8

// shortest is the least length of a value that can be told from other text.
const shortest = 4

var reSpace = regexp.MustCompile(`[\s\p{Z}]+`)

// windows are every run of a value; all of a shorter value.
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

// needles are made once for each value, while there are few.
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

// Leak describes what is left of some values in a text, "" if nothing is: which value,
// in which encoding, and where.
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
				around := text[max(0, at-60):min(len(text), at+len(n.text)+60)]
				return fmt.Sprintf("%.12q… as %s: %q in …%s…", v, n.encoding, n.text, around)
			}
		}
	}
	return ""
}

// encodable is the value from which windows are taken: an encoding that drops
// characters would make them too short.
func encodable(name, v string) string {
	switch name {
	case "folded":
		return foldSpace(v)
	case "fragment", "query", "path", "userinfo", "component":
		return oneLine.Replace(v)
	}
	return v
}
