package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/fixtures"
	"pwpipe/handlers"
	"pwpipe/handlers/launch"
	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/browser/extension"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
)

// options are the flags of every command that drives a browser. Each can also
// be given as an environment variable, PWPIPE_ and its name.
type options struct {
	site        bool
	baseURL     string
	browser     string
	headed      bool
	cdp, ws     string
	cdpHeaders  http.Header // of the requests that attach
	lending     lendOptions
	grid        gridOptions
	userDataDir string
	timeout     float64
	logLevel    string
	guard       guardOptions
	proxy       proxyOptions
	clientCerts clientCertOptions
	lang        string
	sandbox     string
	frameRate   string
	pageTools   bool
	extra       launch.Extra
	initScripts []string
	tools       []string
	noExecute   bool
	maxPages    int
	outline     int
	actOutline  string
	maxImage    int
	scripts     scriptOptions
}

func (o *options) register(f *pflag.FlagSet) {
	f.BoolVar(&o.site, "site", false, "serve the sample site on a free loopback port and use it as the base URL")
	f.StringVar(&o.baseURL, "base-url", "", "resolve relative URLs against this one")
	f.StringVar(&o.browser, "browser", "", "path of a browser, or chrome, chromium, msedge, firefox, webkit")
	f.BoolVar(&o.headed, "headed", false, "show the browser window")
	f.StringVar(&o.cdp, "cdp", "", "attach to a Chromium, by its address (127.0.0.1:9222) or as chrome, edge, brave, extension")
	o.lending.register(f)
	f.StringVar(&o.ws, "ws", "", "attach to the Playwright server at this address")
	o.grid.register(f)
	f.StringVar(&o.userDataDir, "user-data-dir", "", "keep the browser's profile in this folder")
	f.Float64Var(&o.timeout, "timeout", 0, "deadline of each request in seconds (default: each tool's own)")
	f.IntVar(&o.maxPages, "max-pages", 50, "maximum number of open pages in a session, pop-ups included; 0 for any number")
	o.guard.register(f)
	o.proxy.register(f)
	o.clientCerts.register(f)
	f.StringVar(&o.sandbox, "browser-sandbox", setup.SandboxAuto, sandboxHelp)
	f.IntVar(&o.outline, "outline-tokens", 1500,
		"tokens that the outline of a page (snapshot) aims at; a page that takes fewer is shown whole")
	f.StringVar(&o.actOutline, "act-outline", "auto",
		"what acts over MCP answer of the page's outline: diff (what changed), none, or auto (diff with profile agent)")
	f.IntVar(&o.maxImage, "max-image", 0,
		"longest side, in pixels, of pictures in answers; larger ones are scaled down (0: any size)")
	f.StringVar(&o.frameRate, "frame-rate", "screen", "frames that Chromium makes: screen (60 a second), or unlimited (a faster click, for most of a core all the time)")
	f.BoolVar(&o.pageTools, "page-tools", false, "let pages offer tools of their own to agents (WebMCP): page-tools, page-call")
	f.StringArrayVar(&o.initScripts, "init-script", nil,
		"file with a script that runs in each document before the page's own; it can be repeated")
	f.StringSliceVar(&o.tools, "tools", nil, "offer only these tools: names with commas between (default: all)")
	f.BoolVar(&o.noExecute, "no-execute", false, "remove the tools that run a script outside of the page")
	o.scripts.register(f)
	f.StringVar(&o.lang, "lang", "en", "language of what the tool playwright_browser writes: en, zh")
	f.StringVar(&o.logLevel, "log-level", "warn", "what to log on stderr: debug, info, warn, error")
}

// --max-image: below smallestImage nothing can be read.
const smallestImage, largestImage = 64, 16_384

// The values of flags that take one of a few.
var (
	browsers  = []string{"chrome", "chromium", "msedge", "firefox", "webkit"}
	languages = []string{"en", "zh"}
	logLevels = []string{"debug", "info", "warn", "error"}
	rates     = []string{"screen", handlers.UnlimitedFrames}
	looks     = []string{"auto", "diff", "none"}
	sandboxes = []string{setup.SandboxAuto, setup.SandboxOn, setup.SandboxOff}
)

const sandboxHelp = "Chromium's own sandbox: auto (on wherever it can be), on (no browser without it), off"

// complete has the shell offer the values of the flags.
func (o *options) complete(cmd *cobra.Command) {
	completeBrowser(cmd)
	complete(cmd, "lang", languages)
	complete(cmd, "log-level", logLevels)
	complete(cmd, "browser-sandbox", sandboxes)
	complete(cmd, "frame-rate", rates)
	complete(cmd, "act-outline", looks)
}

