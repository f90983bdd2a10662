//go:build evidence && unix

// Package playwrightmcp runs Playwright MCP's own tests on it and on `pwpipe mcp`. A harness
// replaces what starts the server. It needs four folders of microsoft/playwright, at the commit
// that the constant commit names. The packages that they import come with npm:
//
//	git clone --bare https://github.com/microsoft/playwright /tmp/playwright.git
//	mkdir /tmp/playwright
//	git -C /tmp/playwright.git archive d4e1023f6c tests/mcp tests/config tests/assets tests/third_party |
//		tar -x -C /tmp/playwright
//	PWPIPE_TEST_PLAYWRIGHT_MCP=/tmp/playwright PWPIPE_TEST_BASELINE=/tmp/theirs.json \
//		PWPIPE_TEST_RESULTS=/tmp/ours.json go test -tags evidence ./tests/playwrightmcp -v -timeout 2h
//
// PWPIPE_TEST_FILES is a pattern of names of files. PWPIPE_TEST_BASELINE and
// PWPIPE_TEST_RESULTS name files that keep the results of theirs and of ours: a stopped run
// continues where it was. Remove an entry to run its file again. With -update the whole run
// writes its table into docs/playwright-mcp.md.
package playwrightmcp

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

//go:embed harness
var harness embed.FS

const (
	// release is the version of their package that runs.
	release = "1.65.1"
	// commit is the state of microsoft/playwright whose tests run.
	commit = "d4e1023f6c"
)

// modules are what their tests import, and the package with the server.
var modules = []string{"playwright@" + release, "@modelcontextprotocol/sdk@1.29.0", "@zip.js/zip.js@2.24.0",
	"commander@14.0.3", "dotenv@18.0.10", "mime@3.0.0", "pngjs@7.0.0", "ws@8.23.0", "zod@4.4.3"}

// areOthers are files about the command line, the test runner and the dashboard.
var areOthers = regexp.MustCompile(`^(cli-|test-|trace-|seed-|init-agents|generator|planner|dashboard|annotate|` +
	`library|semver|webdriver|mcp-server-bind|remote-endpoint|config-resolve)`)

// outcomes are how tests ended, by file and title: "passed", or an error.
type outcomes map[string]map[string]string

func TestPlaywrightMCPsOwn(t *testing.T) {
	checkout := os.Getenv("PWPIPE_TEST_PLAYWRIGHT_MCP")
	if checkout == "" {
		t.Skip("PWPIPE_TEST_PLAYWRIGHT_MCP names no checkout of microsoft/playwright at " + commit)
	}
	s := newStage(t, checkout)
	only := os.Getenv("PWPIPE_TEST_FILES")
	specs, err := filepath.Glob(filepath.Join(s.dir, "tests", "mcp", "*.spec.ts"))
	if err != nil || len(specs) == 0 {
		t.Fatalf("no tests/mcp/*.spec.ts in %s", checkout)
	}
	var files []string
	for _, spec := range specs {
		name := strings.TrimSuffix(filepath.Base(spec), ".spec.ts")
		if !areOthers.MatchString(name) && regexp.MustCompile(only).MatchString(name) {
			files = append(files, name)
		}
	}
	theirs := s.keeping(t, files, "PWPIPE_TEST_BASELINE", "")
	ours := s.keeping(t, files, "PWPIPE_TEST_RESULTS", s.binary(t))
	document(t, files, theirs, ours, only == "")
}

// stage is a folder that looks like a checkout to their tests.
type stage struct{ dir string }

func newStage(t *testing.T, checkout string) *stage {
	t.Helper()
	s := &stage{dir: t.TempDir()}
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	put := func(name string, text []byte) {
		file := filepath.Join(s.dir, name)
		must(errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)))
	}
	for _, folder := range []string{"mcp", "config", "assets", "third_party"} {
		must(os.CopyFS(filepath.Join(s.dir, "tests", folder), os.DirFS(filepath.Join(checkout, "tests", folder))))
	}
	installed := pipetest.NPM(t, modules...)
	list, err := os.ReadDir(installed)
	must(err)
	must(os.MkdirAll(filepath.Join(s.dir, "node_modules"), 0o755))
	for _, m := range list {
		must(os.Symlink(filepath.Join(installed, m.Name()), filepath.Join(s.dir, "node_modules", m.Name())))
	}
	put("node_modules/@playwright/test/package.json", []byte(`{"name":"@playwright/test","main":"index.js"}`))
	put("node_modules/@playwright/test/index.js", []byte("module.exports = require('playwright/test');\n"))
	core := filepath.Join(s.dir, "packages", "playwright-core")
	must(os.CopyFS(core, os.DirFS(filepath.Join(installed, "playwright-core"))))
	entry := filepath.Join(core, "lib", "entry")
	must(os.Rename(filepath.Join(entry, "mcp.js"), filepath.Join(entry, "mcp.theirs.js")))
	starter, err := harness.ReadFile("harness/mcp.cjs")
	must(err)
	put("packages/playwright-core/lib/entry/mcp.js", starter)
	put("packages/playwright-test/package.json", []byte(`{"name":"playwright-test","main":"cli.js"}`))
	put("packages/playwright-test/cli.js", []byte("require('playwright/cli');\n"))
	config, err := harness.ReadFile("harness/config.cjs")
	must(err)
	put("tests/mcp/judge.config.js", config)
	must(s.browsers(core, pipetest.Installed(t).Executable))
	return s
}

