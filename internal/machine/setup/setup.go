// Package setup finds or fetches the Playwright driver and a browser.
//
// The contract: a machine with Node 18 or newer and npm needs nothing else.
// What is missing comes from the npm registry through the machine's own npm,
// so that its proxy, registry, credentials and certificates hold, and lands in
// one cache folder. A release is unpacked beside its final place, checked, and
// renamed there as the last step: what has the final name is whole. A manifest
// with the size of every file lets each start notice damage by stat alone.
//
// Layout of the cache folder:
//
//	playwright-core-1.60.0/   package/cli.js, pwpipe.json
//	chromium-153.0.0/         chromium, lib/, fonts/, ..., pwpipe.json (linux/amd64)
//	browsers/                 what Playwright's own installer fetches
//	state.json                versions of the Node programs seen, which browsers
//	                          run with their sandbox on, and with which arguments
//	                          the driver starts them
//	lock                      held while something is fetched
//	.tmp-*                    work under way, or left by a killed run
//
// Progress goes to Options.Stderr; nothing is ever written to stdout.
package setup

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Options of one run. The zero value is what a first run uses.
type Options struct {
	// Cache is the cache folder; "" means PWPIPE_CACHE, else the user's cache
	// folder + "/pwpipe".
	Cache string
	// Browser is "chromium", "chrome", "msedge", "firefox", "webkit" or a path to
	// an executable; "" means PWPIPE_BROWSER, else "chromium".
	Browser string
	// Headed asks for a browser that can show a window.
	Headed bool
	// Stderr gets the progress; nil means os.Stderr.
	Stderr io.Writer
	// Offline never fetches: what is missing is an error.
	Offline bool
	// SkipBrowser finds the driver only, to attach to a browser that runs already.
	SkipBrowser bool
	// Sandbox is SandboxAuto (also ""), SandboxOn or SandboxOff.
	Sandbox string
}

// Installed says where everything is.
type Installed struct {
	Node           string   // path of node
	NodeVersion    string   // such as "v20.11.0"
	DriverDir      string   // DriverDir/package/cli.js is the driver
	Kind           string   // "chromium", "firefox" or "webkit": which Playwright browser type starts it
	Channel        string   // "chrome", "msedge" or "": Playwright's channel option
	Executable     string   // browser executable, "" to let Playwright find it
	BrowserVersion string   // where known without running it, else ""
	Env            []string // KEY=VALUE that this browser needs
	Args           []string // command-line arguments that this browser build needs
	DriverEnv      []string // KEY=VALUE that the driver needs
}

// Pinned reports whether the browser is the headless build that pwpipe fetches.
func (in *Installed) Pinned() bool { return len(in.Env) > 0 }

// setup is one run: resolved options and what is known so far.
type setup struct {
	Options
	cache
	fetcher
}

func newSetup(o Options) (*setup, error) {
	root, err := cacheDir(o.Cache)
	if err != nil {
		return nil, err
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	o.Browser = cmp.Or(o.Browser, os.Getenv("PWPIPE_BROWSER"))
	return &setup{o, cache{root}, fetcher{out: newProgress(o.Stderr)}}, nil
}

// Ensure finds what Options request and fetches what is missing. If everything is there
// it costs a few stats and starts no process. Two runs at once both succeed. An error
// is one line that says what failed and what to do.
func Ensure(ctx context.Context, o Options) (*Installed, error) {
	s, err := newSetup(o)
	if err != nil {
		return nil, err
	}
	in := &Installed{}
	if in.Node, in.NodeVersion, err = s.findNode(ctx); err != nil {
		return nil, err
	}
	s.node = in.Node
	if in.DriverDir, _, err = s.ensure(ctx, driverRelease); err != nil {
		return nil, err
	}
	if o.SkipBrowser {
		return in, nil
	}
	return in, s.findBrowser(ctx, in)
}

// Axe finds or fetches axe-core and answers the path of its axe.min.js. It uses
// Cache, Stderr and Offline of Options.
func Axe(ctx context.Context, o Options) (path string, err error) {
	dir, err := packageOf(ctx, o, axeRelease)
	return filepath.Join(dir, "axe.min.js"), err
}

// Expect finds or fetches Playwright's test package, which has expect, and answers
// its folder. It uses Cache, Stderr and Offline of Options.
func Expect(ctx context.Context, o Options) (dir string, err error) {
	return packageOf(ctx, o, testRelease)
}

// packageOf answers the folder of a release's own files.
func packageOf(ctx context.Context, o Options, r release) (string, error) {
	s, err := newSetup(o)
	if err != nil {
		return "", err
	}
	dir, _, err := s.ensure(ctx, r)
	return filepath.Join(dir, "package"), err
}

// ensure answers the folder of a release, fetching it where it is missing or
// damaged.
func (s *setup) ensure(ctx context.Context, r release) (string, *manifest, error) {
	dir := s.dir(r)
	m, err := checkInstall(dir, r)
	if err == nil {
		return dir, m, nil
	}
	if s.Offline {
		return "", nil, errorf("%s %s is %s and fetching is off; run `pwpipe install` while online", r.Title, r.Version, reason(err))
	}
	m, err = s.install(ctx, r)
	return dir, m, err
}

// Error stops a set-up, and says what to do about it.
type Error struct{ err error }

func (e *Error) Error() string { return "setup: " + e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// errorf makes an Error. Its format is a whole sentence.
func errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// Pinned names what this version of pwpipe runs on: Playwright's driver, and the browser
// that it fetches where none is named.
func Pinned() string {
	if !havePinned() {
		return "Playwright " + driverRelease.Version + " and its Chromium"
	}
	return "Playwright " + driverRelease.Version + ", Chromium " + chromiumRelease.Version
}

// NoDisplay reports whether a window could not be shown: on Linux and its kin
// the environment names the display.
func NoDisplay() bool {
	switch runtime.GOOS {
	case "windows", "darwin":
		return false
	}
	return os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == ""
}

// sqliteLib is the library that NSS loads for its database of certificates.
const sqliteLib = "libsqlite3.so.0"

// sqliteStub is the compiled sqlite/stub.c, whose head says what it is for and
// how to build it. It is kept compiled: no npm package has a libsqlite3, and the
// machine may have no compiler.
//
//go:embed sqlite/libsqlite3.so.0
var sqliteStub []byte
