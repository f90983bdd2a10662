//go:build evidence

package clients

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// The version of Puppeteer whose tests run, and the npm packages that they need.
const puppeteerVersion = "24.15.0"

var puppeteerNeeds = []string{"puppeteer@" + puppeteerVersion, "mocha@11.7.1", "expect@30.0.4", "sinon@21.0.0",
	"esbuild@0.25.8", "source-map-support@0.5.21", "diff@8.0.2", "jpeg-js@0.4.4", "pixelmatch@7.1.0",
	"pngjs@7.0.0", "mime@3.0.0", "ws@8.18.3"}

// Test files about starting a browser: with flags, a profile, a pipe, a window, its
// DevTools, extensions or a proxy of its own, or a Firefox.
var startsBrowsers = []string{"launcher.spec.ts", "fixtures.spec.ts", "headful.spec.ts", "proxy.spec.ts",
	"connect.spec.ts", "webExtension.spec.ts", "cdp/extensions.spec.ts", "cdp/pipe.spec.ts",
	"cdp/devtools.spec.ts"}

// fileLimit is the time after which a test file counts as hanging.
const fileLimit = 10 * time.Minute

func TestPuppeteer(t *testing.T) {
	checkout := os.Getenv("PWPIPE_TEST_PUPPETEER")
	if checkout == "" {
		t.Skip("PWPIPE_TEST_PUPPETEER names no checkout of Puppeteer " + puppeteerVersion)
	}
	chromium := known(t)
	p := puppeteer{
		modules: pipetest.NPM(t, puppeteerNeeds...), folder: t.TempDir(), chromium: chromium.args[0],
	}
	for _, part := range []string{"test", "packages/testserver"} {
		if err := os.CopyFS(filepath.Join(p.folder, part), os.DirFS(filepath.Join(checkout, part))); err != nil {
			t.Fatal(err)
		}
	}
	files := p.files(t)
	results := make([][]pair, len(files))
	work := make(chan int)
	var running sync.WaitGroup
	workers, _ := strconv.Atoi(cmp.Or(os.Getenv("PWPIPE_TEST_WORKERS"), "2"))
	for range workers {
		running.Go(func() {
			for i := range work {
				plain, here := p.run(t, files[i], chromium.plain), p.run(t, files[i], ours)
				results[i] = pairsOf(files[i], plain, here)
				t.Logf("%s: %d tests", files[i], len(results[i]))
				for _, r := range results[i] {
					if r.plain.status != r.here.status {
						t.Logf("%s: plain %s, here %s: %.600s", r.name, r.plain.status, r.here.status, cmp.Or(r.here.said, r.plain.said))
					}
				}
			}
		})
	}
	for i := range files {
		work <- i
	}
	close(work)
	running.Wait()
	report(t, suite{name: "puppeteer", version: puppeteerVersion}, slices.Concat(results...))
}

// puppeteer is a copy of its tests with their dependencies.
type puppeteer struct{ modules, folder, chromium string }

// files are its test files to run.
func (p puppeteer) files(t *testing.T) (names []string) {
	t.Helper()
	source := filepath.Join(p.folder, "test", "src")
	only := regexp.MustCompile(os.Getenv("PWPIPE_TEST_FILES"))
	for _, pattern := range []string{"*.spec.ts", "*/*.spec.ts"} {
		found, err := filepath.Glob(filepath.Join(source, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			name, _ := filepath.Rel(source, file)
			if !slices.Contains(startsBrowsers, name) && only.MatchString(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// result is reporter.cjs's line for a test.
type result struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Runs   int    `json:"runs"`
	Said   string `json:"said"`
}

// run runs a test file. Each launch in it gets its own browser.
func (p puppeteer) run(t *testing.T, file string, browser func(*testing.T) string) (results []result) {
	t.Run(file, func(t *testing.T) {
		asked, started := make(chan struct{}), make(chan string)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			_, _ = io.WriteString(w, <-started)
		}))
		t.Cleanup(server.Close)
		out := filepath.Join(t.TempDir(), "results")
		ended := make(chan []byte)
		go func() { ended <- p.mocha(file, server.URL, out) }()
		var said []byte
		for said == nil {
			select {
			case <-asked:
				started <- browser(t)
			case said = <-ended:
			}
		}
		raw, err := os.ReadFile(out)
		if err != nil {
			t.Errorf("%v: %s", err, said)
			return
		}
		for lines := bufio.NewReader(bytes.NewReader(raw)); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Logf("mocha did not come to its end: %s", said[max(0, len(said)-2000):])
				return
			}
			if line == "end\n" {
				return
			}
			results = append(results, pipetest.Decode[result](t, line))
		}
	})
	return results
}

// mocha runs it, and returns its output.
func (p puppeteer) mocha(file, browsers, results string) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), fileLimit)
	defer cancel()
	ours, _ := filepath.Abs("puppeteer")
	args := []string{filepath.Join(p.modules, "mocha/bin/mocha.js"), "--no-config", "--exit", "--async-only",
		"--timeout=20000", "--retries=" + strconv.Itoa(tries-1), "--reporter=" + filepath.Join(ours, "reporter.cjs"),
		"--require=" + filepath.Join(ours, "setup.cjs"), "--require=test/src/mocha-utils.ts", "test/src/" + file}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "NODE_PATH="+p.modules, "HEADLESS=shell", "BINARY="+p.chromium,
		"PWPIPE_TEST_BROWSERS="+browsers, "PWPIPE_TEST_RESULTS="+results, "PUPPETEER_LOGLEVEL=silent")
	cmd.WaitDelay = 5 * time.Second
	said, _ := cmd.CombinedOutput()
	return append(said, '\n')
}

// pairsOf joins the outcomes of a file's tests on both browsers.
func pairsOf(file string, plain, here []result) (pairs []pair) {
	at, hooks := map[string]outcome{}, ""
	for _, r := range here {
		at[r.Name] = outcome{r.Status, r.Runs, r.Said}
		if strings.Contains(r.Name, `" hook`) {
			hooks += "\n" + r.Name + ": " + r.Said
		}
	}
	for _, r := range plain {
		if strings.Contains(r.Name, `" hook`) {
			continue
		}
		o, ran := at[r.Name]
		if !ran {
			o = outcome{status: "hangs", said: "it was not reached" + hooks}
		}
		pairs = append(pairs, pair{file + ": " + r.Name, outcome{r.Status, r.Runs, r.Said}, o})
	}
	return pairs
}
