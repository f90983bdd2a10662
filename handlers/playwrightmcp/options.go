// Package playwrightmcp lists the tools of Playwright MCP by its names and answers in
// its shape. Each translates its parameters into a call of one of our tools, and what
// that answers into sections: nothing here acts on a page by itself.
package playwrightmcp

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/emulate"
	"pwpipe/handlers/files"
	"pwpipe/handlers/state"
)

// Options are the settings of Playwright MCP that its tools and contexts heed.
type Options struct {
	Tools              bool          // a client calls them: dialogs and file choosers stay open for it
	Capabilities       []string      // beyond core, whose tools they may call then
	Action, Navigation time.Duration // deadlines, 0: 5 s and 60 s
	Snapshot           string        // mode: full (also "") or none
	Boxes              bool          // snapshots have boxes
	Console            string        // level of the console's lines in answers: info (also ""), ...
	Images             string        // allow (also ""), omit or only
	AbsolutePaths      bool          // in answers
	NoCode             bool          // answers lack what ran as code
	InitScripts        []string      // files with scripts that run before a page's own
	Contexts           Contexts
	// Secret is what a text stands for that is the name of a secret.
	Secret func(name string) (value string, ok bool)
}

// Contexts are the options of browser contexts.
type Contexts struct {
	Device, UserAgent, State string
	Width, Height            int // of the viewport, 0 for the usual
	Insecure, NoWorkers      bool
	Permissions              []string
	Proxy, Bypass            string
}

// ForContext are what the contexts of a session are opened with.
func (c *Contexts) ForContext(s *browser.Session) (o playwright.BrowserNewContextOptions, err error) {
	if c.Device != "" {
		d, err := emulate.Device(s.Current(), c.Device)
		if err != nil {
			return o, err
		}
		o.Viewport, o.Screen, o.UserAgent = d.Viewport, d.Screen, &d.UserAgent
		o.DeviceScaleFactor, o.IsMobile, o.HasTouch = &d.DeviceScaleFactor, &d.IsMobile, &d.HasTouch
	}
	if c.Width > 0 {
		o.Viewport, o.Screen = &playwright.Size{Width: c.Width, Height: c.Height}, nil
	}
	if c.UserAgent != "" {
		o.UserAgent = &c.UserAgent
	}
	if c.Insecure {
		o.IgnoreHttpsErrors = &c.Insecure
	}
	if c.NoWorkers {
		o.ServiceWorkers = playwright.ServiceWorkerPolicyBlock
	}
	if c.Proxy != "" {
		o.Proxy = &playwright.Proxy{Server: c.Proxy}
		if c.Bypass != "" {
			o.Proxy.Bypass = &c.Bypass
		}
	}
	o.Permissions = c.Permissions
	if c.State != "" {
		o.StorageState, err = state.ReadState(c.State)
	}
	return o, err
}

// outputDir is the folder of files that a call did not name.
func outputDir(cwd string) string {
	if dir := files.ChosenOutput(); dir != "" {
		return dir
	}
	if filepath.Dir(cwd) == cwd { // a host may start servers there, and nobody keeps files there
		cwd = os.TempDir()
	}
	return filepath.Join(cwd, ".playwright-mcp")
}

// has reports whether a client may call the tools of a capability.
func (o *Options) has(capability string) bool {
	return !o.Tools || capability == "" || slices.Contains(o.Capabilities, capability)
}
