package script

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja"
)

// regexp turns a RegExp into Go's. RE2 lacks look-around and back-references.
// playwright-go sends the text of a pattern on to the browser, so it must mean
// the same there.
func (r *Runtime) regexp(v goja.Value) (*regexp.Regexp, bool, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "RegExp" {
		return nil, false, nil
	}
	source, all := common(o.Get("source").String()), o.Get("flags").String()
	flags := ""
	for _, f := range all {
		if strings.ContainsRune("ims", f) {
			flags += string(f)
		}
	}
	if strings.Contains(all, "u") && unicodeClass.MatchString(source) {
		return nil, true, fmt.Errorf("/%s/%s can't be used here: Unicode classes can't be handed on", o.Get("source"), all)
	}
	if flags != "" {
		source = "(?" + flags + ")" + source
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, true, fmt.Errorf("/%s/ can't be used here: %s", o.Get("source"), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, true, nil
}

// re2 tells whether a RegExp can be one of Go's.
func (r *Runtime) re2(v goja.Value) bool {
	_, ok, err := r.regexp(v)
	return ok && err == nil
}

var (
	unicodeClass = regexp.MustCompile(`\\[pP]\{`)
	escape       = regexp.MustCompile(`\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|[\s\S])|\[\^\]`)
)

// common writes what RE2 spells differently in words of both.
func common(source string) string {
	return escape.ReplaceAllStringFunc(source, func(s string) string {
		switch {
		case s == "[^]":
			return `[\s\S]`
		case s == `\/`:
			return "/"
		case !strings.HasPrefix(s, `\u`) || len(s) == 2:
			return s
		}
		var units []uint16
		for _, hex := range strings.Split(s, `\u`)[1:] {
			n, err := strconv.ParseUint(strings.Trim(hex, "{}"), 16, 32)
			if err != nil {
				return s
			}
			if n < 1<<16 { // a character, or half of a pair
				units = append(units, uint16(n))
			} else {
				units = utf16.AppendRune(units, rune(n))
			}
		}
		char := string(utf16.Decode(units))
		if char == "-" {
			return `\-`
		}
		return regexp.QuoteMeta(char)
	})
}
