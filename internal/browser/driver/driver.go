// Package driver runs the Playwright driver, a Node process, and ties its life to ours.
//
// playwright-go starts the program named by PLAYWRIGHT_NODEJS_PATH twice: once to ask
// for its version, once to run. We name our own binary. It answers the first from a
// file and becomes Node for the second (see package reexec). This saves a third of a
// second at every start, gives Node an environment of our choosing, and lets the kernel
// end it when we are gone.
package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/machine/temp"
	"pwpipe/internal/machine/tricks"
)

// Options of a driver.
type Options struct {
	Node   string                 // path of node, 18 or newer
	Dir    string                 // Dir/package/cli.js is the driver
	Cache  string                 // folder for compiled code, which need not be writable; "" for Dir
	Temp   string                 // folder of this run, made by [temp.Make]; "" for a new one
	Env    []string               // KEY=VALUE in addition to [CleanEnv]
	Stderr io.Writer              // the driver's output; nil for nothing
	Left   func(folders []string) // told the folders of killed runs, before they are removed; nil: nobody
}

// Driver is a running driver.
type Driver struct {
	Playwright *playwright.Playwright
	Temp       string // folder of this run, removed when the driver stops

	pid    int
	gone   chan struct{}
	asked  atomic.Int64 // when the kernel was last asked whether it has ended, in milliseconds
	once   sync.Once
	keeper keeper
	sweep  func() // removes the remains of other runs
}

// sweepAfter delays the sweep, so that it does not slow down the start.
const sweepAfter = 2 * time.Second

// sweep removes the remains of killed runs. It runs after the start and at the end, since a
// browser that was just killed may still write to its profile.
func (o Options) sweep() {
	if o.Left != nil {
		o.Left(temp.Left())
	}
	temp.Sweep()
}

// starting guards the process environment, from which playwright-go takes its settings.
var starting sync.Mutex

// UtilityWorld is the driver's name for its isolated world in a document.
const UtilityWorld = "__playwright_utility_world__"

// Start starts a driver. Its temporary files go to a folder of their own.
func Start(o Options) (*Driver, error) {
	dir := o.Temp
	if dir == "" {
		var err error
		if dir, err = temp.Make(); err != nil {
			return nil, err
		}
	}
	d := &Driver{Temp: dir, gone: make(chan struct{}), sweep: o.sweep}
	time.AfterFunc(sweepAfter, d.sweep)
	started := make(chan error, 1)
	// The kernel's parent-death signal belongs to the thread that forks, so that thread
	// is kept while the driver runs.
	go d.hold(o, started)
	if err := <-started; err != nil {
		temp.Remove(dir)
		return nil, err
	}
	return d, nil
}

func (d *Driver) run(o Options) error {
	starting.Lock()
	defer starting.Unlock()
	pidFile := filepath.Join(d.Temp, "driver.pid")
	env := append(append(CleanEnv(), "TMPDIR="+d.Temp, "TEMP="+d.Temp, "TMP="+d.Temp), o.Env...)
	var start []string
	if script := writeStart(d.Temp); script != "" {
		cache := cmp.Or(o.Cache, o.Dir)
		if tricks.Off(tricks.DriverCache) {
			cache = os.DevNull // no file can be in it
		}
		start = []string{script, cache}
		env = trustLater(env)
		if tricks.Off(tricks.FastPictures) {
			env = append(env, "PWPIPE_NO_"+tricks.FastPictures+"=1")
		}
	}
	env = (&exec.Cmd{Env: env}).Environ() // the last setting of each: programs differ in which of two they use
	version, err := packageVersion(filepath.Join(o.Dir, "package"))
	if err != nil {
		return fmt.Errorf("starting the Playwright driver: %w", err)
	}
	program, err := programFor(o.Node)
	if err != nil {
		return fmt.Errorf("starting the Playwright driver: %w", err)
	}
	for k, v := range map[string]string{
		"PLAYWRIGHT_NODEJS_PATH": program, reexec.Node: o.Node, reexec.Version: version, reexec.PIDFile: pidFile,
		reexec.Env: strings.Join(env, reexec.Separator), reexec.Start: strings.Join(start, reexec.Separator),
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
	// playwright-go waits without a bound for the driver's first answer.
	late := time.AfterFunc(startWithin, func() { killTree(pidIn(pidFile)) })
	pw, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory: o.Dir, SkipInstallBrowsers: true, Stdout: stderr, Stderr: stderr,
		Logger: slog.New(slog.DiscardHandler),
	})
	inTime := late.Stop()
	switch {
	case err != nil && !inTime:
		return fmt.Errorf("the Playwright driver did not start within %s", startWithin)
	case err != nil:
		return fmt.Errorf("starting the Playwright driver: %w", err)
	}
	d.Playwright = pw
	d.pid = pidIn(pidFile)
	return nil
}

// startWithin bounds the start of the driver, which takes half a second on an idle
// machine.
var startWithin = 30 * time.Second

// pidIn reads a file with a process id; 0 if there is none.
func pidIn(file string) int {
	text, _ := os.ReadFile(file)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

// Gone is closed when the driver's process has ended.
func (d *Driver) Gone() <-chan struct{} { return d.gone }

// Ended reports whether the driver's process has ended, even if Gone is not closed yet.
func (d *Driver) Ended() bool {
	select {
	case <-d.gone:
		return true
	default:
	}
	now := time.Now().UnixMilli() // asked at intervals: asking takes longer than the rest of a read
	if d.pid == 0 || now-d.asked.Load() < askEvery.Milliseconds() {
		return false
	}
	d.asked.Store(now)
	return d.Dead()
}

// Dead is [Driver.Ended], but asks the kernel each time, so that a caller can tell
// which process ended first.
func (d *Driver) Dead() bool {
	select {
	case <-d.gone:
		return true
	default:
		return d.pid != 0 && hasEnded(d.pid)
	}
}

const askEvery = 50 * time.Millisecond

// PID is the driver's process id, 0 if unknown.
func (d *Driver) PID() int { return d.pid }

// Stop asks the driver to close its browsers and end, and kills it when ctx ends.
func (d *Driver) Stop(ctx context.Context) error {
	stopped := make(chan error, 1)
	go func() { stopped <- d.Playwright.Stop() }()
	done := make(chan struct{})
	defer close(done)
	go d.hurry(done)
	var err error
	select {
	case err = <-stopped:
		if d.pid == 0 {
			break // its end will never be known here
		}
		select {
		case <-d.gone:
		case <-ctx.Done():
		}
	case <-d.gone:
	case <-ctx.Done():
		err = errors.New("the driver did not stop in time and was killed")
	}
	d.Kill()
	return err
}

// Kill ends the driver and the browsers that it started, at once.
func (d *Driver) Kill() {
	d.once.Do(func() {
		select {
		case <-d.gone: // its process id may be reused by now
		default:
			killTree(d.pid)
			select {
			case <-d.gone:
			case <-time.After(2 * time.Second):
			}
		}
		d.endBrowsers()
		temp.Remove(d.Temp)
		d.sweep()
	})
}
