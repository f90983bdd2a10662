// Package pagetests runs Playwright's own page tests through execute, beside the
// real Playwright: what that passes, a script here should pass, too.
//
//	PWPIPE_TEST_PLAYWRIGHT=/path/to/playwright go test ./tests/pagetests -v -timeout 3h
//
// The folder is a checkout of microsoft/playwright at v1.60.0. PWPIPE_TEST_FILES is
// a pattern for the names of files to run, PWPIPE_TEST_ARGS are arguments of pwpipe's
// (such as --script-memory 256), PWPIPE_TEST_WORKERS how many run beside each other, and
// PWPIPE_TEST_BASELINE a file that keeps what the real one passed, for the next run.
// PWPIPE_TEST_RESULTS is such a file of pwpipe's own results: a run that was stopped goes
// on where it was. Remove it, or files from it, to run them again.
package pagetests

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// least is how much of what the real Playwright passes has to pass here.
const least = 0.97

// outcome of a test.
type outcome struct {
	Status string `json:"status"`
	Error  string `json:"error"`
}

// outcomes are those of one engine, by file and title.
type outcomes map[string]map[string]outcome

func TestPageTests(t *testing.T) {
	root := os.Getenv("PWPIPE_TEST_PLAYWRIGHT")
	if root == "" {
		t.Skip("PWPIPE_TEST_PLAYWRIGHT names no checkout of microsoft/playwright v1.60.0")
	}
	list, err := specs(root, os.Getenv("PWPIPE_TEST_FILES"))
	if err != nil {
		t.Fatal(err)
	}
	base := keeping(t, root, list, "PWPIPE_TEST_BASELINE", func(string) *engine { return real(t) }, nil)
	mine := keeping(t, root, list, "PWPIPE_TEST_RESULTS", func(folder string) *engine {
		return ours(t, root, folder, strings.Fields(os.Getenv("PWPIPE_TEST_ARGS"))...)
	}, base)
	passed, of := report(t, list, base, mine)
	if of == 0 || float64(passed) < least*float64(of) {
		t.Errorf("%d of %d, which is less than %.0f %%", passed, of, 100*least)
	}
}

// keeping is what an engine makes of the tests. Files of which the file that a variable
// names has results are not run again.
func keeping(t *testing.T, root string, list []spec, variable string, start func(folder string) *engine, base outcomes) outcomes {
	t.Helper()
	keep := os.Getenv(variable)
	kept := outcomes{}
	if text, err := os.ReadFile(keep); err == nil {
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
	}
	var missing []spec
	for _, s := range list {
		if kept[s.name] == nil {
			missing = append(missing, s)
		}
	}
	save := func(name string, results map[string]outcome) {
		if kept[name] = results; keep == "" {
			return
		}
		text, _ := json.Marshal(kept)
		if err := os.WriteFile(keep, text, 0o644); err != nil {
			t.Error(err)
		}
	}
	runAll(t, root, missing, start, base, save)
	return kept
}

// runAll runs files beside each other, each worker with an engine and a server of
// its own; of the tests only those that passed in base, if there is one. What came
// of a file is told, one file at a time.
func runAll(t *testing.T, root string, list []spec, start func(folder string) *engine, base outcomes, tell func(file string, results map[string]outcome)) {
	t.Helper()
	workers, _ := strconv.Atoi(cmp.Or(os.Getenv("PWPIPE_TEST_WORKERS"), "2"))
	version := pipetest.Installed(t).BrowserVersion
	work := make(chan spec)
	var telling sync.Mutex
	var running sync.WaitGroup
	for range workers {
		folder := t.TempDir()
		e := start(folder)
		o := settings{Root: root, Folder: folder, Version: cmp.Or(version, "137.0.0"), Ports: serve(t, root, folder)}
		running.Go(func() {
			defer e.stop()
			for s := range work {
				results := runFile(e, s, o, base[s.name])
				telling.Lock()
				tell(s.name, results)
				telling.Unlock()
			}
		})
	}
	for _, s := range list {
		work <- s
	}
	close(work)
	running.Wait()
}

// runFile runs the tests of a file.
func runFile(e *engine, s spec, o settings, base map[string]outcome) map[string]outcome {
	results := map[string]outcome{}
	var titles []string
	raw, err := e.run(s.script(o, "__given.titles()"))
	if err == nil {
		err = json.Unmarshal(raw, &titles)
	}
	if err != nil {
		results["the file"] = outcome{"failed", err.Error()}
		for title := range base {
			results[title] = results["the file"]
		}
		return results
	}
	for i, title := range titles {
		if base != nil && base[title].Status != "passed" {
			continue
		}
		raw, err := e.run(s.script(o, fmt.Sprintf("await __given.run(%d)", i)))
		var out outcome
		if err == nil {
			err = json.Unmarshal(raw, &out)
		}
		if err != nil {
			out = outcome{"failed", err.Error()}
		}
		results[title] = out
	}
	return results
}

// volatile is what differs between two errors of one kind.
var volatile = regexp.MustCompile(`\x1b\[[0-9;]*m|localhost:\d+|127\.0\.0\.1:\d+|"[^"]*"|'[^']*'|\d+|/\S+`)

// report writes a table of files, and what kinds of errors make the difference.
func report(t *testing.T, list []spec, base, mine outcomes) (passed, of int) {
	var table, failed strings.Builder
	kinds := map[string][]string{}
	fmt.Fprintf(&table, "| file | real | here |\n|---|---|---|\n")
	for _, s := range list {
		real, here := 0, 0
		for _, title := range slices.Sorted(maps.Keys(base[s.name])) {
			if base[s.name][title].Status != "passed" {
				continue
			}
			real++
			got := mine[s.name][title]
			if got.Status == "passed" {
				here++
				continue
			}
			line, _, _ := strings.Cut(volatile.ReplaceAllString(got.Status+" "+got.Error, "_"), "\n")
			kinds[line] = append(kinds[line], s.name+": "+title)
			fmt.Fprintf(&failed, "%s: %s: %s %.300q\n", s.name, title, got.Status, got.Error)
		}
		passed, of = passed+here, of+real
		if real > 0 {
			fmt.Fprintf(&table, "| %s | %d | %d |\n", s.name, real, here)
		}
	}
	fmt.Fprintf(&table, "| all | %d | %d |\n\n%.1f %% of what the real Playwright passes\n\n", of, passed, 100*float64(passed)/float64(max(of, 1)))
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return len(kinds[b]) - len(kinds[a]) }) {
		fmt.Fprintf(&table, "%d × %.200s (%s)\n", len(kinds[kind]), kind, kinds[kind][0])
	}
	t.Log("\n" + table.String())
	if file := os.Getenv("PWPIPE_TEST_REPORT"); file != "" {
		if err := os.WriteFile(file, []byte(table.String()+"\n"+failed.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return passed, of
}
