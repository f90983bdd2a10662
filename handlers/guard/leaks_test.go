package guard_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/secrets/secretstest"
)

// leakRun drives a pwpipe over its pipe and keeps all of its output.
type leakRun struct {
	*pipetest.Pipe
	site, dir string
	out       strings.Builder
	used      map[string]bool
}

// do calls a tool and returns its result, which may be an error.
func (l *leakRun) do(tool string, params any, more ...any) json.RawMessage {
	l.T.Helper()
	l.used[tool] = true
	id := l.Request(tool, params, more...)
	for {
		line := l.Line()
		l.out.WriteString(line + "\n")
		var r pipetest.Reply
		if json.Unmarshal([]byte(line), &r) == nil && string(r.ID) == fmt.Sprint(id) {
			return r.Result
		}
	}
}

// must is do for a call on which the test depends.
func (l *leakRun) must(tool string, params any, more ...any) json.RawMessage {
	l.T.Helper()
	r := l.do(tool, params, more...)
	if r == nil {
		lines := strings.Split(strings.TrimSpace(l.out.String()), "\n")
		l.T.Fatalf("%s: %.500s", tool, lines[len(lines)-1])
	}
	return r
}

type list = []any

// spared are the tools that output nothing of a page or of their arguments.
var spared = map[string]string{
	"clock-install": "answers null", "clock-forward": "answers null", "clock-run": "answers null", "clock-set": "answers null", "clock-pause": "answers null",
	"clock-resume": "answers null", "mouse-move": "answers null", "mouse-down": "answers null", "mouse-up": "answers null", "mouse-click": "answers null", "wheel": "answers null",
	"click-at": "answers null", "viewport": "answers null", "media": "answers null", "offline": "answers null", "throttle": "answers null", "front": "answers null",
	"geolocation": "answers null", "debug-exceptions": "answers null", "rpc.discover": "the declarations", "help": "the declarations", "devices": "Playwright's list",
	"session.create": "a handle; over the service, in its own test", "session.close": "as session.create", "session.cdp": "refused where there are secrets", "trace-start": "answers null",
	"trace-stop": "a path; a trace holds what there is", "browser_start_tracing": "as trace-start", "browser_stop_tracing": "as trace-stop", "video-start": "a path", "video-stop": "a path", "video-chapter": "answers null", "events.subscribe": "as events", "events.unsubscribe": "as events",
	"log-stop": "a number", "tap": "as click, on pages with touch", "key-down": "as press", "key-up": "as press", "axe.run": "needs axe-core, which a test may have no network for", "ask-person": "a word of its own",
}

// Calls every tool that outputs or cuts text, on a page with secrets in every
// place. No eight characters of a secret may get to stdout, stderr or a file,
// in any encoding. Page text must be between the markers.
func TestNothingOfSecretsLeaves(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsNeverLeave is quick")
	t.Parallel()
	site, all, secrets := leaky(t), t.TempDir(), oddFile(t)
	var mu sync.Mutex
	used := map[string]bool{}
	t.Run("tools", func(t *testing.T) {
		for name, part := range leakParts {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := filepath.Join(all, name)
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				l := &leakRun{Pipe: pipetest.Start(t, "--base-url", site, "--secrets", secrets, "--content-boundaries", "--page-tools", "--log-level", "debug",
					"--allow-dir", dir, "--output-dir", filepath.Join(dir, "out")), site: site, dir: dir, used: map[string]bool{}}
				l.must("log-start", list{filepath.Join(dir, "log.ndjson")})
				l.must("events", pipetest.Object{})
				l.must("nav", list{"/"})
				part(l)
				l.do("log-stop", nil)
				rest, _ := l.Close()
				l.out.WriteString(rest)
				noLeaks(t, "stdout", l.out.String())
				noLeaks(t, "stderr", l.Stderr())
				allMarked(t, l.out.String())
				mu.Lock()
				defer mu.Unlock()
				maps.Copy(used, l.used)
			})
		}
	})
	text, _, _ := pipetest.Run(t, "", "tools", "--profile", "all", "--format", "json")
	for _, tool := range pipetest.Decode[[]struct{ Name string }](t, text) {
		if !used[tool.Name] && spared[tool.Name] == "" {
			t.Errorf("%s has no case here, nor is it spared for a reason", tool.Name)
		}
	}
	noLeaksIn(t, all)
}

// noLeaks fails if a text contains a secret, or eight characters of one.
func noLeaks(t *testing.T, where, text string) {
	t.Helper()
	for _, v := range values() {
		if left := secretstest.Leak(text, v); left != "" {
			t.Errorf("%s: %s", where, left)
		}
	}
}

// noLeaksIn is noLeaks for a folder's text files and their names. Downloads and
// saved states may hold secrets.
func noLeaksIn(t *testing.T, dir string) {
	t.Helper()
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		noLeaks(t, "a file's name", path)
		ext := filepath.Ext(path)
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen[ext] = true
		switch ext {
		case ".har", ".html", ".ndjson":
			noLeaks(t, path, string(raw))
		case ".txt":
			if strings.Contains(path, "b_") || strings.Contains(path, "/peers") { // of playwright_browser, or of theirs
				noLeaks(t, path, string(raw))
			}
		case ".zip":
			noLeaks(t, path, unzipped(t, raw))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".har", ".html", ".ndjson", ".txt", ".zip"} {
		if !seen[ext] {
			t.Errorf("no %s was written", ext)
		}
	}
}

func unzipped(t *testing.T, raw []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(&b, r)
		_ = r.Close()
	}
	return b.String()
}

var reMarkedParts = regexp.MustCompile(`(?s)\[page-content ([a-z0-9]{20,})\].*?\[/page-content ([a-z0-9]{20,})\]`)

// allMarked fails if page-controlled text is outside of the markers.
func allMarked(t *testing.T, text string) {
	t.Helper()
	failed := 0
	for line := range strings.Lines(text) {
		bare := reMarkedParts.ReplaceAllString(line, "")
		if i := strings.Index(bare, obey); i >= 0 && failed < 10 {
			failed++
			t.Errorf("not marked: %.100s … %s", line, bare[max(0, i-200):min(len(bare), i+60)])
		}
	}
}
