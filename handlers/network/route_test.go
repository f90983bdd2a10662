package network

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRouteHandlers: what describes a reply is checked; any other JSON is the reply's body. TestConditions of tests/eachtool
// has what routes do.
func TestRouteHandlers(t *testing.T) {
	for handler, want := range map[string]string{
		`{"status":99}`:  "status: expected 100 to 599, got 99",
		`{"status":600}`: "status: expected 100 to 599, got 600",
		`{"status":100}`: "", `{"status":599}`: "", `{"times":1,"delay":0}`: "", `"{\"status\":100}"`: "",
		`{"status":"x"}`:                         "status: expected a whole number, got a string",
		`{"times":0}`:                            "times: expected at least 1, got 0",
		`{"delay":-1}`:                           "delay: expected milliseconds, got -1",
		`{"body":"a","json":1}`:                  "give one of body and json, not both",
		`{"path":"none"}`:                        "path: no file none",
		`{"path":"."}`:                           "path: no file .",
		`{"abort":"nope"}`:                       "abort: expected true or one of aborted, ",
		`{"abort":"timedout"}`:                   "",
		`{"request":{},"times":2,"delay":5}`:     "",
		`{"request":{},"status":200}`:            "request: it goes on, so leave out status",
		`"{not"`:                                 "not JSON: {not",
		`{"status":99,"other":1}`:                "", // a body
		`[{"status":99}]`:                        "",
		`{"headers":{"a":1}}`:                    "headers: expected a string, got a number",
		`{"abort":false,"fallback":"x"}`:         "fallback: expected true or false, got a string",
		`{"request":{"headers":{},"remove":[]}}`: "",
	} {
		r, err := parseRoute(json.RawMessage(handler), func(s string, _ int) string { return s })
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), "handler: "+want)) {
			t.Errorf("%s: %v, want %q", handler, err, want)
		}
		if isBody := strings.Contains(handler, "other") || handler[0] == '['; err == nil && isBody != (string(r.JSON) == handler) {
			t.Errorf("%s: the body is %q", handler, r.JSON)
		}
	}
}
