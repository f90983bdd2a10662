//go:build evidence

// Package clients runs the own tests of DevTools clients twice: on a plain Chromium, and on
// the URL of session.cdp. What passes there should pass here, too.
//
//	PWPIPE_TEST_CLIENTS=/path/to/work go test -tags evidence ./tests/clients -v -timeout 1h
//
// The folder is for Go's suites, which come by `go mod download`, at the versions below.
// Puppeteer's tests are in no package: TestPuppeteer needs a checkout at the version in
// puppeteer_linux_test.go, and gets the library and its tests' dependencies from npm.
//
//	PWPIPE_TEST_PUPPETEER=/path/to/puppeteer go test -tags evidence ./tests/clients -run Puppeteer -v -timeout 1h
//
// PWPIPE_TEST_SUITE names the only suite to run, PWPIPE_TEST_FILES is a pattern for names of
// tests, PWPIPE_TEST_WORKERS the number run in parallel, and PWPIPE_TEST_REPORT a file for the
// tables and the output of failed tests.
package clients

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// least is the part of what passes on a plain Chromium that must pass here.
const least = 0.98

// A failed test is repeated this often: once may be chance.
const tries = 3

// outcome is a test's result on one of the two browsers.
type outcome struct {
	status string // passed, skipped, failed or hangs
	runs   int    // until it passed, or was given up
	said   string
}

// pair is a test's outcomes on both.
type pair struct {
	name        string
	plain, here outcome
}

func TestClients(t *testing.T) {
	work := os.Getenv("PWPIPE_TEST_CLIENTS")
	if work == "" {
		t.Skip("PWPIPE_TEST_CLIENTS names no folder for the suites")
	}
	chromium := known(t)
	for _, s := range suites {
		if only := os.Getenv("PWPIPE_TEST_SUITE"); only != "" && only != s.name {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			program, names := s.build(t, filepath.Join(work, s.name))
			report(t, s, runAll(t, s, program, names, chromium))
		})
	}
}

// runAll runs each test alone: on a plain Chromium, then here.
func runAll(t *testing.T, s suite, program string, names []string, chromium command) []pair {
	t.Helper()
	workers, _ := strconv.Atoi(cmp.Or(os.Getenv("PWPIPE_TEST_WORKERS"), "2"))
	pairs := make([]pair, len(names))
	work := make(chan int)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for i := range work {
				p := pair{name: names[i]}
				p.plain = repeat(t, s, program, p.name, chromium.plain)
				if p.plain.status == "passed" {
					p.here = repeat(t, s, program, p.name, ours)
				}
				pairs[i] = p
				t.Logf("%s: plain %s (%d), here %s (%d)", p.name, p.plain.status, p.plain.runs, p.here.status, p.here.runs)
			}
		})
	}
	for i := range names {
		work <- i
	}
	close(work)
	running.Wait()
	return pairs
}

// repeat runs a test until it passes, each time on a new browser.
func repeat(t *testing.T, s suite, program, name string, browser func(*testing.T) string) (o outcome) {
	for o.runs < tries && o.status != "passed" && o.status != "skipped" {
		o.runs++
		t.Run("", func(t *testing.T) { o.status, o.said = s.runOne(program, name, browser(t)) })
	}
	return o
}

// report writes the table, and checks the suite against its bound.
func report(t *testing.T, s suite, pairs []pair) {
	t.Helper()
	var differ, said strings.Builder
	passed, of, skipped := 0, 0, 0
	for _, p := range pairs {
		switch {
		case p.plain.status == "skipped":
			skipped++
		case p.plain.status != "passed":
			fmt.Fprintf(&said, "--- plain %s: %s\n%s\n", p.plain.status, p.name, p.plain.said)
		case p.here.status == "passed":
			passed, of = passed+1, of+1
			if p.here.runs > 1 || p.plain.runs > 1 {
				fmt.Fprintf(&differ, "now and then: %s (passed in run %d on plain, %d here)\n", p.name, p.plain.runs, p.here.runs)
			}
		default:
			of++
			fmt.Fprintf(&differ, "%s: %s\n", p.here.status, p.name)
			fmt.Fprintf(&said, "--- here %s: %s\n%s\n", p.here.status, p.name, p.here.said)
		}
	}
	table := fmt.Sprintf("| suite | tests | skipped | plain | here |\n|---|---|---|---|---|\n| %s %s | %d | %d | %d | %d |\n\n%s",
		s.name, s.version, len(pairs), skipped, of, passed, differ.String())
	t.Logf("%s\n%s", time.Now().Format(time.DateOnly), table)
	if file := os.Getenv("PWPIPE_TEST_REPORT"); file != "" {
		if err := os.WriteFile(file, []byte(table+"\n"+said.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if of == 0 || float64(passed) < least*float64(of) {
		t.Errorf("%d of %d, which is less than %.0f %%", passed, of, 100*least)
	}
}
