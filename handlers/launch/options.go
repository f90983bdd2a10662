package launch

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/playwright-community/playwright-go"
	"golang.org/x/text/language"

	"pwpipe/internal/browser/driver"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/machine/temp"
)

func launchOptions(o StartOptions, in *setup.Installed, dir string, sandbox bool) playwright.BrowserTypeLaunchOptions {
	env := browserEnv(in, dir)
	l := playwright.BrowserTypeLaunchOptions{
		Headless: playwright.Bool(!o.Headed),
		Args:     slices.Concat(browserArgs(o, in, env), frameArgs(o, in), in.Args, o.Extra.Args),
		Env:      env,
		Timeout:  playwright.Float(float64(o.within().Milliseconds())),
		SlowMo:   playwright.Float(o.Extra.SlowMo),
		// Playwright gives Chromium --no-sandbox unless told otherwise.
		ChromiumSandbox: playwright.Bool(sandbox),
		// Signals are ours to handle: the driver must not close the browser
		// under requests that are still to be answered.
		HandleSIGINT: playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
	}
	if in.Executable != "" {
		l.ExecutablePath = playwright.String(in.Executable)
	}
	if in.Channel != "" {
		l.Channel = playwright.String(in.Channel)
	}
	guardLaunch(&l, o.Proxy, in)
	return l
}

func persistentOptions(
	o StartOptions, in *setup.Installed, l playwright.BrowserTypeLaunchOptions,
) playwright.BrowserTypeLaunchPersistentContextOptions {
	p := playwright.BrowserTypeLaunchPersistentContextOptions{
		Headless: l.Headless, Args: l.Args, Env: l.Env, Timeout: l.Timeout, ChromiumSandbox: l.ChromiumSandbox,
		HandleSIGINT: l.HandleSIGINT, HandleSIGTERM: l.HandleSIGTERM, HandleSIGHUP: l.HandleSIGHUP,
		ExecutablePath: l.ExecutablePath, Channel: l.Channel, Proxy: l.Proxy, SlowMo: l.SlowMo,
	}
	if o.BaseURL != "" {
		p.BaseURL = playwright.String(o.BaseURL)
	}
	if locale := o.contextsLocale(in); locale != "" {
		p.Locale = &locale
	}
	return p
}

// browserArgs keep a driven Chromium from talking to its maker, and give it a locale.
func browserArgs(o StartOptions, in *setup.Installed, env map[string]string) []string {
	if in.Kind != "" && in.Kind != "chromium" {
		return nil
	}
	features := driversOn
	if in.Pinned() { // the build that we fetch, whose behaviour is known
		// One process fewer to start: the one that does the networking, which
		// on Linux is not sandboxed either.
		features += ",NetworkServiceInProcess2"
	}
	if o.PageTools {
		features += ",WebMCP"
	}
	// What pages log is no news of the browser's, and the driver keeps what that says.
	args := []string{"--log-level=1", "--disable-gpu", "--disable-background-networking", "--no-first-run",
		"--enable-features=" + features}
	if o.PAC != "" {
		args = append(args, "--proxy-pac-url="+o.PAC)
	}
	off := driversOff + inputFirst
	if !in.Pinned() { // one that may have windows
		off += windowParts
	}
	off = strings.Join(append([]string{off}, o.Without...), ",")
	return append(append(args, "--disable-features="+off), inLocale(env)...)
}

// inputFirst has Chromium put off what a click leads to until it has drawn: who goes
// somewhere else after the click has been answered would take back the form that it
// submits. The driver turned that off itself up to 1.52.
const inputFirst = ",DeferRendererTasksAfterInput"

// windowParts are what a whole Chromium of today keeps ready in each of its windows,
// and each context has one: two pages for the list below the address bar, which take
// a second of processor time, and a question to its maker whether it may use an AI.
const windowParts = ",WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled"

// driversOn and driversOff are what the driver turns on and off itself. Of two such
// switches Chromium takes the last.
const (
	driversOn  = "CDPScreenshotNewSurface"
	driversOff = "AvoidUnnecessaryBeforeUnloadCheckSync,BoundaryEventDispatchTracksNodeRemoval,DestroyProfileOnBrowserClose,DialMediaRouteProvider," +
		"GlobalMediaControls,HttpsUpgrades,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,Translate,AutoDeElevate,RenderDocument," +
		"OptimizationHints,msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion"
)