// completeBrowser offers the names of browsers, and files.
func completeBrowser(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("browser", cobra.FixedCompletions(browsers, cobra.ShellCompDirectiveDefault))
}

// checkValue refuses a flag's value that is none of a few.
func checkValue(flag, value string, values []string) error {
	if err := oneOf(value, values...); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// oneOf refuses a value that is none of a few.
func oneOf(value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	n := len(values) - 1
	err := fmt.Errorf("expected %s or %s, got %q", strings.Join(values[:n], ", "), values[n], value)
	if meant := suggest.Hint(value, values); meant != "" {
		err = fmt.Errorf("%w; %s", err, meant)
	}
	return err
}

// fromEnvironment sets the flags that were not given from PWPIPE_ variables.
func fromEnvironment(cmd *cobra.Command) error { return setFromEnvironment(cmd, nil) }

// setFromEnvironment leaves out those flags that have their value.
func setFromEnvironment(cmd *cobra.Command, except map[string]bool) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := envName(f.Name)
		value, ok := os.LookupEnv(name)
		if f.Changed || !ok || value == "" || err != nil || except[f.Name] {
			return
		}
		if f.Value.Set(value) != nil {
			err = badValue(name, f, value)
		}
	})
	return err
}

func envName(flag string) string {
	return "PWPIPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// check refuses options that can't be, or not together.
func (o *options) check() error {
	switch {
	case o.cdp != "" && o.ws != "":
		return fmt.Errorf("give one of --cdp and --ws")
	case o.site && o.baseURL != "":
		return fmt.Errorf("give one of --site and --base-url")
	case checkValue("lang", o.lang, languages) != nil:
		return checkValue("lang", o.lang, languages)
	case o.timeout < 0 || o.timeout > time.Hour.Seconds():
		return fmt.Errorf("--timeout: expected seconds above 0 (at most an hour), got %v", o.timeout)
	case o.headed && o.grid.hub == "" && setup.NoDisplay():
		return errors.New("--headed: there is no display to show a window on (DISPLAY and WAYLAND_DISPLAY are empty); " +
			"leave it out, or start under a virtual one: xvfb-run -a pwpipe --headed")
	case o.maxPages < 0:
		return fmt.Errorf("--max-pages: expected a number from 0, got %d", o.maxPages)
	case o.userDataDir != "" && (o.cdp != "" || o.ws != ""):
		return fmt.Errorf("--user-data-dir belongs to a browser that pwpipe starts; leave it out with --cdp and --ws")
	case checkValue("browser-sandbox", o.sandbox, sandboxes) != nil:
		return checkValue("browser-sandbox", o.sandbox, sandboxes)
	case o.sandbox == setup.SandboxOn && (o.cdp != "" || o.ws != ""):
		return fmt.Errorf("--browser-sandbox on belongs to a browser that pwpipe starts; leave it out with --cdp and --ws")
	case o.outline < 100 || o.outline > 100_000:
		return fmt.Errorf("--outline-tokens: expected a number from 100 to 100000, got %d", o.outline)
	case o.maxImage != 0 && (o.maxImage < smallestImage || o.maxImage > largestImage):
		return fmt.Errorf("--max-image: expected 0, or a number of pixels from %d to %d, got %d",
			smallestImage, largestImage, o.maxImage)
	case checkValue("act-outline", o.actOutline, looks) != nil:
		return checkValue("act-outline", o.actOutline, looks)
	case checkValue("frame-rate", o.frameRate, rates) != nil:
		return checkValue("frame-rate", o.frameRate, rates)
	case o.frameRate == handlers.UnlimitedFrames && (o.cdp != "" || o.ws != "" || o.browser == "firefox" || o.browser == "webkit"):
		return fmt.Errorf("--frame-rate unlimited belongs to a Chromium that pwpipe starts; leave it out with --cdp, --ws, firefox and webkit")
	case o.pageTools && (o.cdp != "" || o.ws != "" || o.browser == "firefox" || o.browser == "webkit"):
		return errors.New("--page-tools belongs to a Chromium that pwpipe starts; leave it out with --cdp, --ws, firefox and webkit")
	case o.baseURL != "" && !isHTTP(o.baseURL):
		return fmt.Errorf("--base-url: expected http://… or https://…, got %s", o.baseURL)
	}
	return nil
}

// config checks the options and makes the browser's configuration of them.
// done closes the sample site.
func (o *options) config(log *slog.Logger) (cfg handlers.Config, done func(), err error) {
	done = func() {}
	if err := o.check(); err != nil {
		return cfg, done, err
	}
	if o.cdp, err = cdpURL(o.cdp); err != nil {
		return cfg, done, err
	}
	fromGrid, err := o.grid.read(o)
	if err != nil {
		return cfg, done, err
	}
	if o.grid.hub != "" {
		o.browser = ""
	}
	cfg = handlers.Config{StartOptions: handlers.StartOptions{Grid: fromGrid, Browser: o.browser, Headed: o.headed,
		CDP: o.cdp, CDPHeaders: o.cdpHeaders, WS: o.ws, UserDataDir: o.userDataDir, BaseURL: o.baseURL, Sandbox: o.sandbox,
		FrameRate: o.frameRate, Log: log, Extra: o.extra, PageTools: o.pageTools},
		Lang: o.lang, MaxPages: o.maxPages, OutlineTokens: o.outline, ActOutline: o.actOutline, MaxImage: o.maxImage}
	if err = setup.CheckSandbox(context.Background(), setup.Options{Browser: o.browser, Headed: o.headed, Sandbox: o.sandbox}); err != nil {
		return cfg, done, err
	}
	for _, path := range o.initScripts {
		text, err := os.ReadFile(path)
		if err != nil {
			return cfg, done, fmt.Errorf("--init-script: %w", err)
		}
		cfg.InitScripts = append(cfg.InitScripts, string(text))
	}
	if cfg.Policy, err = o.guard.policy(); err != nil {
		return cfg, done, err
	}
	if err = o.lending.into(&cfg); err != nil {
		return cfg, done, err
	}
	if err = o.proxy.into(&cfg); err != nil {
		return cfg, done, err
	}
	if err = o.guard.readSecrets(); err != nil {
		return cfg, done, err
	}
	if err = o.clientCerts.into(&cfg, o.guard.secrets); err != nil {
		return cfg, done, err
	}
	if o.guard.secrets != nil {
		cfg.Mask, cfg.Unresolve, cfg.Logins = o.guard.secrets.Mask, o.guard.secrets.Name, o.guard.logins
	}
	if err = o.limitFiles(cfg); err != nil {
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

// isNamed reports whether --cdp names a browser, and has no address.
func isNamed(address string) bool { return chromium.IsPersonal(address) || address == extension.Name }

// cdpURL is the address of --cdp, for which a port or host:port will do.
func cdpURL(address string) (string, error) {
	if address == "" || strings.Contains(address, "://") || isNamed(address) {
		return address, nil
	}
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		return "http://127.0.0.1:" + address, nil
	}
	if host, port, err := net.SplitHostPort(address); err == nil && port != "" {
		if host == "" {
			host = "127.0.0.1"
		}
		return "http://" + net.JoinHostPort(host, port), nil
	}
	return "", fmt.Errorf("--cdp: expected a port, host:port, http://host:port or one of %s, got %q",
		strings.Join(chromium.Personal(), ", "), address)
}

// hidden tells the tools that are not to be there.
func (o *options) hidden(tools []*provider.Tool) (func(*provider.Tool) bool, error) {
	scripts := func(tool *provider.Tool) bool { return o.noExecute && tool.Scripts }
	if len(o.tools) == 0 {
		return scripts, nil
	}
	for i := range o.tools {
		o.tools[i] = strings.TrimSpace(o.tools[i])
	}
	if err := provider.CheckNames(slices.DeleteFunc(slices.Clone(tools), scripts), o.tools); err != nil {
		return nil, fmt.Errorf("--tools: %w", err)
	}
	return func(tool *provider.Tool) bool { return scripts(tool) || !slices.Contains(o.tools, tool.Name) }, nil
}

// listed are the profiles that MCP lists: with --tools all of these, unless
// profiles were chosen too.
func (o *options) listed(profiles string) string {
	if len(o.tools) > 0 && profiles == provider.DefaultProfile {
		return "all"
	}
	return profiles
}

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// limitFiles sets the folders that tools may touch, which hold no key of a certificate.
func (o *options) limitFiles(cfg handlers.Config) error {
	if err := handlers.LimitFiles(o.guard.allowDirs, o.guard.outputDir); err != nil {
		return err
	}
	for _, c := range cfg.ClientCertificates {
		if err := handlers.KeepPrivate(c.KeyFile); err != nil {
			return fmt.Errorf("--client-certificates: %w", err)
		}
	}
	return nil
}
