package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
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
	"pwpipe/handlers/navigate"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
)

// Options are the flags of every command that drives a browser. Each can also
// be given as an environment variable, PWPIPE_ and its name.
type Options struct {
	Program         *Program
	handlers.Config // as far as flags say it alone; config does the rest
	site            bool
	flags           []Flags // of features
	setup           Setup   // once flags were read
	timeout         float64
	logLevel        string
	Guard           GuardOptions
	Proxy           ProxyOptions
	InitScripts     []string // files
	Controls        []string // further files that steer this command, such as --config of mcp
	tools           []string
	NoExecute       bool

	// Prepare prepares each session of a command of a feature; nil: nothing to do.
	Prepare      func(*handlers.Session) error
	strictStatus bool
}

// Register adds the flags to a command.
func (o *Options) Register(command string, f *pflag.FlagSet) {
	o.registerFeatures(command, f)
	registerWithout(f)
	f.BoolVar(&o.site, "site", false, "serve the sample site on a free loopback port and use it as the base URL")
	f.StringVar(&o.BaseURL, "base-url", "", "resolve relative URLs against this one")
	f.StringVar(&o.Browser, "browser", "", "path of a browser, or chrome, chromium, msedge, firefox, webkit")
	f.BoolVar(&o.Headed, "headed", false, "show the browser window")
	f.StringVar(&o.CDP, "cdp", "", "attach to a Chromium, by its address (127.0.0.1:9222) or as chrome, edge, brave, extension")
	f.StringVar(&o.WS, "ws", "", "attach to the Playwright server at this address")
	f.StringVar(&o.UserDataDir, "user-data-dir", "", "keep the browser's profile in this folder")
	f.Float64Var(&o.timeout, "timeout", 0, "deadline of each request in seconds (default: each tool's own)")
	f.IntVar(&o.MaxPages, "max-pages", 50, "maximum number of open pages in a session, pop-ups included; 0 for any number")
	o.Guard.register(f)
	o.Proxy.register(f)
	f.StringVar(&o.Sandbox, "browser-sandbox", setup.SandboxAuto, sandboxHelp)
	f.IntVar(&o.OutlineTokens, "outline-tokens", 1500,
		"tokens that the outline of a page (snapshot) aims at; a page that takes fewer is shown whole")
	f.StringVar(&o.ActOutline, "act-outline", "auto",
		"what acts over MCP answer of the page's outline: diff (what changed), none, or auto (diff with profile agent)")
	f.IntVar(&o.MaxImage, "max-image", 0,
		"longest side, in pixels, of pictures in answers; larger ones are scaled down (0: any size)")
	f.StringVar(&o.FrameRate, "frame-rate", "screen", "frames that Chromium makes: screen (60 a second), or unlimited (a faster click, for most of a core all the time)")
	f.BoolVar(&o.strictStatus, "strict-status", false, "nav fails where the server answers with a status of 400 or above, as with its parameter ok")
	f.StringArrayVar(&o.InitScripts, "init-script", nil,
		"file with a script that runs in each document before the page's own; it can be repeated")
	f.StringSliceVar(&o.tools, "tools", nil, "offer only these tools: names with commas between (default: all)")
	f.BoolVar(&o.NoExecute, "no-execute", false, "remove the tools that run a script outside of the page")
	f.StringVar(&o.Lang, "lang", "en", "language of what the tool playwright_browser writes: en, zh")
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

func (o *Options) Complete(cmd *cobra.Command) {
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

func checkValue(flag, value string, values []string) error {
	if err := OneOf(value, values...); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// OneOf refuses a value that is none of a few.
func OneOf(value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return hinted(fmt.Errorf("expected %s, got %q", either(values), value), suggest.Hint(value, values))
}

// either joins texts as in "a, b or c".
func either(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

func hinted(err error, hint string) error {
	if hint == "" {
		return err
	}
	return fmt.Errorf("%w; %s", err, hint)
}

// fromEnvironment sets the flags that were not given from PWPIPE_ variables, and those of serve
// from its seed's. It leaves out those that have their value.
func fromEnvironment(cmd *cobra.Command, except map[string]bool) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := envName(f.Name)
		if os.Getenv(name) == "" && cmd.Name() == ofServe {
			name = SeedVariables[f.Name]
		}
		value := os.Getenv(name)
		if f.Changed || value == "" || err != nil || except[f.Name] {
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
func (o *Options) check() error {
	switch {
	case o.CDP != "" && o.WS != "":
		return fmt.Errorf("give one of --cdp and --ws")
	case o.site && o.BaseURL != "":
		return fmt.Errorf("give one of --site and --base-url")
	case checkValue("lang", o.Lang, languages) != nil:
		return checkValue("lang", o.Lang, languages)
	case o.timeout < 0 || o.timeout > time.Hour.Seconds():
		return fmt.Errorf("--timeout: expected seconds above 0 (at most an hour), got %v", o.timeout)
	case o.MaxPages < 0:
		return fmt.Errorf("--max-pages: expected a number from 0, got %d", o.MaxPages)
	case o.UserDataDir != "" && o.Lends():
		return fmt.Errorf("--user-data-dir belongs to a browser that pwpipe starts; leave it out with --cdp and --ws")
	case checkValue("browser-sandbox", o.Sandbox, sandboxes) != nil:
		return checkValue("browser-sandbox", o.Sandbox, sandboxes)
	case o.Sandbox == setup.SandboxOn && o.Lends():
		return fmt.Errorf("--browser-sandbox on belongs to a browser that pwpipe starts; leave it out with --cdp and --ws")
	case o.OutlineTokens < 100 || o.OutlineTokens > 100_000:
		return fmt.Errorf("--outline-tokens: expected a number from 100 to 100000, got %d", o.OutlineTokens)
	case o.MaxImage != 0 && (o.MaxImage < smallestImage || o.MaxImage > largestImage):
		return fmt.Errorf("--max-image: expected 0, or a number of pixels from %d to %d, got %d",
			smallestImage, largestImage, o.MaxImage)
	case checkValue("act-outline", o.ActOutline, looks) != nil:
		return checkValue("act-outline", o.ActOutline, looks)
	case checkValue("frame-rate", o.FrameRate, rates) != nil:
		return checkValue("frame-rate", o.FrameRate, rates)
	case o.FrameRate == handlers.UnlimitedFrames && (o.Lends() || o.Browser == "firefox" || o.Browser == "webkit"):
		return fmt.Errorf("--frame-rate unlimited belongs to a Chromium that pwpipe starts; leave it out with --cdp, --ws, firefox and webkit")
	case o.BaseURL != "" && !isHTTP(o.BaseURL):
		return fmt.Errorf("--base-url: expected http://… or https://…, got %s", o.BaseURL)
	}
	return nil
}

// config checks the options and makes the browser's configuration of them.
// done closes the sample site.
func (o *Options) config(log *slog.Logger) (cfg handlers.Config, done func(), err error) {
	if err := o.check(); err != nil {
		return cfg, nil, err
	}
	cfg = o.Config
	cfg.Log = log
	navigate.StrictStatus.Set(&cfg, o.strictStatus)
	for _, into := range []func(*handlers.Config) error{
		o.cdpInto, o.Guard.into, o.featuresInto, o.Proxy.into, windowInto, sandboxInto, o.initScriptsInto,
		o.limitFiles,
	} {
		if err := into(&cfg); err != nil {
			return cfg, nil, err
		}
	}
	if !o.site {
		return cfg, func() {}, nil
	}
	site, err := fixtures.Serve()
	if err != nil {
		return cfg, nil, fmt.Errorf("serving the sample site: %w", err)
	}
	cfg.BaseURL = site.URL
	return cfg, func() { _ = site.Close() }, nil
}

func (o *Options) cdpInto(cfg *handlers.Config) (err error) {
	cfg.CDP, err = o.Program.cdpURL(cfg.CDP)
	return err
}

// windowInto refuses windows where none can be shown.
func windowInto(cfg *handlers.Config) error {
	if cfg.Headed && cfg.Source == nil && setup.NoDisplay() {
		return errors.New("--headed: there is no display to show a window on (DISPLAY and WAYLAND_DISPLAY are empty); " +
			"leave it out, or start under a virtual one: xvfb-run -a pwpipe --headed")
	}
	return nil
}

func sandboxInto(cfg *handlers.Config) error {
	return setup.CheckSandbox(context.Background(),
		setup.Options{Browser: cfg.Browser, Headed: cfg.Headed, Sandbox: cfg.Sandbox})
}

// maxInitScript bounds an init script, in bytes.
const maxInitScript = 64 << 20

func (o *Options) initScriptsInto(cfg *handlers.Config) error {
	for _, path := range o.InitScripts {
		text, err := writefile.Read(path, maxInitScript)
		if err != nil {
			return fmt.Errorf("--init-script: %w", err)
		}
		cfg.InitScripts = append(cfg.InitScripts, string(text))
	}
	return nil
}

// cdpURL is the address of --cdp, for which a port or host:port will do.
func (p *Program) cdpURL(address string) (string, error) {
	if address == "" || strings.Contains(address, "://") || p.IsSource(address) {
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
	names := ""
	if list := p.sources(); len(list) > 0 {
		names = " or one of " + strings.Join(list, ", ")
	}
	return "", fmt.Errorf("--cdp: expected a port, host:port, http://host:port%s, got %q", names, address)
}

// hidden tells the tools that are not to be there.
func (o *Options) hidden(tools []*provider.Tool) (func(*provider.Tool) bool, error) {
	scripts := func(tool *provider.Tool) bool { return o.NoExecute && tool.Scripts }
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

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// limitFiles sets the folders that tools may touch, which hold no private file, and
// closes what steers pwpipe.
func (o *Options) limitFiles(cfg *handlers.Config) error {
	if err := handlers.LimitFiles(o.Guard.AllowDirs, o.Guard.OutputDir); err != nil {
		return err
	}
	if err := o.closeControls(cfg); err != nil {
		return err
	}
	for flag, files := range o.setup.Private {
		for _, file := range files {
			if err := handlers.KeepPrivate(file); err != nil {
				return fmt.Errorf("--%s: %w", flag, err)
			}
		}
	}
	return nil
}
