package pwerrors_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/driver"
	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/machine/setup"
)

// TestMain: the test binary is also the driver, as pwpipe is.
func TestMain(m *testing.M) {
	reexec.Run()
	os.Exit(m.Run())
}

// real is a real browser, with a site that misbehaves.
type real struct {
	t       *testing.T
	browser playwright.Browser
	site    string
}

func start(t *testing.T) *real {
	t.Helper()
	in, err := setup.Ensure(context.Background(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Start(driver.Options{Node: in.Node, Dir: in.DriverDir, Env: in.DriverEnv})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Kill)
	env := map[string]string{}
	for _, kv := range append(driver.CleanEnv(), in.Env...) {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	b, err := d.Playwright.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: &in.Executable,
		Args: append(in.Args, "--host-resolver-rules=MAP *.invalid ^NOTFOUND"), Env: env})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<p>text</p><input id=covered><div style="position:fixed;inset:0" id=veil></div>`))
	})
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=a.bin")
		_, _ = w.Write([]byte("a file"))
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	t.Cleanup(site.CloseClientConnections)
	return &real{t, b, site.URL}
}

// page is a page of a new context.
func (r *real) page() playwright.Page {
	r.t.Helper()
	p, err := r.browser.NewPage()
	if err == nil {
		_, err = p.Goto(r.site)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	p.SetDefaultTimeout(2000)
	return p
}

// The obstacle is the last reason in the call's log.
func TestObstacle(t *testing.T) {
	t.Parallel()
	p := start(t).page()
	err := p.Locator("#covered").Click(playwright.LocatorClickOptions{Timeout: playwright.Float(2000)})
	if got := pwerrors.Obstacle(err); !strings.Contains(got, `id="veil"`) || !strings.HasSuffix(got, "intercepts pointer events") {
		t.Errorf("%q of %v", got, err)
	}
	if head, log := pwerrors.SplitLog("it failed\nCall log:\n  - waiting"); head != "it failed" || log != "- waiting" {
		t.Errorf("%q, %q", head, log)
	}
}

// An error that cannot be provoked is looked up in the driver's source: one
// navigation that commits during another.
func TestSentencesOfTheDriver(t *testing.T) {
	t.Parallel()
	in, err := setup.Ensure(context.Background(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(in.DriverDir, "package", "lib", "coreBundle.js"))
	if err != nil {
		t.Fatal(err)
	}
	if !pwerrors.IsInterrupted(errors.New(string(source))) {
		t.Error("the driver has no sentence that IsInterrupted knows")
	}
}
