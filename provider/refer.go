package provider

import (
	"bytes"
	"context"
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

// maxReferred bounds the bytes that references put into one step: each may stand for a
// result of any length, and a step may have many.
const maxReferred = 32 << 20

// asWritten is a step as its client wrote it, with the results that it may take.
type asWritten struct {
	ctx    context.Context
	params json.RawMessage
	done   []Outcome
}

// references replaces references in a step by earlier results.
type references struct {
	ctx  context.Context // the batch's: its deadline ends this too
	done []Outcome
	room int                               // bytes that may still be inserted
	own  func(text string) (string, error) // maps what the client wrote around them, nil for nothing
}

// refer replaces references anywhere in params by earlier results.
func refer(ctx context.Context, params json.RawMessage, done []Outcome) (made json.RawMessage, err error) {
	if !bytes.Contains(params, []byte("$")) {
		return params, nil
	}
	return insert(ctx, params, done, nil)
}

// insert is refer, and maps the text around the references.
func insert(
	ctx context.Context, params json.RawMessage, done []Outcome, own func(string) (string, error),
) (made json.RawMessage, err error) {
	r := &references{ctx, done, maxReferred, own}
	made = mapJSON(params, &shape{}, jsonMap{value: func(raw json.RawMessage) json.RawMessage {
		if err == nil && (own != nil || bytes.IndexByte(raw, '$') >= 0) {
			raw, err = r.inText(raw)
		}
		return raw
	}})
	return made, err
}

// inText replaces a text that is only a reference by the value itself, and references
// inside a text by the value's text.
func (r *references) inText(raw json.RawMessage) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if m := reWhole.FindStringSubmatch(s); m != nil {
		return r.value(m[1], m[2])
	}
	var out strings.Builder
	at := 0
	for _, m := range reInside.FindAllStringSubmatchIndex(s, -1) {
		if err := r.keep(&out, s[at:m[0]]); err != nil {
			return nil, err
		}
		at = m[1]
		if s[m[0]+1] == '$' {
			out.WriteString(s[m[0]+1 : m[1]])
			continue
		}
		v, err := r.value(s[m[2]:m[3]], s[m[4]:m[5]])
		if err != nil {
			return nil, err
		}
		var text string
		if json.Unmarshal(v, &text) != nil {
			text = string(v)
		}
		out.WriteString(text)
	}
	if err := r.keep(&out, s[at:]); err != nil {
		return nil, err
	}
	return rawjson.Encode(out.String()), nil
}

// keep writes what the client wrote beside references.
func (r *references) keep(out *strings.Builder, text string) (err error) {
	if r.own != nil && text != "" {
		text, err = r.own(text)
	}
	out.WriteString(text)
	return err
}

// value is the value of a reference, if there is room for it.
func (r *references) value(number, path string) (json.RawMessage, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	v, err := lookUp(number, path, r.done)
	if err != nil {
		return nil, err
	}
	if r.room -= len(v); r.room < 0 {
		return nil, Errorf(KindLimit, "$%s%s: the results that the step refers to are over %d MiB", number, path, maxReferred>>20)
	}
	return v, nil
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
