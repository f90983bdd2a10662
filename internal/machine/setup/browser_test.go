package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stub puts programs on PATH beside the fakes.
func stub(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho "+name+" 1.2\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFindBrowser(t *testing.T) {
	dir := fakeTools(t, goodNode, goodNpm)
	stub(t, dir, "google-chrome", "my-brave", "Firefox-nightly", "MiniBrowser")
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		asked  string
		headed bool
		kind   string
		exe    string // in dir
		wrong  []string
	}{
		{asked: filepath.Join(dir, "my-brave"), kind: "chromium", exe: "my-brave"},
		{asked: "my-brave", kind: "chromium", exe: "my-brave"},
		{asked: filepath.Join(dir, "Firefox-nightly"), kind: "firefox", exe: "Firefox-nightly"},
		{asked: filepath.Join(dir, "MiniBrowser"), kind: "webkit", exe: "MiniBrowser"},
		{asked: "/no/such/browser", wrong: []string{"/no/such/browser is not found", "--browser"}},
		{asked: filepath.Join(dir, "notes.txt"), wrong: []string{"not an executable file", "--browser"}},
	} {
		o, _ := quiet(t)
		o.Browser, o.Headed = c.asked, c.headed
		in := &Installed{}
		err := mustSetup(t, o).findBrowser(context.Background(), in)
		if c.wrong != nil {
			wantError(t, err, c.wrong...)
			continue
		}
		want := &Installed{Kind: c.kind, Executable: filepath.Join(dir, c.exe)}
		if diff := cmp.Diff(want, in); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.asked, err, diff)
		}
	}
}

func TestPwpipeBrowser(t *testing.T) {
	dir := fakeTools(t, goodNode, goodNpm)
	stub(t, dir, "my-brave")
	t.Setenv("PWPIPE_BROWSER", "my-brave")
	o, _ := quiet(t)
	in := &Installed{}
	if err := mustSetup(t, o).findBrowser(context.Background(), in); err != nil || in.Executable != filepath.Join(dir, "my-brave") {
		t.Errorf("%+v %v", in, err)
	}
}

func TestHeadedNeedsAWindow(t *testing.T) {
	if !havePinned() || channelPath("chrome")+channelPath("msedge") != "" {
		t.Skip("for linux/amd64 without Chrome or Edge")
	}
	dir := fakeTools(t, goodNode, goodNpm)
	o, _ := quiet(t)
	o.Headed = true
	s := mustSetup(t, o)
	in := &Installed{}
	wantError(t, s.findBrowser(context.Background(), in), "headed", "--browser PATH")
	stub(t, dir, "chromium")
	if err := s.findBrowser(context.Background(), in); err != nil || in.Executable != filepath.Join(dir, "chromium") {
		t.Errorf("%+v %v", in, err)
	}
	s.Browser = "msedge"
	wantError(t, s.findBrowser(context.Background(), in), "Microsoft Edge is not installed", "--browser PATH")
}

// fakeDriver is a driver folder whose installer is a script.
func fakeDriver(t *testing.T, installer string) *Installed {
	t.Helper()
	dir := t.TempDir()
	pkg := filepath.Join(dir, "package")
	if err := os.Mkdir(pkg, 0o755); err != nil {
		t.Fatal(err)
	}
	const browsers = `{"browsers":[{"name":"firefox","revision":"7","browserVersion":"137.0","revisionOverrides":{"some-os":"5"}}]}`
	for name, body := range map[string]string{"browsers.json": browsers, "cli.js": installer} {
		if err := os.WriteFile(filepath.Join(pkg, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &Installed{Node: "/bin/sh", DriverDir: dir}
}

func TestPlaywrightInstalls(t *testing.T) {
	fakeTools(t, goodNode, goodNpm)
	t.Setenv("PLAYWRIGHT_BROWSERS_PATH", "")
	o, stderr := quiet(t)
	o.Browser = "firefox"
	s := mustSetup(t, o)
	in := fakeDriver(t, `[ "$1 $2" = "install firefox" ] || exit 9
/bin/mkdir -p "$PLAYWRIGHT_BROWSERS_PATH/firefox-5" && : > "$PLAYWRIGHT_BROWSERS_PATH/firefox-5/INSTALLATION_COMPLETE"`)
	s.Offline = true
	wantError(t, s.findBrowser(context.Background(), in), "firefox is missing", "pwpipe install --browser firefox")
	s.Offline = false
	for range 2 {
		if err := s.findBrowser(context.Background(), in); err != nil {
			t.Fatal(err)
		}
	}
	if in.Kind != "firefox" || in.BrowserVersion != "137.0" || !slices.Contains(in.DriverEnv, "PLAYWRIGHT_BROWSERS_PATH="+filepath.Join(o.Cache, "browsers")) {
		t.Errorf("%+v", in)
	}
	if n := strings.Count(stderr.String(), "fetching firefox 137.0"); n != 1 {
		t.Errorf("fetched %d times", n)
	}
}

func TestPlaywrightCannotInstall(t *testing.T) {
	fakeTools(t, goodNode, goodNpm)
	t.Setenv("PLAYWRIGHT_BROWSERS_PATH", "")
	for name, c := range map[string]struct{ script, want string }{
		"no network":  {"echo Downloading; echo 'Error: getaddrinfo ENOTFOUND somewhere'; exit 1", "getaddrinfo ENOTFOUND"},
		"no such os":  {"echo 'ERROR: Playwright does not support firefox on some-os'; exit 1", "does not support firefox"},
		"says it did": {"exit 0", "said nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := quiet(t)
			o.Browser = "firefox"
			err := mustSetup(t, o).findBrowser(context.Background(), fakeDriver(t, c.script))
			wantError(t, err, "could not fetch firefox 137.0", c.want, "--browser PATH")
		})
	}
}

func TestChromiumLibs(t *testing.T) {
	for _, c := range []struct {
		name, missing, want string
	}{
		{"all there", "", ""},
		{"no expat", "libexpat.so.1", "/c/lib"},
		{"no NSS", "libnss3.so libnssutil3.so libnspr4.so", "/c/lib"},
		{"nothing", "libnss3.so libnssutil3.so libnspr4.so libexpat.so.1 libsqlite3.so.0", "/c/lib:/c/lib-sqlite"},
	} {
		got := chromiumLibs("/c", func(lib string) bool { return !strings.Contains(c.missing, lib) })
		if filepath.ToSlash(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestChromiumEnvKeepsTheUsers(t *testing.T) {
	t.Setenv("FONTCONFIG_FILE", "/mine")
	for _, kv := range chromiumEnv("/c") {
		if strings.HasPrefix(kv, "FONTCONFIG") {
			t.Error(kv)
		}
	}
}
