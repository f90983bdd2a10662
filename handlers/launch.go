package handlers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/driver"
	"pwpipe/internal/setup"
)

// launch starts driver and browser. Where an earlier run found that the
// browser comes up with its sandbox on, and now it does not, that is found out
// anew.
func (b *Browser) launch() (*engine, error) {
	e, again, err := b.tryLaunch(false)
	if again {
		e, _, err = b.tryLaunch(true)
	}
	return e, err
}

// tryLaunch is one attempt; again says that another may do better with what is
// remembered about the sandbox found out anew.
func (b *Browser) tryLaunch(anew bool) (_ *engine, again bool, err error) {
	begin := time.Now()
	cfg, err := b.guardConfig()
	if err != nil {
		return nil, false, err
	}
	in, err := setup.Ensure(context.Background(), setup.Options{
		Browser: b.cfg.Browser, Headed: b.cfg.Headed, SkipBrowser: b.cfg.CDP != "" || b.cfg.WS != "",
	})
	if err != nil {
		return nil, false, err
	}
	finding := b.findSandbox(in, anew)
	d, err := driver.Start(driver.Options{Node: in.Node, Dir: in.DriverDir, Env: in.DriverEnv, Stderr: logWriter{b.log}})
	if err != nil {
		return nil, false, withTrouble(err)
	}
	walls := <-finding
	if walls.err != nil {
		d.Kill()
		return nil, false, fmt.Errorf("browser: %w", walls.err)
	}
	cfg.sandbox = walls.On
	e := &engine{driver: d, gone: make(chan struct{}), attached: cfg.address()}
	if err := e.opened(cfg, in); err != nil {
		d.Kill()
		if e.attached != "" {
			return nil, false, fmt.Errorf("can't attach to the browser at %s: %s", e.attached, attachError(err))
		}
		return nil, walls.On && walls.Remembered, fmt.Errorf("browser: %w", startError(err))
	}
	go d.KeepBrowsers()
	go func() {
		<-d.Gone()
		e.lost("the Playwright driver died")
	}()
	b.log.Info("browser started", "version", e.version(), "took", time.Since(begin).Round(time.Millisecond), "driver_pid", d.PID(),
		"sandbox", walls.On, "sandbox_off", walls.Why)
	return e, false, nil
}

// opened opens the browser within the time that it has, whatever playwright-go
// does.
func (e *engine) opened(cfg Config, in *setup.Installed) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("starting the browser: %v", r)
			}
		}()
		done <- e.open(cfg, in)
	}()
	select {
	case err := <-done:
		return err
	case <-e.driver.Gone():
		return fmt.Errorf("the Playwright driver ended while the browser was starting")
	case <-time.After(launchTimeout):
		return fmt.Errorf("the browser did not start within %s", launchTimeout)
	}
}

// open launches the browser, or attaches to one.
func (e *engine) open(cfg Config, in *setup.Installed) (err error) {
	pw := e.driver.Playwright
	if err := registerEngines(pw); err != nil {
		return err
	}
	e.chromium = in.Kind == "" || in.Kind == "chromium" || cfg.CDP != ""
	kind := pw.Chromium
	switch in.Kind {
	case "firefox":
		kind = pw.Firefox
	case "webkit":
		kind = pw.WebKit
	}
	e.kind = kind
	switch {
	case cfg.CDP != "":
		e.browser, err = pw.Chromium.ConnectOverCDP(cdpAddress(cfg.CDP))
	case cfg.WS != "":
		e.browser, err = kind.Connect(cfg.WS)
	case cfg.UserDataDir != "":
		e.first, err = kind.LaunchPersistentContext(cfg.UserDataDir, persistentOptions(cfg, in, e.driver.Temp))
		if err == nil {
			// Its Browser() is a nil pointer that looks like a browser.
			e.first.OnClose(func(playwright.BrowserContext) { e.lost("the browser died or was closed") })
		}
	default:
		e.browser, err = kind.Launch(launchOptions(cfg, in, e.driver.Temp))
	}
	if err == nil && e.browser != nil {
		e.browser.OnDisconnected(func(playwright.Browser) { e.lost(e.farewell()) })
	}
	if err == nil {
		e.watchTargets()
	}
	if err == nil && cfg.attached() { // later there are sessions' own among them
		e.found = slices.Clone(e.browser.Contexts())
	}
	return err
}