// UnlimitedFrames is a Chromium that makes a frame as soon as it is asked for
// one, in place of 60 a second.
const UnlimitedFrames = "unlimited"

// frameArgs are the switches for that. Without the second one a frame in which
// nothing changes is still waited for, as Playwright does to see that an element
// stands still.
func frameArgs(o StartOptions, in *setup.Installed) []string {
	if o.FrameRate != UnlimitedFrames || in.Kind != "" && in.Kind != "chromium" {
		return nil
	}
	return []string{"--disable-frame-rate-limit", "--run-all-compositor-stages-before-draw"}
}

// browserEnv is an environment of the browser's own: the caller's may hold
// secrets, and a page that gets out of the sandbox would read them.
func browserEnv(in *setup.Installed, dir string) map[string]string {
	env := map[string]string{}
	for _, kv := range append(driver.CleanEnv(), append([]string{"TMPDIR=" + temp.Short(dir)}, in.Env...)...) {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	validLocale(env)
	return env
}

// guardLaunch has the browser send everything to the proxy: Playwright adds
// <-loopback> to the bypass list, so that loopback addresses go there too.
func guardLaunch(o *playwright.BrowserTypeLaunchOptions, proxy string, in *setup.Installed) {
	if proxy == "" {
		return
	}
	o.Proxy = &playwright.Proxy{Server: proxy}
	if in.Kind != "" && in.Kind != "chromium" {
		return
	}
	o.Args = append(o.Args,
		"--disable-quic",
		// By its name in the headless shell, and in a whole browser of today.
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		// Names are the proxy's to resolve: what else the browser asks for
		// (prefetches, STUN servers) finds nothing.
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
	)
}

// Scripts says how the scripts of sessions run.
type Scripts struct {
	Early  bool  // the process is started with the session's first page
	Memory int64 // bytes that it may hold, 0 for the usual
	Weak   bool  // also where the network can't be closed to it
}

// ownLocale is the browser's where the user's is none that sites know: C, POSIX.
const ownLocale = "en-US"

// localeOf is the language tag of an environment. With no tag of a language Chromium
// tells sites "en-US@posix" or "und", of which their scripts die.
func localeOf(env map[string]string) (tag string, users bool) {
	name, _, _ := strings.Cut(cmp.Or(env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]), ".")
	name, _, _ = strings.Cut(name, "@")
	parsed, err := language.Parse(name)
	if err != nil || name == "C" || name == "POSIX" || parsed == language.Und {
		return ownLocale, false
	}
	return parsed.String(), true
}

// validLocale gives a Chromium's Intl a locale where the user's is none. It holds no
// name of a locale that the machine may lack: Chromium would then take file names for
// ASCII.
func validLocale(env map[string]string) {
	if _, users := localeOf(env); users {
		return
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANGUAGE"} {
		delete(env, name)
	}
	env["LANG"] = "C.UTF-8" // Intl's en-US
}

// inLocale is the same for navigator.language and Accept-Language, of pages and
// workers.
func inLocale(env map[string]string) []string {
	tag, _ := localeOf(env)
	return []string{"--lang=" + tag, "--accept-lang=" + tag}
}

// walled is what was found out about the browser's own sandbox.
type walled struct {
	setup.Confinement
	err error // what keeps a browser from starting
}

// findSandbox finds out whether to start the browser with its own sandbox on,
// while the driver starts, and has whoever needs no more than that go on.
func (o StartOptions) findSandbox(in *setup.Installed, anew bool, found func(on bool)) <-chan walled {
	finding := make(chan walled, 1)
	if o.attaches() {
		finding <- walled{}
		return finding
	}
	go func() {
		c, err := setup.Sandbox(context.Background(), setup.Options{Sandbox: o.Sandbox}, in, anew)
		if err == nil {
			found(c.On)
		}
		finding <- walled{c, err}
	}()
	return finding
}

// contextsLocale is the locale that contexts are opened with, so that Intl has it too; ""
// for none. A whole Chromium gives Intl the language of its own menus, and it may have
// these in English only.
func (o StartOptions) contextsLocale(in *setup.Installed) string {
	if o.attaches() || in.Kind != "" && in.Kind != "chromium" || in.Pinned() {
		return ""
	}
	tag, users := localeOf(browserEnv(in, ""))
	if !users || tag == ownLocale {
		return ""
	}
	return tag
}
