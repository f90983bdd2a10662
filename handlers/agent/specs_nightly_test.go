//go:build evidence

package agent_test

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

//go:embed testdata/specs.js
var specScript string

// specPair is what one of Playwright's tests expects of a page, and what our outline says of it.
type specPair struct {
	Expected      json.RawMessage // a template of aria snapshots, or the tree as JSON
	Full, Outline string
	Dead          []string // refs of the outline that a click does not reach
}

// specRun is how a test went.
type specRun struct {
	Pairs   []specPair
	Stopped string // why it did not go on
}

var (
	specTest   = regexp.MustCompile(`(?ms)^(?:it|test)\('((?:[^'\\]|\\.)*)'.*?\{ page[^}]*\}\) => \{\n(.*?)^\}\);`)
	specFails  = regexp.MustCompile(`(= await )expect\(`)
	specLooked = regexp.MustCompile(`([\w.]+(?:\([^()]*\)|\[\d\]|\.\w+)*)\.ariaSnapshot(?:JSON)?\(`)
)

// TestOutlinesOnPlaywrightsTests gives our outline the pages of Playwright's own tests of what an
// agent sees, and compares the roles, names, texts and states that these expect, in their order.
// What can be clicked has a ref in the outline that acts. PWPIPE_TEST_PLAYWRIGHT names a checkout
// of microsoft/playwright; the table is of its main branch in August 2026.
func TestOutlinesOnPlaywrightsTests(t *testing.T) {
	root := os.Getenv("PWPIPE_TEST_PLAYWRIGHT")
	if root == "" {
		t.Skip("PWPIPE_TEST_PLAYWRIGHT names no checkout of microsoft/playwright")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(root, "tests", "assets"))))
	t.Cleanup(server.Close)
	p := pipetest.StartOn(t, "/", "--profile", "agent")
	same, differ, not := 0, 0, 0
	for _, name := range []string{"page-aria-snapshot-ai", "page-aria-snapshot-json", "to-match-aria-snapshot"} {
		spec, err := os.ReadFile(filepath.Join(root, "tests", "page", name+".spec.ts"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range specTest.FindAllStringSubmatch(string(spec), -1) {
			title := name + ": " + test[1]
			run := runSpec(p, server.URL, test[2])
			faults, compared := run.faults(t)
			reason := specDiffers[title]
			switch {
			case len(faults) > 0 && reason == "":
				t.Errorf("%s: %s", title, strings.Join(faults, "\n"))
			case len(faults) > 0:
				differ++
				t.Logf("differs: %s: %s", title, reason)
			case reason != "":
				t.Errorf("%s does not differ any more", title)
			case compared == 0 && specNotCompared[title] == "":
				t.Errorf("%s is not compared, and nothing says why: %s", title, run.Stopped)
			case compared == 0:
				not++
				t.Logf("not compared: %s: %s", title, specNotCompared[title])
			default:
				same++
				if run.Stopped != "" {
					t.Logf("compared up to %q: %s", run.Stopped, title)
				}
			}
		}
	}
	t.Logf("%d same, %d differ on purpose, %d can't be compared", same, differ, not)
	if same < 50 {
		t.Errorf("only %d are the same", same)
	}
}

// specDiffers are the tests that expect something else, with the reasons.
var specDiffers = map[string]string{
	"page-aria-snapshot-ai: should annotate aria-hidden elements":                     hiddenFromReaders,
	"page-aria-snapshot-ai: should only annotate the top element in a hidden subtree": hiddenFromReaders,
	"to-match-aria-snapshot: details visibility":                                      summaryIsUsed,
	"to-match-aria-snapshot: integration test":                                        summaryIsUsed,
}

const (
	hiddenFromReaders = "what a page hides from screen readers mostly says something again, or is below an open dialog"
	summaryIsUsed     = "a summary opens and closes its details, so it has a line and a ref of its own"
)

// specNotCompared are those that can't be compared, with the reasons.
var specNotCompared = map[string]string{
	"page-aria-snapshot-ai: should re-number refs across navigations but not same-document navigations": "the numbers of their refs",
	"page-aria-snapshot-ai: should resolve refs of distilled-away nodes":                                "the numbers of their refs",
	"page-aria-snapshot-ai: should truncate data url in link":                                           "how a URL is cut",
	"page-aria-snapshot-ai: should auto-wait for navigation":                                            "a race with a navigation",
	"page-aria-snapshot-ai: should auto-wait for blocking CSS":                                          "when a snapshot is taken",
	"page-aria-snapshot-json: should mark clickable elements with cursor in ai mode":                    asJSON,
	"page-aria-snapshot-json: should snapshot iframes in ai mode":                                       asJSON,
	"page-aria-snapshot-json: should include boxes when requested":                                      asJSON,
	"to-match-aria-snapshot: should match page with not":                                                failsThere,
	"to-match-aria-snapshot: should fail page with timeout":                                             failsThere,
	"to-match-aria-snapshot: expected formatter":                                                        failsThere,
	"to-match-aria-snapshot: should report error in YAML":                                               failsThere,
	"to-match-aria-snapshot: should report error in YAML keys":                                          failsThere,
	"to-match-aria-snapshot: call log should contain actual snapshot":                                   failsThere,
	"to-match-aria-snapshot: should not unshift actual template text":                                   failsThere,
	"to-match-aria-snapshot: should not match what is not matched":                                      failsThere,
	"to-match-aria-snapshot: top-level deep-equal":                                                      failsThere,
	"to-match-aria-snapshot: treat bad regex as a string":                                               failsThere,
}

const (
	asJSON     = "looks for one property in a tree as JSON"
	failsThere = "is about how an assertion fails, and its words"
)

func runSpec(p *pipetest.Pipe, server, body string) (run specRun) {
	p.T.Helper()
	body = specFails.ReplaceAllString(body, "${1}failing(")
	body = specLooked.ReplaceAllString(body, "snapshotForAI($1, ")
	body = strings.ReplaceAll(body, "page.locator('aria-ref=", "theirs('")
	code := strings.NewReplacer("SERVER", server, "BODY", body).Replace(specScript)
	var text string
	result := pipetest.Execute(p, code)
	if err := json.Unmarshal([]byte(result), &text); err != nil {
		p.T.Fatalf("%v: %q\n%s", err, result, code)
	}
	if err := json.Unmarshal([]byte(text), &run); err != nil {
		p.T.Fatal(err)
	}
	return run
}
