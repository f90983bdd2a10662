package handlers

import (
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/driver"
	"pwpipe/internal/setup"
)

func launchOptions(cfg Config, in *setup.Installed, temp string) playwright.BrowserTypeLaunchOptions {
	o := playwright.BrowserTypeLaunchOptions{
		Headless: playwright.Bool(!cfg.Headed),
		Args:     append(browserArgs(in), in.Args...),
		Env:      browserEnv(in, temp),
		Timeout:  playwright.Float(float64(launchTimeout.Milliseconds())),
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
		Headless: l.Headless, Args: l.Args, Env: l.Env, Timeout: l.Timeout,
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
