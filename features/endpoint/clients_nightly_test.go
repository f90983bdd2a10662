//go:build evidence

package endpoint_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pwpipe/internal/pipetest"
)

// A client's own library works in a session, and sees nothing of another.
func TestClients(t *testing.T) {
	pipetest.Nightly(t, "it fetches clients, and TestPipe is quick")
	t.Parallel()
	svc, ours, theirs, site, address := startPair(t)
	for name, c := range map[string]struct {
		command func(t *testing.T) []string
		routes  bool
	}{
		"playwright 1.52":   {func(t *testing.T) []string { return node(t, "playwright.cjs", address, site, oldPlaywright) }, true},
		"playwright newest": {func(t *testing.T) []string { return node(t, "playwright.cjs", address, site, newPlaywright) }, true},
		"puppeteer":         {func(t *testing.T) []string { return node(t, "puppeteer.cjs", address, site, newPuppeteer) }, false},
		"python":            {func(t *testing.T) []string { return python(t, address, site) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			command := c.command(t)
			ours.On("nav", map[string]any{"url": site + "/"})
			ours.On("eval", map[string]any{"code": "document.cookie = 'mine=; max-age=0'"})
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Env = append(os.Environ(), "KEY="+svc.Key)
			var errs strings.Builder
			cmd.Stderr = &errs
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, errs.String())
			}
			got, want := map[string]any{}, map[string]any{
				"contexts": 1.0, "pages": []any{"/"}, "cookies": []any{"cookie0"}, "clicked": "1", "dialog": "yes", "now": []any{"cookie0", "mine"},
				"popup": "/two", "own": []any{"/two", 0.0, 2.0}, "picture": true, "left": "/click"}
			if c.routes {
				want["routed"] = map[string]any{"a": 7.0}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			slices.SortFunc(got["now"].([]any), func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			// Client and tools share one page. The client's own pages are closed with it.
			if text := ours.On("txt", map[string]any{"sel": "#count"}); text != `"1"` {
				t.Errorf("the tools see %s", text)
			}
			if list := ours.Pages(); len(list) != 1 {
				t.Errorf("pages: %v", list)
			}
		})
	}
	if text := theirs.On("title", nil); text != `"/"` {
		t.Errorf("the other session is at %s", text)
	}
	if cookies := theirs.On("eval", map[string]any{"code": "document.cookie"}); cookies != `"cookie1=1"` {
		t.Errorf("the other session's cookies: %s", cookies)
	}
}

func python(t *testing.T, address, site string) []string {
	t.Helper()
	return []string{"env", "PYTHONPATH=" + pipetest.PIP(t, pythonPlaywright), "python3", filepath.Join("testdata", "client.py"), address, site}
}
