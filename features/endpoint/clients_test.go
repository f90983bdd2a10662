package endpoint_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// Releases of the clients: the driver's own, and the newest that was tested.
const (
	oldPlaywright    = "playwright-core@1.52.0"
	newPlaywright    = "playwright-core@1.65.1"
	newPuppeteer     = "puppeteer-core@24.43.1"
	pythonPlaywright = "playwright==1.52.0"
)

var pages = map[string]string{
	"/":      `<h1>first</h1>`,
	"/click": `<h1>here</h1><button id=go onclick="count.textContent++">Go</button><b id=count>0</b><a href=/two target=_blank>open</a>`,
	"/two":   `<h1>two</h1>`,
}

// startPair starts a service with two sessions, each on the site with its own
// cookie. It returns the first one's address.
func startPair(t *testing.T, settings ...string) (svc *pipetest.Service, ours, theirs pipetest.Session, site, address string) {
	t.Helper()
	site = pipetest.ServePages(t, pages)
	svc = pipetest.SharedService(t, append([]string{"ALLOW_HOST_REGEX=^http://127\\.0\\.0\\.1:"}, settings...)...)
	ours, theirs = svc.Open(nil), svc.Open(nil)
	for i, s := range []pipetest.Session{ours, theirs} {
		s.On("nav", map[string]any{"url": site + "/"})
		s.On("eval", map[string]any{"code": fmt.Sprintf("document.cookie = 'cookie%d=1'", i)})
	}
	var got struct{ URL string }
	ours.On("session.cdp", nil, &got)
	return svc, ours, theirs, site, got.URL
}

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

func node(t *testing.T, script, address, site, library string) []string {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(library, "@")
	return []string{in.Node, filepath.Join("testdata", script), address, site, filepath.Join(pipetest.NPM(t, library), name)}
}

func python(t *testing.T, address, site string) []string {
	t.Helper()
	return []string{"env", "PYTHONPATH=" + pipetest.PIP(t, pythonPlaywright), "python3", filepath.Join("testdata", "client.py"), address, site}
}

// A pipe has no service, so the client gets an address of its own.
func TestPipe(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, pages)
	p := pipetest.Start(t)
	p.Call("nav", []any{site + "/"})
	p.Call("eval", []any{"document.cookie = 'cookie0=1'"})
	got := pipetest.Decode[struct{ URL string }](t, p.Call("session.cdp", nil))
	// As an HTTP URL: the client asks it for the WebSocket's address.
	command := node(t, "playwright.cjs", strings.Replace(got.URL, "ws:", "http:", 1), site, oldPlaywright)
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"left":"/click"`) {
		t.Errorf("%v: %s", err, out)
	}
	if text := p.Text("title", nil); text != "/click" {
		t.Errorf("the tools see %q", text)
	}
}