// startError says why the browser did not start, and what to do.
func startError(err error) error {
	msg := err.Error()
	switch {
	case strings.Contains(msg, "Missing X server"), strings.Contains(msg, "DISPLAY"):
		return errors.New("a window can't be shown here (no display); leave out --headed")
	case strings.Contains(msg, "Socket path too long"):
		return fmt.Errorf("the path of the temporary folder, %s, is too long for a browser's socket; set TMPDIR to a shorter one", os.TempDir())
	}
	return withTrouble(errors.New(firstLine(cleanMessage(err))))
}

// withTrouble adds to why something did not start what is wrong with the
// temporary folder, or else where to look.
func withTrouble(err error) error {
	if trouble := setup.CheckTemp(); trouble != nil {
		return fmt.Errorf("%w; %w", err, trouble)
	}
	return fmt.Errorf("%w; `pwpipe doctor` says what is wrong", err)
}

func launchOptions(cfg Config, in *setup.Installed, temp string) playwright.BrowserTypeLaunchOptions {
	o := playwright.BrowserTypeLaunchOptions{
		Headless: playwright.Bool(!cfg.Headed),
		Args:     append(browserArgs(in), in.Args...),
		Env:      browserEnv(in, temp),
		Timeout:  playwright.Float(float64(launchTimeout.Milliseconds())),
		// Playwright gives Chromium --no-sandbox unless told otherwise.
		ChromiumSandbox: playwright.Bool(cfg.sandbox),
		// Signals are ours to handle: the driver must not close the browser
		// under requests that are still to be answered.
		HandleSIGINT: playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
	}
	if in.Executable != "" {
		o.ExecutablePath = playwright.String(in.Executable)
	}
	if in.Channel != "" {
		o.Channel = playwright.String(in.Channel)
	}
	guardLaunch(&o, cfg, in)
	return o
}

func persistentOptions(cfg Config, in *setup.Installed, temp string) playwright.BrowserTypeLaunchPersistentContextOptions {
	l := launchOptions(cfg, in, temp)
	o := playwright.BrowserTypeLaunchPersistentContextOptions{
		Headless: l.Headless, Args: l.Args, Env: l.Env, Timeout: l.Timeout, ChromiumSandbox: l.ChromiumSandbox,
		HandleSIGINT: l.HandleSIGINT, HandleSIGTERM: l.HandleSIGTERM, HandleSIGHUP: l.HandleSIGHUP,
		ExecutablePath: l.ExecutablePath, Channel: l.Channel, Proxy: l.Proxy,
	}
	if cfg.BaseURL != "" {
		o.BaseURL = playwright.String(cfg.BaseURL)
	}
	return o
}

// browserArgs keep a driven Chromium from talking to its maker.
func browserArgs(in *setup.Installed) []string {
	if in.Kind != "" && in.Kind != "chromium" {
		return nil
	}
	args := []string{"--disable-gpu", "--disable-background-networking", "--no-first-run"}
	if len(in.Env) > 0 { // the build that we fetch, whose behaviour is known
		// One process fewer to start: the one that does the networking, which
		// on Linux is not sandboxed either.
		args = append(args, "--enable-features=NetworkServiceInProcess2")
	}
	return args
}

// browserEnv is an environment of the browser's own: the caller's may hold
// secrets, and a page that gets out of the sandbox would read them.
func browserEnv(in *setup.Installed, temp string) map[string]string {
	env := map[string]string{}
	for _, kv := range append(driver.CleanEnv(), append([]string{"TMPDIR=" + temp}, in.Env...)...) {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	return env
}
