//go:build evidence

package miniwob

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// documentFile is what TestTasks writes with -update.
const documentFile = "../../docs/miniwob.md"

// faultRow is the row of a task whose policy needs more than the outline.
func (r result) faultRow() string {
	return fmt.Sprintf("| %s | %s |\n", r.name, strings.Join(r.faults, "; "))
}

// document writes the results of all tasks, or checks that the file is current:
// which tasks have no policy, and where policies need more than the outline.
func document(t *testing.T, results []result, tasks int, all bool) {
	t.Helper()
	calls, tokens, faulty, rows := 0, 0, 0, ""
	for _, r := range results {
		calls, tokens = calls+r.calls, tokens+r.tokens
		if len(r.faults) > 0 {
			faulty++
			rows += r.faultRow()
		}
	}
	without := ""
	for _, name := range slices.Sorted(maps.Keys(undone)) {
		without += fmt.Sprintf("| %s | %s |\n", name, undone[name])
	}
	text, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	if pipetest.Update() {
		_, beside, _ := strings.Cut(string(text), besidePeer) // TestNeeds writes that part
		pipetest.Golden(t, documentFile, fmt.Sprintf(page, tasks, release, len(results), len(results)-faulty,
			calls, tokens, faulty, rows, without)+besidePeer+beside)
		return
	}
	pipetest.Has(t, string(text), without, fmt.Sprintf("| policies, all of which solve their task | %d |", len(policies)))
	for _, r := range results {
		if has := strings.Contains(string(text), r.faultRow()); has != (len(r.faults) > 0) {
			t.Errorf("%s: docs/miniwob.md says otherwise than %q: run with -update", r.name, r.faults)
		}
	}
	if n := strings.Count(string(text), "\n| "); all && !strings.Contains(string(text), rows) {
		t.Errorf("docs/miniwob.md has %d rows, and not these: run with -update\n%s", n, rows)
	}
}

// besidePeer starts the part of the document that TestNeeds writes.
const besidePeer = "\n## Beside Playwright MCP\n"

// page is the document, up to there.
const page = `# MiniWoB++

%d small tasks of the package %s, each with a fixed seed, done by scripted policies over MCP with ` + "`--profile agent`" + `. A policy has what the outline says and what tools answer. It is written by somebody who knows the task, so calls and tokens are what a model needs at least; they say nothing of how well a model finds its way. Acts that need no look between them are one ` + "`execute`" + `, which answers the outline, too.

| | |
|---|---:|
| policies, all of which solve their task | %d |
| of these with nothing but the outline | %d |
| calls | %d |
| tokens of calls and replies (o200k_base) | %d |

` + pipetest.Stamp + `

` + "`go test -tags evidence ./tests/miniwob`" + ` does twelve of them, with ` + "`PWPIPE_TEST_MINIWOB=1`" + ` all; ` + "`-update`" + ` writes this page.

## Where the outline lacks something

%d policies name an element by a selector that the outline doesn't tell, since a person sees what the outline lacks.

| task | what is missing |
|---|---|
%s
## Without a policy

| task | why |
|---|---|
%s`