// browsers puts a browser where Playwright looks for its own: their tests start some themselves.
func (s *stage) browsers(core, executable string) error {
	var list struct {
		Browsers []struct{ Name, Revision string }
	}
	text, err := os.ReadFile(filepath.Join(core, "browsers.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, b := range list.Browsers {
		var folder, name string
		switch b.Name {
		case "chromium":
			folder, name = "chrome-linux64", "chrome"
		case "chromium-headless-shell":
			folder, name = "chrome-headless-shell-linux64", "chrome-headless-shell"
		default:
			continue
		}
		folder = filepath.Join(s.dir, "browsers", strings.ReplaceAll(b.Name, "-", "_")+"-"+b.Revision, folder)
		if err := errors.Join(os.MkdirAll(folder, 0o755),
			os.Symlink(executable, filepath.Join(folder, name))); err != nil {
			return err
		}
	}
	return nil
}

// binary is a copy of ours: a build meanwhile doesn't change what is measured.
func (s *stage) binary(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(pipetest.Binary(t))
	own := filepath.Join(s.dir, "pwpipe")
	if err := errors.Join(err, os.WriteFile(own, text, 0o755)); err != nil {
		t.Fatal(err)
	}
	return own
}

// keeping are the results of the files. The variable names a file with earlier ones: these
// files are not run again.
func (s *stage) keeping(t *testing.T, files []string, variable, binary string) outcomes {
	t.Helper()
	kept, keep := outcomes{}, os.Getenv(variable)
	if text, err := os.ReadFile(keep); err == nil {
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatalf("%s: %v", keep, err)
		}
	}
	for _, file := range files {
		if kept[file] != nil {
			continue
		}
		kept[file] = s.run(t, file, binary)
		if text, err := json.MarshalIndent(kept, "", " "); keep != "" {
			if err := errors.Join(err, os.WriteFile(keep, text, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return kept
}

// run runs the tests of a file, on their server or on the one of a binary. Tests that fail run
// once more, one at a time: others that run at the same time make them miss their deadlines.
func (s *stage) run(t *testing.T, file, binary string) map[string]string {
	t.Helper()
	ended := s.once(t, file, binary)
	for _, how := range ended {
		if how != "passed" && how != "skipped" {
			maps.Copy(ended, s.once(t, file, binary, "--last-failed", "--workers=1"))
			break
		}
	}
	return ended
}

// once runs the tests of a file once.
func (s *stage) once(t *testing.T, file, binary string, options ...string) map[string]string {
	t.Helper()
	report := filepath.Join(s.dir, "outcomes.json")
	_ = os.Remove(report)
	cmd := exec.Command("node", append([]string{filepath.Join(s.dir, "node_modules", "playwright", "cli.js"), "test",
		"-c", "tests/mcp/judge.config.js", "/mcp/" + regexp.QuoteMeta(file) + `\.spec`}, options...)...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PWPIPE_UNDER_TEST="+binary, "PWPIPE_TEST_OUTCOMES="+report, "FORCE_COLOR=0",
		"PWTEST_UNDER_TEST=1", "PLAYWRIGHT_BROWSERS_PATH="+filepath.Join(s.dir, "browsers"),
		"PWPIPE_TEST_CHROMIUM="+pipetest.Installed(t).Executable)
	out, failed := cmd.CombinedOutput() // fails if a test fails
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("%v, %v: %s", err, failed, out)
	}
	ended, err := read(text)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return ended
}

// suite is a file of tests, or a group in one, in Playwright's report.
type suite struct {
	Title, File string
	Suites      []suite
	Specs       []struct {
		Title string
		Tests []struct {
			Results []struct {
				Status string
				Errors []struct{ Message string }
			}
		}
	}
}

// volatile is what differs between two runs.
var volatile = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// read reads Playwright's report.
func read(text []byte) (map[string]string, error) {
	var all struct {
		Suites []suite
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	if len(all.Errors) > 0 && len(all.Suites) == 0 { // not those of a worker between two tests
		return nil, fmt.Errorf("%s", all.Errors[0].Message)
	}
	ended := map[string]string{}
	var add func(s suite, group string)
	add = func(s suite, group string) {
		for _, spec := range s.Specs {
			how := "did not run"
			if len(spec.Tests) > 0 && len(spec.Tests[0].Results) > 0 {
				r := spec.Tests[0].Results[len(spec.Tests[0].Results)-1]
				if how = r.Status; len(r.Errors) > 0 {
					how = volatile.ReplaceAllString(r.Errors[0].Message, "")
				}
			}
			ended[group+spec.Title] = how
		}
		for _, inner := range s.Suites {
			if inner.Title != inner.File {
				add(inner, group+inner.Title+" › ")
			} else {
				add(inner, group)
			}
		}
	}
	for _, s := range all.Suites {
		add(s, "")
	}
	return ended, nil
}
