package pipetest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Object holds params by name, or any other JSON object.
type Object = map[string]any

// List are params by position.
func List(v ...any) []any { return v }

// Has fails for each part that a text lacks.
func Has(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}

// Lacks fails for each part that a text has.
func Lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in:\n%s", part, text)
		}
	}
}

// Decode decodes a result.
func Decode[T any](t testing.TB, raw string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// Get calls a tool and decodes its result.
func Get[T any](p *Pipe, method string, params any, more ...any) T {
	p.T.Helper()
	return Decode[T](p.T, p.Call(method, params, more...))
}

// Execute runs a script and returns its result as JSON.
func Execute(p *Pipe, code string) string {
	p.T.Helper()
	return string(Get[struct{ Result json.RawMessage }](p, "execute", Object{"code": code}).Result)
}

// Step is a request and its expected answer.
type Step struct {
	tool   string
	params any
	want   string
}

// Does is a step. Its answer is the result as JSON, "!text" for an error with that
// text, "~text" for a result with that text, or "" for any.
func Does(tool string, params any, want string) Step { return Step{tool, params, want} }

// Steps takes steps in order.
func Steps(p *Pipe, list ...Step) {
	p.T.Helper()
	for _, s := range list {
		if text, isError := strings.CutPrefix(s.want, "!"); isError {
			p.Complains(text, s.tool, s.params)
			continue
		}
		got := p.Call(s.tool, s.params)
		if part, ok := strings.CutPrefix(s.want, "~"); ok {
			if !strings.Contains(got, part) {
				p.T.Errorf("%s %s: got %s, want something with %s", s.tool, shown(s.params), got, part)
			}
		} else if s.want != "" && s.want != got {
			p.T.Errorf("%s %s: got %s, want %s", s.tool, shown(s.params), got, s.want)
		}
	}
}
