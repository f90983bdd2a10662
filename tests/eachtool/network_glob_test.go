package eachtool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHostileGlobs: a glob that takes a backtracking matcher for ever blocks nobody,
// wherever globs are accepted, and still matches.
func TestHostileGlobs(t *testing.T) {
	pipetest.InCI(t, "it is long, and the tests of internal/policy/urlglob are quick")
	t.Parallel()
	deep := "/deep" + strings.Repeat("/x", 60)
	wide := "/wide/" + strings.Repeat("a", 60)
	stars := strings.Repeat("**/", 14) + "*/**/*/**/zz"
	braces := "**/wide/" + strings.Repeat("{a,aa,*}", 40) + "zz"
	for _, use := range pipetest.Sample([]struct {
		tool   string
		params func(glob, har string) pipetest.Object
	}{
		{"route", func(g, _ string) pipetest.Object {
			return pipetest.Object{"pattern": g, "handler": pipetest.Object{"body": "x"}}
		}},
		{"ws-mock", func(g, _ string) pipetest.Object { return pipetest.Object{"pattern": g} }},
		{"har-record", func(g, har string) pipetest.Object { return pipetest.Object{"path": har, "url": g} }},
		{"har-replay", func(g, har string) pipetest.Object {
			return pipetest.Object{"path": har, "url": g, "missing": "fallback"}
		}},
		{"requests", func(g, _ string) pipetest.Object { return pipetest.Object{"url": g} }},
		{"wait-request", func(g, _ string) pipetest.Object { return pipetest.Object{"url": g} }},
		{"wait-response", func(g, _ string) pipetest.Object { return pipetest.Object{"url": g} }},
	}, 4) {
		t.Run(use.tool, func(t *testing.T) {
			t.Parallel()
			p := pipetest.Shared(t)
			har := filepath.Join(t.TempDir(), "some.har")
			if use.tool == "har-replay" {
				if err := os.WriteFile(har, []byte(`{"log":{"version":"1.2","entries":[]}}`), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // pages in separate contexts
				p.Call("new-page", []any{p.Text("new-ctx", nil)})
			}
			for _, glob := range []string{stars, braces} {
				p.Call("nav", list("/form"), "page", "p2")
				p.Call("eval", list("fetch('"+deep+"').then(() => fetch('"+wide+"')).then(() => 0)"), "page", "p2")
				r := p.Try(use.tool, use.params(glob, har), "page", "p2", "timeout", 2)
				if waits := strings.HasPrefix(use.tool, "wait-"); waits != (r.Error != "") {
					t.Fatalf("%s", r.Error)
				}
				if got := p.Text("eval", list("new WebSocket('ws://127.0.0.1:9"+deep+"'), fetch('"+deep+
					"').then(() => fetch('"+wide+"')).then(() => 'all')"), "page", "p2", "timeout", 20); got != "all" {
					t.Errorf("the page got %q", got)
				}
				p.Call("nav", list("/form"), "page", "p3") // another page on the same driver
			}
		})
	}
}

// TestGlobsThatAreNone: an unreadable glob is an error that says so.
func TestGlobsThatAreNone(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("route", list("**/{a", pipetest.Object{}), "!a brace in it has no partner"),
		does("ws-mock", list("**/a}"), "!a brace in it has no partner"),
		does("wait-request", list("**/{a"), "!a brace in it has no partner"),
		does("route", list(strings.Repeat("*", 1001), pipetest.Object{}), "!1000 characters at most"),
		does("routes", nil, "[]"),
	)
}
