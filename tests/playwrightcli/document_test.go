//go:build evidence && unix

package playwrightcli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// documentFile is what the whole run writes with -update.
const documentFile = "../../docs/playwright-cli.md"

// least is the percentage of the tried tests that must pass.
const least = 80

// reasons say why tests of existing verbs fail.
var reasons = []struct{ titles, why string }{
	{"click button|click with --modifiers|click in iframe|click button with CSS selector|drag between elements|" +
		"drop files and data onto an element",
		"the report shows the command as Playwright code; here `convert` makes that of a log (`log-start`)"},
	{"click button with role locator|click button with test id locator",
		"a locator in JavaScript; here it is `role=button[name=\"Submit\"]`, or `testid=main >> role=button`"},
	{"snapshot", "outlines are printed, not written to `.playwright-cli`"},
	{"partial snapshot", "the first of several elements is shown, as in all other tools"},
	{"generate-locator", "a selector, not JavaScript: `role=button[name=\"Submit\"]`"},
	{"open with very long session name .*", "a name has up to 64 characters"},
	{"screenshot --filename infers webp from extension", "pictures are PNG or JPEG"},
	{"pdf", "the file has to be named"},
	{"state-save saves storage state to file", "the file has to be named"},
}

// reason is why a test fails, "" for none.
func (o outcome) reason() string {
	for _, r := range reasons {
		if regexp.MustCompile("^(" + r.titles + ")$").MatchString(o.title) {
			return r.why
		}
	}
	return ""
}

// document writes how each test ended, or checks that the file is current.
func document(t *testing.T, outcomes []outcome) {
	t.Helper()
	type sums struct{ all, tried, passed int }
	files, lacking, failing, total := map[string]*sums{}, map[string][]string{}, "", sums{}
	for _, o := range outcomes {
		if files[o.file] == nil {
			files[o.file] = &sums{}
		}
		f := files[o.file]
		f.all++
		switch o.status {
		case "skipped":
			lacking[o.why] = append(lacking[o.why], o.title)
			continue
		case "passed":
			f.passed++
		default:
			why := o.reason()
			if why == "" {
				t.Errorf("%s: %s fails, and nothing says why: %s", o.file, o.title, o.why)
			}
			failing += fmt.Sprintf("| %s | %s | %s |\n", strings.TrimSuffix(o.file, ".spec.ts"), o.title, why)
		}
		f.tried++
	}
	rows := ""
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		rows += fmt.Sprintf("| %s | %d | %d | %d |\n", strings.TrimSuffix(name, ".spec.ts"), f.all, f.tried, f.passed)
		total = sums{total.all + f.all, total.tried + f.tried, total.passed + f.passed}
	}
	rows += fmt.Sprintf("| all | %d | %d | %d |\n", total.all, total.tried, total.passed)
	if total.passed*100 < total.tried*least {
		t.Errorf("%d of %d tried pass, less than %d %%", total.passed, total.tried, least)
	}
	not := ""
	for _, why := range slices.Sorted(maps.Keys(lacking)) {
		not += fmt.Sprintf("| %s | %d |\n", why, len(lacking[why]))
	}
	text := fmt.Sprintf(page, release, total.passed, total.tried, total.passed*100/max(total.tried, 1),
		total.all, names, rows, failing, not)
	pipetest.Golden(t, documentFile, text)
}

// names are their verbs with another name here.
const names = "| `go-back`, `go-forward` | `back`, `forward` |\n" +
	"| `dblclick` | `dclick` |\n" +
	"| `click TARGET right`, `click --modifiers Control` | `rclick`, `rclick --button left --keys Control` |\n" +
	"| `fill … --submit` | `fill`, then `press Enter` |\n" +
	"| `type TEXT`, into what has the focus | `execute 'await page.keyboard.type(…)'`; `type SEL TEXT` |\n" +
	"| `select` | `sel` |\n" +
	"| `keydown`, `keyup` | `key-down`, `key-up` |\n" +
	"| `mousemove`, `mousedown`, `mouseup`, `mousewheel` | `mouse-move`, `mouse-down`, `mouse-up`, `wheel` |\n" +
	"| `resize` | `viewport` |\n" +
	"| `drop --path FILE` | `drop SEL FILE` |\n" +
	"| `eval CODE TARGET` | `execute \"await $('e5').evaluate(…)\"` |\n" +
	"| `run-code` | `execute` |\n" +
	"| `snapshot TARGET` | `snapshot --selector` |\n" +
	"| `find TEXT`, `find --regex` | `search PATTERN` |\n" +
	"| `generate-locator` | `locator` |\n" +
	"| `tab-list`, `tab-new`, `tab-select`, `tab-close` | `pages`, `new-page c1 --use`, `use-page`, `close-page` |\n" +
	"| `screenshot --filename` | `screenshot --path` |\n" +
	"| `list`, `close-all`, `delete-data` | `sessions`, `close --all`, `state-delete` |\n" +
	"| `cookie-list`, `cookie-get` | `cookies` |\n" +
	"| `cookie-set`, `cookie-delete`, `cookie-clear` | `set-cookie`, `clear-cookies` |\n" +
	"| `localstorage-…`, `sessionstorage-…` | `storage`, `set-storage`, `clear-storage`, with `--kind session` |\n" +
	"| `state-save`, `state-load` | `save-state`, `load-state` |\n" +
	"| `route --body … --status …` | `route PATTERN '{\"body\":…,\"status\":…}'` |\n" +
	"| `route-list`, `unroute` | `routes`, `unroute PATTERN` |\n" +
	"| `network-state-set offline` | `offline true` |\n" +
	"| `console` | `logs.pull` |\n" +
	"| `requests --filter` | `requests --url` |\n" +
	"| `request-headers`, `response-body`, … | `request`, which has all parts |\n"

// page is the document.
const page = `# Playwright's own command-line tests

The tests of Playwright's command line (` + "`tests/mcp/cli-*.spec.ts`" + ` of %s), run on pwpipe's. A harness stands in for what starts their program: it translates each command to ours where the meaning is the same, and makes of our answers a report in the form of theirs, with their numbers of the elements and their wording of the same errors. The tests themselves are fetched and stay as they are.

**%d of %d tests pass whose verbs there are here (%d %%)**, of %d. A test is not tried where a command or an option of it has nothing of its meaning here.

` + "```sh" + `
PWPIPE_TEST_PLAYWRIGHT_CLI=/path/to/playwright go test -tags evidence ./tests/playwrightcli -timeout 1h   # a checkout of that version; -update writes this page
` + "```" + `

## Another name here

| theirs | ours |
|---|---|
%s
## By file

| file | tests | tried | pass |
|---|---:|---:|---:|
%s
` + pipetest.Stamp + `

## Failing

| file | test | why |
|---|---|---|
%s
## Not tried

| what is not here, or is something else | tests |
|---|---:|
%s`
