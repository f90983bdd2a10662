//go:build evidence && unix

// Package playwrightcli runs the tests of Playwright's own command line on pwpipe. A harness
// replaces the starter of their program, and translates their verbs to ours of the same
// meaning. It needs a checkout of microsoft/playwright:
//
//	PWPIPE_TEST_PLAYWRIGHT_CLI=/path/to/playwright go test -tags evidence ./tests/playwrightcli -v -timeout 1h
//
// PWPIPE_TEST_ONLY is a pattern of titles. With -update the whole run writes
// docs/playwright-cli.md.
package playwrightcli

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

//go:embed harness
var harness embed.FS

// release is the version of Playwright whose tests these are.
const release = "1.62.1"

// TestPlaywrightsOwn runs them all.
func TestPlaywrightsOwn(t *testing.T) {
	checkout := os.Getenv("PWPIPE_TEST_PLAYWRIGHT_CLI")
	if checkout == "" {
		t.Skip("PWPIPE_TEST_PLAYWRIGHT_CLI names no checkout of microsoft/playwright v" + release)
	}
	stage, only := newStage(t, checkout), os.Getenv("PWPIPE_TEST_ONLY")
	outcomes := stage.run(t, only)
	tried, passed := 0, 0
	for _, o := range outcomes {
		switch o.status {
		case "passed":
			tried, passed = tried+1, passed+1
		case "skipped":
			t.Logf("not tried: %s: %s: %s", o.file, o.title, o.why)
		default:
			tried++
			t.Logf("failed: %s: %s: %s", o.file, o.title, o.why)
		}
	}
	t.Logf("%d of %d tried pass, of %d", passed, tried, len(outcomes))
	if only == "" {
		document(t, outcomes)
	}
}

// stage is a folder that looks like a checkout to their tests.
type stage struct{ dir, modules string }

func newStage(t *testing.T, checkout string) *stage {
	s := &stage{dir: t.TempDir(), modules: pipetest.NPM(t, "@playwright/test@"+release)}
	put := func(name, text string) {
		file := filepath.Join(s.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	specs, err := filepath.Glob(filepath.Join(checkout, "tests", "mcp", "cli-*.ts"))
	if err != nil || len(specs) == 0 {
		t.Fatalf("no tests/mcp/cli-*.ts in %s", checkout)
	}
	for _, file := range specs {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.Replace(filepath.Base(file), "cli-fixtures.ts", "cli-fixtures.theirs", 1)
		put(filepath.Join("tests", "mcp", name), string(text))
	}
	ours, err := fs.ReadDir(harness, "harness")
	for _, file := range ours {
		text, err := harness.ReadFile("harness/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		put(filepath.Join("tests", "mcp", file.Name()), string(text))
	}
	// What their tests import from other folders.
	put("tests/config/commonFixtures.ts", "export const killProcessGroup = () => {};\n")
	put("packages/playwright-core/package.json", `{"name":"playwright-core","version":"`+release+`","main":"index.js"}`)
	put("packages/playwright-core/index.js", "module.exports = require('playwright-core');\n")
	put("tests/mcp/playwright.config.ts", "export default { testMatch: 'cli-*.spec.ts', timeout: 120000, workers: 1, "+
		"reporter: [['json', { outputFile: process.env.OUTCOMES }]] };\n")
	if err := errors.Join(err, os.Symlink(s.modules, filepath.Join(s.dir, "node_modules"))); err != nil {
		t.Fatal(err)
	}
	return s
}

// outcome is how a test ended.
type outcome struct{ file, title, status, why string }

// run runs the tests, all in one service of a user whose HOME is empty.
func (s *stage) run(t *testing.T, only string) []outcome {
	t.Helper()
	runtime, err := os.MkdirTemp("", "pwpipe-cli-") // t.TempDir's path is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(s.dir, "outcomes.json")
	env := append(os.Environ(), "HOME="+t.TempDir(), "PWPIPE_CACHE="+filepath.Join(cache, "pwpipe"), "XDG_RUNTIME_DIR="+runtime,
		"OUTCOMES="+report, "FORCE_COLOR=0", "PWPIPE_UNDER_TEST="+pipetest.Binary(t))
	shell := func(words ...string) {
		cmd := exec.Command(pipetest.Binary(t), words...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v, %s", words, err, out)
		}
	}
	shell("open", "-s", "keeper", "-q") // keeps the service alive between two tests
	t.Cleanup(func() {
		shell("close", "--all")
		_ = os.RemoveAll(runtime)
	})
	words := []string{filepath.Join(s.modules, "@playwright", "test", "cli.js"), "test", "-c", "tests/mcp/playwright.config.ts"}
	if only != "" {
		words = append(words, "-g", only)
	}
	cmd := exec.Command("node", words...)
	cmd.Dir, cmd.Env = s.dir, env
	out, failed := cmd.CombinedOutput() // fails if a test fails
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("%v, %v: %s", err, failed, out)
	}
	list, err := outcomes(text)
	if err != nil || len(list) == 0 {
		t.Fatalf("%v, %v: %s", err, failed, out)
	}
	return list
}

// suite is a file of tests, or a group in one, in Playwright's report.
type suite struct {
	File   string
	Suites []suite
	Specs  []struct {
		Title string
		Tests []struct {
			Annotations []struct{ Type, Description string }
			Results     []struct {
				Status string
				Errors []struct{ Message string }
			}
		}
	}
}

// outcomes reads Playwright's report.
func outcomes(text []byte) (list []outcome, err error) {
	var all struct {
		Suites []suite
		Errors []struct{ Message string }
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&all); err != nil {
		return nil, err
	}
	if len(all.Errors) > 0 {
		return nil, fmt.Errorf("%s", all.Errors[0].Message)
	}
	var add func(s suite)
	add = func(s suite) {
		for _, spec := range s.Specs {
			for _, test := range spec.Tests {
				o := outcome{file: filepath.Base(s.File), title: spec.Title}
				for _, a := range test.Annotations {
					if a.Type == "skip" {
						o.why = a.Description
					}
				}
				if n := len(test.Results); n > 0 {
					o.status = test.Results[n-1].Status
					for _, e := range test.Results[n-1].Errors {
						o.why = e.Message
					}
				}
				list = append(list, o)
			}
		}
		for _, inner := range s.Suites {
			add(inner)
		}
	}
	for _, s := range all.Suites {
		add(s)
	}
	return list, nil
}
