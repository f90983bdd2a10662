package commandline

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

type params struct {
	Sel   string            `json:"sel" doc:"a selector"`
	Val   json.RawMessage   `json:"val" doc:"any value"`
	Full  bool              `json:"fullPage,omitempty" doc:"whole"`
	Times *int              `json:"times,omitempty" doc:"how often"`
	Tags  []string          `json:"tags,omitempty" doc:"texts"`
	Extra map[string]string `json:"extra,omitempty" doc:"more"`
	Files json.RawMessage   `json:"files,omitempty" file:"yes" doc:"files"`
}

var tool = provider.Define(provider.Spec{Name: "try", Title: "Try", Doc: "Try it", Profile: "core", Timeout: time.Second},
	func(context.Context, params) (provider.None, error) { return provider.None{}, nil })

// TestRequest: a command line becomes parameters, or one clear error.
func TestRequest(t *testing.T) {
	for line, want := range map[string]string{
		"try|a|b":                         `{"sel":"a","val":"b"}`,
		"try|--val|b|a":                   `{"val":"b","sel":"a"}`,
		"try|a|{\"x\":1}":                 `{"sel":"a","val":{"x":1}}`,
		"try|a|{x":                        `{"sel":"a","val":"{x"}`,
		"try|a|5|--times|3":               `{"times":3,"sel":"a","val":"5"}`,
		"try|a|-5|--times=-3":             `{"times":-3,"sel":"a","val":"-5"}`,
		"try|a|b|--full-page":             `{"fullPage":true,"sel":"a","val":"b"}`,
		"try|a|b|--no-fullPage":           `{"fullPage":false,"sel":"a","val":"b"}`,
		"try|a|b|--tags|x|--tags|[\"y\"]": `{"tags":["x","y"],"sel":"a","val":"b"}`,
		"try|a|b|--extra|{\"k\":\"v\"}":   `{"extra":{"k":"v"},"sel":"a","val":"b"}`,
		"try|a|b|--files|x|--files|/y":    `{"files":["/d/x","/y"],"sel":"a","val":"b"}`,
		"try|a|b|--files|[\"x\"]":         `{"files":["/d/x"],"sel":"a","val":"b"}`,
		"try|--page|p2|a|b|--timeout|5":   `{"page":"p2","timeout":5,"sel":"a","val":"b"}`,
		"try|a|b|--outline|diff":          `{"outline":"diff","sel":"a","val":"b"}`,
		"try|--|--val|-s":                 `{"sel":"--val","val":"-s"}`,
		"-s|n|try|--json|a|-q|b":          `{"sel":"a","val":"b"}`,
		"try":                             "sel is missing",
		"try|a":                           "val is missing",
		"try|a|b|--sel|c":                 "fullPage: expected true or false",
		"try|--sel|c|--sel|d|b":           "--sel is given twice",
		"try|a|b|--times|x":               "times: expected a number",
		"try|a|b|--extra|[]":              "extra: expected an object",
		"try|a|b|--fullPage=yes":          "expected true or false",
		"try|a|b|--no-fullPage=true":      "takes no value",
		"try|a|b|--fulPage":               "did you mean",
		"try|a|b|--times":                 "--times needs a value",
		"try|a|b|-x":                      "unknown option -x",
		"try|a|b|-f":                      "did you mean --full-page or --files?",
		"try|a|-0":                        `{"sel":"a","val":"-0"}`,
		"try|a|-.5":                       `{"sel":"a","val":"-.5"}`,
		"try|a|b|--timeout|soon":          "timeout: expected a number",
		"try|a|b|-s":                      "-s needs a value",
		"try|a|b|--output|yaml":           "expected text or json",
	} {
		l, err := Split(strings.Split(line, "|"), nil, Options{})
		var got string
		if err == nil {
			var r provider.Request
			r, err = l.Request(tool, "/d")
			got = string(r.Params)
			if split := string(rawjson.Join(r.Members())); err == nil && split != got {
				t.Errorf("%s: the request has the members %s", line, split) // they would be split once more
			}
		}
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	l, err := Split([]string{"try", "-s", "--json"}, []int{1, 2}, Options{Session: "x"})
	if err != nil || l.Session != "x" || l.Output != "" || strings.Join(l.Words(), " ") != "-s --json" {
		t.Errorf("values that look like options: %+v, %v", l, err)
	}
}

// An option with a value is taken out of the words, in both spellings, and not out of what
// stands behind --.
func TestTakeValue(t *testing.T) {
	for _, c := range []struct{ line, value, rest string }{
		{"open --state shop /form", "shop", "/form"}, {"open /form --state=shop", "shop", "/form"},
		{"open /form", "", "/form"}, {"open -- --state shop", "", "--state shop"},
	} {
		l, err := Split(strings.Fields(c.line), nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		value, err := l.TakeValue("--state")
		if rest := strings.Join(l.Words(), " "); err != nil || value != c.value || rest != c.rest {
			t.Errorf("%s: %q, %q, %v", c.line, value, rest, err)
		}
	}
	for _, line := range []string{"open --state", "open --state="} {
		l, _ := Split(strings.Fields(line), nil, Options{})
		if _, err := l.TakeValue("--state"); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
}
