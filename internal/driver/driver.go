// Package driver runs the Playwright driver, a Node process, and ties its life
// to ours.
//
// playwright-go starts the program named by PLAYWRIGHT_NODEJS_PATH twice: once
// to ask for its version, once to run. We name our own binary, which answers
// the first from a file and becomes Node for the second (see [Main]): that
// saves a third of a second at every start, gives Node an environment of our
// choosing, and lets the kernel end it when we are gone.
package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// The variables that tell our own binary that it is to become the driver.
const (
	envNode = "PWPIPE_DRIVER_NODE" // path of node
	envPID  = "PWPIPE_DRIVER_PID"  // file that gets the process id
	envVars = "PWPIPE_DRIVER_ENV"  // further KEY=VALUE, a line each

	envStart = "PWPIPE_DRIVER_START" // path of start.cjs, empty to do without
	envCache = "PWPIPE_DRIVER_CACHE" // folder of its cache
)

// Options of a driver.
type Options struct {
	Node   string    // path of node, 18 or newer
	Dir    string    // Dir/package/cli.js is the driver
	Cache  string    // folder for compiled code, which need not be writable; "" for Dir
	Temp   string    // folder of this run, made by [MakeTemp]; "" for a new one
	Env    []string  // KEY=VALUE on top of [CleanEnv]
	Stderr io.Writer // what the driver says; nil for nothing
}

// Driver is a driver that runs.
type Driver struct {
	Playwright *playwright.Playwright
	Temp       string // folder of this run, removed when the driver stops

	pid    int
	gone   chan struct{}
	once   sync.Once
	keeper keeper
}

// starting guards the process environment, by which playwright-go takes its
// settings.
var starting sync.Mutex

// Start starts a driver. Its temporary files go to a folder of their own.
func Start(o Options) (*Driver, error) {
	temp := o.Temp
	if temp == "" {
		var err error
		if temp, err = MakeTemp(); err != nil {
			return nil, err
		}
	}
	go sweepTemp() // nobody waits for it
	d := &Driver{Temp: temp, gone: make(chan struct{})}
	started := make(chan error, 1)
	// The kernel's parent-death signal is tied to the thread that forks, so
	// that thread is kept for as long as the driver runs.
	go d.hold(o, started)
	if err := <-started; err != nil {
		removeTemp(temp)
		return nil, err
	}
	return d, nil
}

func (d *Driver) run(o Options) error {
	starting.Lock()
	defer starting.Unlock()
	pidFile := filepath.Join(d.Temp, "driver.pid")
	env := append([]string{"TMPDIR=" + d.Temp, "TEMP=" + d.Temp, "TMP=" + d.Temp}, o.Env...)
	program := programFor(o.Node)
	for k, v := range map[string]string{
		"PLAYWRIGHT_NODEJS_PATH": program, envNode: o.Node, envPID: pidFile, envVars: strings.Join(env, "\n"),
		envStart: writeStart(d.Temp), envCache: cmp.Or(o.Cache, o.Dir),
	} {
		if err := os.Setenv(k, v); err != nil {
			return err
		}
		defer os.Unsetenv(k)
	}
	stderr := o.Stderr
	if stderr == nil {
		stderr = io.Discard
	}
	pw, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory: o.Dir, SkipInstallBrowsers: true, Stdout: stderr, Stderr: stderr,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return fmt.Errorf("starting the Playwright driver: %w", err)
	}
	d.Playwright = pw
	if text, err := os.ReadFile(pidFile); err == nil {
		d.pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	return nil
}

// Gone is closed when the driver's process has ended.
func (d *Driver) Gone() <-chan struct{} { return d.gone }

// PID is the driver's process id, 0 if it is not known.
func (d *Driver) PID() int { return d.pid }

// Stop asks the driver to close its browsers and end, and ends it when ctx
// does.
func (d *Driver) Stop(ctx context.Context) error {
	stopped := make(chan error, 1)
	go func() { stopped <- d.Playwright.Stop() }()
	done := make(chan struct{})
	defer close(done)
	go d.hurry(done)
	var err error
	select {
	case err = <-stopped:
		d.waitGone(ctx)
	case <-d.gone:
	case <-ctx.Done():
		err = errors.New("the driver did not stop in time and was killed")
	}
	d.Kill()
	return err
}

// waitGone waits until it is known here, too, that the driver has ended.
func (d *Driver) waitGone(ctx context.Context) {
	if d.pid == 0 {
		return // it never will be
	}
	select {
	case <-d.gone:
	case <-ctx.Done():
	}
}

// Kill ends the driver and the browsers that it started, at once.
func (d *Driver) Kill() {
	d.once.Do(func() {
		select {
		case <-d.gone: // its process id may be another's by now
		default:
			killTree(d.pid)
			select {
			case <-d.gone:
			case <-time.After(2 * time.Second):
			}
		}
		d.endBrowsers()
		removeTemp(d.Temp)
	})
}

// kept are the variables that the driver and the browser may see. The rest of
// the caller's environment may hold secrets, or settings that would make Node
// or Playwright write where the protocol runs (NODE_OPTIONS, PWDEBUG, DEBUG).
var kept = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"SYSTEMROOT", "SystemRoot", "WINDIR", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "USERPROFILE", "COMSPEC", "PATHEXT",
}

// CleanEnv is the part of the environment that a child may see.
func CleanEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") || contains(kept, name) {
			env = append(env, kv)
		}
	}
	// Without a locale Chromium takes file names for ASCII, and calls a
	// download with any other "download".
	if runtime.GOOS == "linux" && os.Getenv("LC_ALL")+os.Getenv("LC_CTYPE")+os.Getenv("LANG") == "" {
		env = append(env, "LC_CTYPE=C.UTF-8")
	}
	return env
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
