//go:build evidence

// Package pagetests runs Playwright's own page tests through execute and with the real
// Playwright: what passes there should pass here, too.
//
//	PWPIPE_TEST_PLAYWRIGHT=/path/to/playwright go test -tags evidence ./tests/pagetests -v -timeout 3h
//
// The folder is a checkout of microsoft/playwright at v1.60.0. PWPIPE_TEST_FILES is a
// pattern for names of files, PWPIPE_TEST_ARGS are arguments of pwpipe (such as
// --script-memory 256), PWPIPE_TEST_WORKERS is the number run in parallel, and
// PWPIPE_TEST_BASELINE a file that keeps the real one's results for the next run.
// PWPIPE_TEST_RESULTS is such a file of pwpipe's own results: a stopped run continues
// where it was. Remove the file, or entries of it, to run them again.
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

// least is the part of the real Playwright's passes that must pass here.
const least = 0.995

// outcome of a test.
type outcome struct {
	Status string `json:"status"`
	Error  string `json:"error"`
}

// outcomes are one engine's results, by file and title.
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
		t.Errorf("%d of %d, which is less than %.1f %%", passed, of, 100*least)
	}
}

// keeping returns an engine's results of the tests. The variable names a file with
// earlier results: these tests are not run again.
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

// runAll runs files in parallel, each worker with its own engine and server. If base is
// given, only tests that passed there run. tell gets a file's results, one file at a
// time.
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

// report writes a table of files, and the kinds of errors behind the difference.
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
