package main

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// does is one request of a test and what it must answer.
type does struct {
	tool   string
	params any
	want   string // the result as JSON; "!text": an error with that text; "~text": a result with that text; "": any
}

// steps runs requests in order on one page.
func steps(t *testing.T, p *pipetest.Pipe, list ...does) {
	t.Helper()
	for _, d := range list {
		r := p.Try(d.tool, d.params)
		switch text, isError := strings.CutPrefix(d.want, "!"); {
		case isError:
			if !strings.Contains(r.Error, text) {
				t.Errorf("%s %v: got %s %q, want an error with %q", d.tool, d.params, r.Result, r.Error, text)
			}
			continue
		case r.Error != "":
			t.Fatalf("%s %v: %s", d.tool, d.params, r.Error)
		}
		if part, ok := strings.CutPrefix(d.want, "~"); ok {
			if !strings.Contains(string(r.Result), part) {
				t.Errorf("%s %v: got %s, want something with %s", d.tool, d.params, r.Result, part)
			}
		} else if d.want != "" && d.want != string(r.Result) {
			t.Errorf("%s %v: got %s, want %s", d.tool, d.params, r.Result, d.want)
		}
	}
}

// list is positional params.
func list(v ...any) []any { return v }

// object is params by name.
type object map[string]any

// read decodes a result.
func read[T any](t *testing.T, raw string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}
