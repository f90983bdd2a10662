//go:build evidence && unix

package playwrightmcp

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"pwpipe/internal/pipetest"
)

// documentFile is where the whole run writes its table with -update.
const documentFile = "../../docs/playwright-mcp.md"

// least is the percentage that must pass of the tests that theirs passes here and whose
// flags and tools there are.
const least = 95

// reason is why tests fail. What is lacking is refused at the start or is not listed, so the
// test is not counted.
type reason struct {
	file, titles, why string
	lacking           bool
}

// why finds the reason of a test.
func why(file, title string) *reason {
	for i, r := range reasons {
		if regexp.MustCompile("^("+r.file+")$").MatchString(file) &&
			regexp.MustCompile("^("+r.titles+")$").MatchString(title) {
			return &reasons[i]
		}
	}
	return nil
}

// document writes how each test ended, or checks that the file is current.
func document(t *testing.T, files []string, theirs, ours outcomes, whole bool) {
	t.Helper()
	rows, failing, lacking := "", "", ""
	var all, counted, passed int
	for _, file := range files {
		base, tried, good := 0, 0, 0
		for _, title := range slices.Sorted(maps.Keys(theirs[file])) {
			if theirs[file][title] != "passed" {
				continue
			}
			base++
			got, r := ours[file][title], why(file, title)
			switch {
			case got == "passed":
				tried, good = tried+1, good+1
			case r == nil:
				tried++
				t.Errorf("%s: %s fails, and nothing says why: %.600s", file, title, got)
			case r.lacking:
				lacking += fmt.Sprintf("| %s | %s | %s |\n", file, title, r.why)
			default:
				tried++
				failing += fmt.Sprintf("| %s | %s | %s |\n", file, title, r.why)
			}
		}
		all, counted, passed = all+base, counted+tried, passed+good
		if base > 0 {
			rows += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", file, len(theirs[file]), base, tried, good)
		}
	}
	t.Logf("%d of %d pass whose flags and tools there are, of %d that theirs passes\n%s", passed, counted, all, rows)
	if passed*100 < counted*least {
		t.Errorf("%d of %d, less than %d %%", passed, counted, least)
	}
	if !whole {
		return
	}
	made := fmt.Sprintf("\n**%d of %d tests pass (%d %%)** whose flags and tools there are, of %d that "+
		"Playwright MCP itself passes on the same browser.\n\n| file | tests | theirs passes | tried here | pass |\n"+
		"|---|---:|---:|---:|---:|\n%s\n"+pipetest.Stamp+"\n\n### Failing\n\n| file | test | why |\n|---|---|---|\n%s\n"+
		"### Not tried\n\nA flag is refused with its reason, or a tool is not listed.\n\n"+
		"| file | test | why |\n|---|---|---|\n%s",
		passed, counted, passed*100/max(counted, 1), all, rows, failing, lacking)
	pipetest.GoldenSection(t, documentFile, "judge", made)
}
