package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// browsersDir is where Playwright's own installer puts browsers: the user's
// choice, so that what is there already is not fetched again, else our cache.
func (c cache) browsersDir() string {
	if dir := os.Getenv("PLAYWRIGHT_BROWSERS_PATH"); dir != "" && dir != "0" {
		return dir
	}
	return filepath.Join(c.root, "browsers")
}

// findPlaywrights finds a browser that Playwright itself provides, and lets its
// installer fetch it where it is missing.
func (s *setup) findPlaywrights(ctx context.Context, in *Installed, name string) error {
	in.DriverEnv = []string{"PLAYWRIGHT_BROWSERS_PATH=" + s.browsersDir()}
	b, err := readBrowser(in.DriverDir, name)
	if err != nil {
		return err
	}
	in.BrowserVersion = b.BrowserVersion
	if b.installed(s.browsersDir()) {
		return nil
	}
	if s.Offline {
		return errorf("%s is missing and fetching is off; run `pwpipe install --browser %s` while online", name, in.Kind)
	}
	return s.runInstaller(ctx, in, b)
}

func (s *setup) runInstaller(ctx context.Context, in *Installed, b playwrightBrowser) error {
	if err := s.makeCache(); err != nil {
		return err
	}
	unlock, err := s.lock(ctx, s.out)
	if err != nil {
		return err
	}
	defer unlock()
	if b.installed(s.browsersDir()) {
		return nil
	}
	s.out.say("fetching %s %s with Playwright's installer ...", b.Name, b.BrowserVersion)
	cmd := exec.CommandContext(ctx, in.Node, filepath.Join(in.DriverDir, "package", "cli.js"), "install", b.Name)
	cmd.Env = append(os.Environ(), in.DriverEnv...)
	tail := &tailWriter{}
	var out io.Writer = tail
	if s.out.tty {
		out = io.MultiWriter(tail, s.Stderr)
	}
	cmd.Stdout, cmd.Stderr = out, out // one writer, so one goroutine copies
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && b.installed(s.browsersDir()) {
		s.out.say("fetched %s %s", b.Name, b.BrowserVersion)
		return nil
	}
	return errorf("Playwright could not fetch %s %s for this system: %s; check the network and HTTPS_PROXY, or use a browser that is installed with `--browser PATH`", b.Name, b.BrowserVersion, tail.reason(err))
}

// playwrightBrowser is one entry of the driver's browsers.json.
type playwrightBrowser struct {
	Name              string            `json:"name"`
	Revision          string            `json:"revision"`
	BrowserVersion    string            `json:"browserVersion"`
	RevisionOverrides map[string]string `json:"revisionOverrides"`
}

func readBrowser(driverDir, name string) (playwrightBrowser, error) {
	var file struct {
		Browsers []playwrightBrowser `json:"browsers"`
	}
	data, err := os.ReadFile(filepath.Join(driverDir, "package", "browsers.json"))
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		return playwrightBrowser{}, errorf("the driver's browsers.json cannot be read: %w; remove %s and run `pwpipe install`", err, driverDir)
	}
	for _, b := range file.Browsers {
		if b.Name == name {
			return b, nil
		}
	}
	return playwrightBrowser{}, errorf("the Playwright driver has no browser %s; use `--browser PATH`", name)
}

// installed looks for the marker that Playwright's installer writes last.
func (b playwrightBrowser) installed(dir string) bool { return b.dir(dir) != "" }

// dir answers the folder of the browser inside Playwright's, "" where it is not
// installed. Some systems get an older revision.
func (b playwrightBrowser) dir(browsers string) string {
	revisions := []string{b.Revision}
	for _, r := range b.RevisionOverrides {
		revisions = append(revisions, r)
	}
	for _, r := range revisions {
		dir := filepath.Join(browsers, strings.ReplaceAll(b.Name, "-", "_")+"-"+r)
		if _, err := os.Stat(filepath.Join(dir, "INSTALLATION_COMPLETE")); err == nil {
			return dir
		}
	}
	return ""
}

// tailWriter keeps the end of what the installer says, for the error.
type tailWriter struct{ text []byte }

func (t *tailWriter) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - 64<<10; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// reason is the line that says most: the first that names an error.
func (t *tailWriter) reason(err error) string {
	for line := range strings.Lines(string(t.text)) {
		if strings.Contains(line, "Error: ") || strings.Contains(line, "ERROR: ") {
			return firstLine(line)
		}
	}
	if err == nil {
		return "its installer said nothing"
	}
	return cmp.Or(firstLine(string(t.text)), err.Error())
}
