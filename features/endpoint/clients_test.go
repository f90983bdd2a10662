package endpoint_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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

// narrow are bounds that one test tries. Others have them too, so that they share its service.
var narrow = []string{"MAX_PAGES=3", "MAX_CONTEXTS=3"}

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

func node(t *testing.T, script, address, site, library string) []string {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(library, "@")
	return []string{in.Node, filepath.Join("testdata", script), address, site, filepath.Join(pipetest.NPM(t, library), name)}
}

// A pipe has no service, so the client gets an address of its own.
func TestPipe(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, pages)
	p := pipetest.Shared(t)
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
