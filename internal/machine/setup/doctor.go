package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"pwpipe/internal/machine/writefile"
)

// Check is one line of a doctor's report.
type Check struct {
	Name   string
	Status string // one of those below
	Detail string // version, path, or what is wrong
	Fix    string // command that fixes it, "" when ok
}

// The statuses of checks. What is missing or broken keeps pwpipe from working.
const (
	StatusOK      = "ok"
	StatusMissing = "missing"
	StatusBroken  = "broken"
	StatusNote    = "note"
)

const installFix = "pwpipe install"

// doctor looks at one part of the machine after the other.
type doctor struct{ *setup }

// Doctor reports what is found, without fetching or changing anything. It starts
// programs once with --version, and a Chromium once more to try its sandbox. The checks of
// more, about parts that setup does not know, come before the browser's; node is "" where there is none.
func Doctor(ctx context.Context, o Options, more ...func(ctx context.Context, node string) Check) []Check {
	o.Offline = true
	s, err := newSetup(o)
	if err != nil {
		return []Check{{"cache", StatusBroken, said(err), "export PWPIPE_CACHE=/path/to/folder"}}
	}
	d := doctor{s}
	checks := []Check{d.checkNode(ctx), d.checkNpm(ctx), d.checkCache(), checkTemp(), d.checkLimits(),
		d.checkRelease("driver", driverRelease)}
	for _, check := range more {
		checks = append(checks, check(ctx, d.node))
	}
	if d.SkipBrowser {
		return checks
	}
	return append(checks, d.checkBrowser(ctx)...)
}

// said is an error as a detail: without the prefix that the report makes plain.
func said(err error) string {
	if own, ok := errors.AsType[*Error](err); ok {
		return own.err.Error()
	}
	return err.Error()
}

func (d doctor) checkNode(ctx context.Context) Check {
	const fix = "install Node.js 18 or newer"
	path, err := lookNode()
	if err != nil {
		return Check{"node", StatusMissing, said(err), fix}
	}
	d.node = path
	version, err := nodeVersion(ctx, path)
	if err != nil {
		return Check{"node", StatusBroken, said(err), fix}
	}
	return Check{"node", StatusOK, version + " " + path, ""}
}

// checkNpm is only a note once everything is there: npm is for fetching.
func (d doctor) checkNpm(ctx context.Context) Check {
	const fix = "install npm, which comes with Node.js"
	npm, err := d.findNpm()
	if err != nil {
		return Check{"npm", d.unlessDone(StatusMissing), said(err), fix}
	}
	version, err := runVersion(ctx, npm.path, npm.env, npm.script...)
	if err != nil {
		return Check{"npm", d.unlessDone(StatusBroken), fmt.Sprintf("%s does not run: %v", npm.path, err), fix}
	}
	return Check{"npm", StatusOK, version + " " + npm.path, ""}
}

func (d doctor) unlessDone(status string) string {
	if _, err := checkInstall(d.dir(driverRelease), driverRelease); err == nil {
		return StatusNote
	}
	return status
}

func (d doctor) checkCache() Check {
	const fix = "export PWPIPE_CACHE=/path/to/folder"
	at := d.root
	for { // the folder may not exist yet: what counts is where it would be made
		st, err := os.Stat(at)
		if err == nil && !st.IsDir() {
			return Check{"cache", StatusBroken, at + " is not a folder", fix}
		}
		if err == nil || filepath.Dir(at) == at {
			break
		}
		at = filepath.Dir(at)
	}
	free := freeIn(at)
	if !writable(at) {
		return Check{"cache", d.unlessDone(StatusBroken), d.root + " is not writable" + free, fix}
	}
	if at != d.root {
		return Check{"cache", StatusOK, d.root + " (not made yet)" + free, ""}
	}
	return Check{"cache", StatusOK, d.root + free, ""}
}

func checkTemp() Check {
	if err := CheckTemp(); err != nil {
		what, fix, _ := strings.Cut(err.Error(), "; ")
		return Check{"temp", StatusBroken, what, fix}
	}
	return Check{"temp", StatusOK, os.TempDir() + freeIn(os.TempDir()), ""}
}

// freeIn is the free space of a folder's disk as the end of a detail.
func freeIn(dir string) string {
	n, ok := freeSpace(dir)
	if !ok {
		return ""
	}
	return ", " + size(int64(n)) + " free"
}

func (d doctor) checkLimits() Check {
	if err := CheckLimits(!d.takesPinned()); err != nil {
		return Check{"limits", StatusBroken, err.Error(), "raise what is named, where pwpipe is started"}
	}
	return Check{"limits", StatusOK, "high enough for a browser", ""}
}

