package main

import (
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/fixtures"
	"pwpipe/handlers"
)

// options are the flags of every command that drives a browser. Each can also
// be given as an environment variable, PWPIPE_ and its name.
type options struct {
	site        bool
	baseURL     string
	browser     string
	headed      bool
	cdp, ws     string
	userDataDir string
	timeout     float64
	logLevel    string
	guard       guardOptions
	lang        string
}

func (o *options) register(f *pflag.FlagSet) {
	f.BoolVar(&o.site, "site", false, "serve the sample site on a free loopback port and use it as the base URL")
	f.StringVar(&o.baseURL, "base-url", "", "resolve relative URLs against this one")
	f.StringVar(&o.browser, "browser", "", "path of a browser, or chrome, chromium, msedge, firefox, webkit")
	f.BoolVar(&o.headed, "headed", false, "show the browser window")
	f.StringVar(&o.cdp, "cdp", "", "attach to a Chromium that listens here, such as http://127.0.0.1:9222")
	f.StringVar(&o.ws, "ws", "", "attach to a Playwright server that listens here")
	f.StringVar(&o.userDataDir, "user-data-dir", "", "keep the browser's profile in this folder")
	f.Float64Var(&o.timeout, "timeout", 0, "deadline of each request in seconds (default: each tool's own)")
	o.guard.register(f)
	f.StringVar(&o.lang, "lang", "en", "language of what the tool playwright_browser writes: en, zh")
	f.StringVar(&o.logLevel, "log-level", "warn", "what to log on stderr: debug, info, warn, error")
}

// fromEnvironment sets the flags that were not given from PWPIPE_ variables.
func fromEnvironment(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := envName(f.Name)
		value, ok := os.LookupEnv(name)
		if f.Changed || !ok || value == "" || err != nil {
			return
		}
		if serr := f.Value.Set(value); serr != nil {
			err = fmt.Errorf("%s=%s: %w", name, value, serr)
		}
	})
	return err
}

func envName(flag string) string {
	return "PWPIPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// config checks the options and makes the browser's configuration of them.
// done closes the sample site.
func (o *options) config(log *slog.Logger) (cfg handlers.Config, done func(), err error) {
	done = func() {}
	switch {
	case o.cdp != "" && o.ws != "":
		return cfg, done, fmt.Errorf("give one of --cdp and --ws")
	case o.site && o.baseURL != "":
		return cfg, done, fmt.Errorf("give one of --site and --base-url")
	case o.lang != "en" && o.lang != "zh":
		return cfg, done, fmt.Errorf("--lang: expected en or zh, got %q", o.lang)
	case o.timeout < 0 || o.timeout > (24*time.Hour).Seconds():
		return cfg, done, fmt.Errorf("--timeout: expected seconds above 0 (at most a day), got %v", o.timeout)
	case o.userDataDir != "" && (o.cdp != "" || o.ws != ""):
		return cfg, done, fmt.Errorf("--user-data-dir belongs to a browser that pwpipe starts; leave it out with --cdp and --ws")
	case o.baseURL != "" && !isHTTP(o.baseURL):
		return cfg, done, fmt.Errorf("--base-url: expected http://… or https://…, got %s", o.baseURL)
	}
	cfg = handlers.Config{Browser: o.browser, Headed: o.headed, CDP: o.cdp, WS: o.ws,
		UserDataDir: o.userDataDir, BaseURL: o.baseURL, Lang: o.lang, Log: log}
	if cfg.Policy, err = o.guard.policy(); err != nil {
		return cfg, done, err
	}
	if err = o.guard.readSecrets(); err != nil {
		return cfg, done, err
	}
	if o.guard.secrets != nil {
		cfg.Mask = o.guard.secrets.Mask
	}
	if err = handlers.LimitFiles(o.guard.allowDirs, o.guard.outputDir); err != nil {
		return cfg, done, err
	}
	if o.site {
		site, err := fixtures.Serve()
		if err != nil {
			return cfg, done, fmt.Errorf("serving the sample site: %w", err)
		}
		cfg.BaseURL = site.URL
		done = func() { _ = site.Close() }
	}
	return cfg, done, nil
}

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
