//go:build evidence

package eachtool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHARPicksRequests: a HAR records only requests that match the glob.
func TestHARPicksRequests(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestHAR is quick")
	t.Parallel()
	for _, name := range []string{"some.har", "some.zip"} {
		file := filepath.Join(t.TempDir(), name)
		p := pipetest.Start(t, "--base-url", pipetest.Site(t))
		pipetest.Steps(p,
			does("new-ctx", nil, `"c1"`),
			does("new-page", list("c1"), `"p1"`),
			does("har-record", list(file, "/api/{projects,none}"), ""),
			does("har-record", list(file, "/api/{projects"), "!a brace in it has no partner"),
			does("nav", list("/projects"), "null"),
			does("expect-count", pipetest.Object{"sel": "[data-testid=project]", "count": 0, "not": true}, "null"),
			does("close-ctx", list("c1"), "null"),
			does("new-ctx", nil, `"c2"`),
			does("new-page", list("c2"), `"p2"`),
			does("har-replay", pipetest.Object{"path": file, "missing": "fallback"}, "null"),
			does("nav", list("/form"), "null"), // not recorded
			does("eval", list("fetch('/api/projects').then(r => r.json()).then(l => l.length > 0)"), "true"),
		)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		requests := strings.Count(string(raw), `"startedDateTime": "20`) - strings.Count(string(raw), `"pageTimings"`)
		if name == "some.har" && (requests < 1 || requests != strings.Count(string(raw), `/api/projects"`)) {
			t.Errorf("%d requests: %s", requests, raw)
		}
	}
}