func (d doctor) checkRelease(name string, r release) Check {
	dir := d.dir(r)
	m, err := checkInstall(dir, r)
	switch {
	case err == nil:
		return Check{name, StatusOK, r.Name + " " + m.Detail + " " + dir, ""}
	case errors.Is(err, errMissing):
		return Check{name, StatusMissing, r.Name + " " + r.Version + " is not in " + d.root, installFix}
	}
	return Check{name, StatusBroken, r.Name + " " + r.Version + " is " + reason(err), installFix}
}

func (d doctor) checkBrowser(ctx context.Context) []Check {
	if d.takesPinned() {
		return d.checkPinned(ctx)
	}
	in := &Installed{DriverDir: d.dir(driverRelease)}
	if err := d.findBrowser(ctx, in); err != nil {
		fix := installFix
		if d.Browser != "" {
			fix += " --browser " + d.Browser
		}
		if in.DriverEnv == nil { // not something we fetch
			fix = "pwpipe --browser PATH"
		}
		return []Check{{"browser", StatusMissing, said(err), fix}}
	}
	if path := in.Program(); path != "" {
		return d.withSandbox(ctx, in, startBrowser(ctx, path, in.Env))
	}
	return d.withSandbox(ctx, in, Check{"browser", StatusOK, in.Kind + " " + in.BrowserVersion + " in " + d.browsersDir(), ""})
}

// withSandbox adds the sandbox's problem to a browser that runs. It always tries, and
// stores the result: a recent fix counts.
func (d doctor) withSandbox(ctx context.Context, in *Installed, browser Check, more ...Check) []Check {
	list := append([]Check{browser}, more...)
	if browser.Status != StatusOK || in.Kind != "chromium" {
		return list
	}
	const name, fixAuto = "sandbox", "--browser-sandbox auto"
	c, err := Sandbox(ctx, d.Options, in, true)
	switch {
	case err != nil:
		return append(list, Check{name, StatusBroken, said(err), fixAuto})
	case c.On:
		return append(list, Check{name, StatusOK, "Chromium's own is on: a page that takes over its process gets no files, no network, no other process", ""})
	}
	return append(list, Check{name, StatusNote, "off, so a page that takes over its process has all that you have: " + c.Why, c.Fix})
}

// startBrowser runs a browser once with --version.
func startBrowser(ctx context.Context, path string, env []string) Check {
	if runtime.GOOS == "windows" { // browsers there open a window instead
		return Check{"browser", StatusOK, path, ""}
	}
	version, err := runVersion(ctx, path, env)
	if err != nil {
		return Check{"browser", StatusBroken, fmt.Sprintf("%s does not run: %v", path, err), "pwpipe --browser PATH"}
	}
	return Check{"browser", StatusOK, version + " " + path, ""}
}

func (d doctor) checkPinned(ctx context.Context) []Check {
	dir := d.dir(chromiumRelease)
	check := d.checkRelease("browser", chromiumRelease)
	if check.Status == StatusOK {
		check = startBrowser(ctx, filepath.Join(dir, chromiumExe), chromiumEnv(dir))
		check.Detail += ", " + chromiumRelease.age(time.Now())
	}
	in := &Installed{Kind: "chromium", Executable: filepath.Join(dir, chromiumExe), Env: chromiumEnv(dir)}
	return d.withSandbox(ctx, in, check, checkLibraries(dir), checkFonts())
}

func checkLibraries(dir string) Check {
	if _, err := os.Stat(glibcLoader); err != nil {
		return Check{"libraries", StatusMissing, "glibc (" + glibcLoader + ")", "pwpipe --browser PATH"}
	}
	if chromiumLibs(dir, systemHas) == "" {
		return Check{"libraries", StatusOK, "the system's NSS and expat", ""}
	}
	return Check{"libraries", StatusOK, "NSS and expat from the cache folder, as the system has not all of them", ""}
}

// checkFonts notes if only the three faces that come with Chromium are there: text
// shows, but monospace, Chinese or emoji need fonts of the system.
func checkFonts() Check {
	if conf := os.Getenv("FONTCONFIG_FILE") + os.Getenv("FONTCONFIG_PATH"); conf != "" {
		return Check{"fonts", StatusNote, "as FONTCONFIG_FILE or FONTCONFIG_PATH says: " + conf, ""}
	}
	for _, dir := range []string{"/usr/share/fonts", "/usr/local/share/fonts"} {
		if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
			return Check{"fonts", StatusOK, "Open Sans from the cache folder, and " + dir, ""}
		}
	}
	return Check{"fonts", StatusNote, "only Open Sans from the cache folder: no monospace, Chinese or emoji", "apt-get install fonts-dejavu fonts-noto-cjk fonts-noto-color-emoji"}
}

// writable says whether a file could be made in dir, without making one where
// the system can tell.
func writable(dir string) bool {
	if ok, known := canWrite(dir); known {
		return ok
	}
	f, err := writefile.Temp(dir, tempPrefix)
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}
