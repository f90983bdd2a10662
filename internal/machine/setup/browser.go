package setup

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// findBrowser fills the browser's part of in.
func (s *setup) findBrowser(ctx context.Context, in *Installed) error {
	in.Kind = "chromium"
	ours := s.Browser == "" || s.Browser == "chromium"
	switch {
	case s.takesPinned():
		return s.findPinned(ctx, in)
	case ours && havePinned():
		return s.findWindowed(in)
	case ours && s.Headed:
		return s.findPlaywrights(ctx, in, "chromium")
	case ours:
		return s.findPlaywrights(ctx, in, "chromium-headless-shell")
	case s.Browser == "chrome" || s.Browser == "msedge":
		return s.findChannel(in)
	case s.Browser == "firefox" || s.Browser == "webkit":
		in.Kind = s.Browser
		return s.findPlaywrights(ctx, in, s.Browser)
	}
	return s.findPath(in)
}

func (s *setup) takesPinned() bool {
	return havePinned() && !s.Headed && (s.Browser == "" || s.Browser == "chromium")
}

// havePinned reports whether the pinned Chromium fits this system.
func havePinned() bool { return pinnedFits(runtime.GOOS, runtime.GOARCH) }

// pinnedFits reports whether the pinned Chromium fits a system. No npm package that is kept
// up has one for others: there the driver's own installer fetches it.
func pinnedFits(goos, goarch string) bool { return goos == "linux" && goarch == "amd64" }

func (s *setup) findPinned(ctx context.Context, in *Installed) error {
	if _, err := checkInstall(s.dir(chromiumRelease), chromiumRelease); err != nil {
		// Better an error before the download of 68 MB than after.
		if _, err := os.Stat(glibcLoader); err != nil {
			return errorf("the Chromium that pwpipe fetches needs glibc, which this Linux does not have (%s is missing); install Chromium from its packages and use `--browser PATH`", glibcLoader)
		}
	}
	dir, m, err := s.ensure(ctx, chromiumRelease)
	if err != nil {
		return err
	}
	in.Executable = filepath.Join(dir, chromiumExe)
	in.BrowserVersion = m.Detail
	in.Env = chromiumEnv(dir)
	return nil
}

// glibcLoader is the program interpreter that the pinned Chromium names.
const glibcLoader = "/lib64/ld-linux-x86-64.so.2"

// findWindowed looks for an installed browser that can show a window, which the
// pinned headless shell cannot.
func (s *setup) findWindowed(in *Installed) error {
	for _, name := range []string{"google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable", "microsoft-edge"} {
		if path, err := exec.LookPath(name); err == nil {
			in.Executable = path
			return nil
		}
	}
	for _, channel := range []string{"chrome", "msedge"} {
		if path := channelPath(channel); path != "" {
			in.Channel = channel
			return nil
		}
	}
	return errorf("a headed run needs a full browser, and the Chromium that pwpipe fetches has no window; install Chrome or Chromium, use `--browser PATH` or `--browser firefox`, or run headless")
}

// findChannel finds Chrome or Edge where their own installers put them, so that
// Playwright finds them too, else on PATH.
func (s *setup) findChannel(in *Installed) error {
	if channelPath(s.Browser) != "" {
		in.Channel = s.Browser
		return nil
	}
	for _, name := range channelNames[s.Browser] {
		if path, err := exec.LookPath(name); err == nil {
			in.Executable = path
			return nil
		}
	}
	return errorf("%s is not installed here; install it, name its executable with `--browser PATH`, or leave --browser out for the Chromium that pwpipe fetches", channelTitles[s.Browser])
}

var (
	channelTitles = map[string]string{"chrome": "Google Chrome", "msedge": "Microsoft Edge"}
	channelNames  = map[string][]string{
		"chrome": {"google-chrome-stable", "google-chrome"},
		"msedge": {"microsoft-edge-stable", "microsoft-edge"},
	}
)

// channelPath answers where Playwright will find a channel on this system, ""
// where it is not installed.
func channelPath(channel string) string {
	var tails = map[string]map[string]string{
		"linux":   {"chrome": "/opt/google/chrome/chrome", "msedge": "/opt/microsoft/msedge/msedge"},
		"darwin":  {"chrome": "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "msedge": "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"},
		"windows": {"chrome": `Google\Chrome\Application\chrome.exe`, "msedge": `Microsoft\Edge\Application\msedge.exe`},
	}
	tail := tails[runtime.GOOS][channel]
	if tail == "" {
		return ""
	}
	for _, base := range programFolders() {
		path := filepath.Join(base, tail)
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			return path
		}
	}
	return ""
}

func programFolders() []string {
	if runtime.GOOS != "windows" {
		return []string{"/"}
	}
	var dirs []string
	for _, name := range []string{"LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"} {
		if dir := os.Getenv(name); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// findPath takes Browser as the path, or the name on PATH, of an executable.
func (s *setup) findPath(in *Installed) error {
	path, err := exec.LookPath(s.Browser)
	if err != nil {
		why := "not found"
		if _, serr := os.Stat(s.Browser); serr == nil {
			why = "not an executable file"
		}
		return errorf("browser %s is %s; give --browser the path of an executable, or one of chromium, chrome, msedge, firefox, webkit", s.Browser, why)
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	in.Executable = path
	in.Kind = kindOf(path)
	if path == filepath.Join(s.dir(chromiumRelease), chromiumExe) {
		in.Env = chromiumEnv(filepath.Dir(path))
	}
	return nil
}

// kindOf guesses from the name of an executable which of Playwright's browser
// types starts it. Most are Chromium by another name.
func kindOf(path string) string {
	name := strings.ToLower(filepath.Base(path))
	switch {
	case strings.Contains(name, "firefox"):
		return "firefox"
	case strings.Contains(name, "webkit"), strings.Contains(name, "minibrowser"), name == "pw_run.sh", name == "playwright.exe":
		return "webkit"
	}
	return "chromium"
}
