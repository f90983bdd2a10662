package provider

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"pwpipe/provider/internal/rawjson"
)

var (
	reWhole  = regexp.MustCompile(`^\$(\d+)((?:\.[\w-]+)*)$`)
	reInside = regexp.MustCompile(`\$\$[\d{]|\$\{(\d+)((?:\.[\w-]+)*)\}`)
)

// refer puts earlier results in the place of references, anywhere in params.
func refer(raw json.RawMessage, done []Outcome) (json.RawMessage, error) {
	if !strings.Contains(string(raw), "$") {
		return raw, nil
	}
	switch rawjson.TypeOf(raw) {
	case "an array":
		list, err := rawjson.SplitArray(raw)
		for i := range list {
			if list[i], err = refer(list[i], done); err != nil {
				return nil, err
			}
		}
		return rawjson.Encode(list), err
	case "an object":
		o, err := rawjson.Split(raw)
		for i := range o {
			if o[i].Value, err = refer(o[i].Value, done); err != nil {
				return nil, err
			}
		}
		return rawjson.Join(o), err
	case "a string":
		return referText(raw, done)
	}
	return raw, nil
}

// referText replaces a text that is a reference by the value itself, and
// references inside a text by the value's text.
func referText(raw json.RawMessage, done []Outcome) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if m := reWhole.FindStringSubmatch(s); m != nil {
		return lookUp(m[1], m[2], done)
	}
	var failed error
	s = reInside.ReplaceAllStringFunc(s, func(ref string) string {
		if ref[1] == '$' {
			return ref[1:]
		}
		m := reInside.FindStringSubmatch(ref)
		v, err := lookUp(m[1], m[2], done)
		if err != nil {
			failed = err
		}
		var text string
		if json.Unmarshal(v, &text) == nil {
			return text
		}
		return string(v)
	})
	return rawjson.Encode(s), failed
}

// lookUp finds the result of a step, or a part of it: ".title", ".0.url".
func lookUp(number, path string, done []Outcome) (json.RawMessage, error) {
	ref := "$" + number + path
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || n < 1 || n > len(done):
		return nil, Errorf(KindArgs, "%s: only the %d steps before this one have results; write $$ for $ where a digit or { follows", ref, len(done))
	case done[n-1].Error != "":
		return nil, Errorf(KindFailed, "%s: step %d failed", ref, n)
	}
	v := done[n-1].Result
	for _, key := range strings.Split(path, ".")[1:] {
		next := json.RawMessage(nil)
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && rawjson.TypeOf(v) == "an array" {
			if list, err := rawjson.SplitArray(v); err == nil && i < len(list) {
				next = list[i]
			}
		} else if rawjson.TypeOf(v) == "an object" {
			if o, err := rawjson.Split(v); err == nil {
				next = o.Get(key)
			}
		}
		if next == nil {
			return nil, Errorf(KindArgs, "%s: the result of step %d has no %s", ref, n, strings.TrimPrefix(path, "."))
		}
		v = next
	}
	return v, nil
}
