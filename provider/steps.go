package provider

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"pwpipe/provider/internal/rawjson"
)

// steps reads the steps of a batch: an array of steps, or a text with a step a
// line.
func (t *Table) steps(raw json.RawMessage) ([]Request, error) {
	var list []Request
	var text string
	switch {
	case rawjson.TypeOf(raw) == "a string" && json.Unmarshal(raw, &text) == nil:
		for n, line := range strings.Split(text, "\n") {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			r, err := t.ParseLine(line)
			if err != nil {
				return nil, Errorf(KindArgs, "steps: line %d: %w", n+1, err)
			}
			list = append(list, r)
		}
	case rawjson.TypeOf(raw) == "an array":
		all, _ := rawjson.SplitArray(raw)
		for i, s := range all {
			r, err := t.step(s)
			if err != nil {
				return nil, Errorf(KindArgs, "steps[%d]: %w", i, err)
			}
			list = append(list, r)
		}
	default:
		return nil, Errorf(KindArgs, "steps: expected an array or a text, got %s", rawjson.TypeOf(raw))
	}
	switch {
	case len(list) == 0:
		return nil, Errorf(KindArgs, "steps: there are none")
	case len(list) > maxSteps:
		return nil, Errorf(KindLimit, "steps: %d are more than %d", len(list), maxSteps)
	}
	for i, r := range list {
		tool := t.byName[r.Tool]
		if tool == nil {
			return nil, Errorf(KindArgs, "steps: step %d: there is no tool %q", i+1, r.Tool).WithHint("%s", t.unknown(r.Tool).Hint)
		}
		if tool.Steps {
			return nil, Errorf(KindArgs, "steps: step %d: a batch can't hold another", i+1)
		}
	}
	return list, nil
}

// step reads one step: ["tool", param, …], or an object like a request.
func (t *Table) step(raw json.RawMessage) (r Request, err error) {
	if rawjson.TypeOf(raw) == "an array" {
		list, err := rawjson.SplitArray(raw)
		if err != nil || len(list) == 0 || json.Unmarshal(list[0], &r.Tool) != nil || r.Tool == "" {
			return r, Errorf(KindArgs, "expected [\"tool\", param, …]")
		}
		if len(list) > 1 {
			// One object after the name is the parameters by name, unless the
			// tool's first parameter is an object itself.
			if len(list) == 2 && rawjson.TypeOf(list[1]) == "an object" && !t.takesObject(r.Tool, list[1]) {
				r.Params = list[1]
			} else {
				r.Params = rawjson.Encode(list[1:])
			}
		}
		return r, nil
	}
	if rawjson.TypeOf(raw) != "an object" {
		return r, Errorf(KindArgs, "expected an array or an object, got %s", rawjson.TypeOf(raw))
	}
	if raw, err = methodNamed(raw); err != nil {
		return r, err
	}
	m := t.Parse(raw)
	if m.Err != nil {
		return r, Errorf(KindArgs, "%s", strings.TrimPrefix(m.Err.Msg, "invalid request: "))
	}
	return m.Request, nil
}

// methodNamed writes a step that names its tool "tool", as what became of it
// does, like a request.
func methodNamed(raw json.RawMessage) (json.RawMessage, error) {
	o, err := rawjson.Split(raw)
	if err != nil || o.Get("tool") == nil {
		return raw, err
	}
	if o.Get("method") != nil {
		return nil, Errorf(KindArgs, "tool and method are the same: give one of them")
	}
	for i := range o {
		if o[i].Key == "tool" {
			o[i].Key = "method"
		}
	}
	return rawjson.Join(o), nil
}

// takesObject reports whether an object can only be meant as the tool's first
// parameter: it has a key that is no parameter's name.
func (t *Table) takesObject(name string, raw json.RawMessage) bool {
	tool := t.byName[name]
	o, err := rawjson.Split(raw)
	if tool == nil || err != nil || len(tool.Params) == 0 {
		return false
	}
	for _, m := range o {
		if !tool.Has(m.Key) && !isEnvelope(m.Key) {
			return true
		}
	}
	return false
}

// ParseLine reads a step written as a line: the tool, then its parameters in
// order. 'a b' and "a b" are one word; in the latter \ escapes. A line that is
// a JSON array or object is a step as in an array of steps.
func (t *Table) ParseLine(line string) (Request, error) {
	if line[0] == '[' || line[0] == '{' {
		if err := rawjson.Check([]byte(line)); err != nil {
			return Request{}, Errorf(KindArgs, "not JSON: %w", err)
		}
		return t.step(json.RawMessage(line))
	}
	words, err := splitWords(line)
	if err != nil {
		return Request{}, err
	}
	r := Request{Tool: words[0].text}
	tool := t.byName[r.Tool]
	if tool == nil {
		return r, Errorf(KindArgs, "there is no tool %q", r.Tool).WithHint("%s", t.unknown(r.Tool).Hint)
	}
	if len(words)-1 > len(tool.Params) {
		return r, Errorf(KindArgs, "%s takes at most %d words after it, got %d; put quotes around what belongs together",
			r.Tool, len(tool.Params), len(words)-1)
	}
	params := []json.RawMessage{}
	for i, w := range words[1:] {
		params = append(params, tool.Params[i].fromWord(w))
	}
	r.Params = rawjson.Encode(params)
	return r, nil
}

// word is one word of a line; what was quoted is text whatever it looks like.
type word struct {
	text   string
	quoted bool
}

// fromWord is a word as the JSON that a parameter expects. What does not fit is
// left as text, for the decoder to refuse by name.
func (p Param) fromWord(w word) json.RawMessage {
	if !w.quoted && reWhole.MatchString(w.text) {
		return rawjson.Encode(w.text) // a reference, replaced later
	}
	if typeName(p.typ) == "a string" || w.quoted || !json.Valid([]byte(w.text)) {
		return rawjson.Encode(w.text)
	}
	return json.RawMessage(w.text)
}

// splitWords splits a line at white space outside quotes.
func splitWords(line string) ([]word, error) {
	var words []word
	var b strings.Builder
	var quote rune
	in, quoted, escaped := false, false, false
	for _, c := range line {
		switch {
		case escaped:
			b.WriteRune(unescape(c))
			escaped = false
		case c == '\\' && quote == '"':
			escaped = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(c)
		case (c == '"' || c == '\'') && !in: // elsewhere a quote is part of a selector
			quote, in, quoted = c, true, true
		case c == ' ' || c == '\t' || c == '\r':
			if in {
				words = append(words, word{b.String(), quoted})
				b.Reset()
			}
			in, quoted = false, false
		default:
			b.WriteRune(c)
			in = true
		}
	}
	if quote != 0 || escaped {
		return nil, Errorf(KindArgs, "a quote is not closed: %s", line)
	}
	if in {
		words = append(words, word{b.String(), quoted})
	}
	return words, nil
}

func unescape(c rune) rune {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	return c
}

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
