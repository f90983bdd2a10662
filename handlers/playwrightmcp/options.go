package playwrightmcp

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/emulate"
	"pwpipe/handlers/files"
	"pwpipe/handlers/state"
	"pwpipe/internal/browser/contextoptions"
)

// Options holds the settings of Playwright MCP for its tools and for contexts.
type Options struct {
	Tools              bool          // a client calls them: dialogs and file choosers stay open for it
	Shared             bool          // all clients have one context
	Capabilities       []string      // beyond core: clients may call their tools too
	Action, Navigation time.Duration // deadlines, 0: 5 s and 60 s
	Snapshot           string        // mode: full (also "") or none
	Boxes              bool          // snapshots show boxes
	Console            string        // level of console lines in answers: info (also ""), ...
	Images             string        // allow (also ""), omit or only
	AbsolutePaths      bool          // answers show absolute paths
	Code               string        // language of code in answers: typescript (also ""), python, java, csharp or none
	Config             any           // the settings as browser_get_config answers them
	Output             string        // where long results go: file, stdout, or "" for either, by the tool
	TestID             string        // attribute of test ids, "": data-testid
	SaveSession        bool          // the output folder gets a log of the calls
	SaveTrace          bool          // and a trace of each context
	SaveVideo          *Film         // and a film of each page, nil for none
	InitPages          []string      // files with functions that run on each page before it is used
	Say                func(string)  // tells the person who started the server a line
	Contexts           Contexts
	// Secret returns the value of a secret, if name is one.
	Secret func(name string) (value string, ok bool)
}

// testID is the attribute of test ids.
func (o *Options) testID() string { return cmp.Or(o.TestID, "data-testid") }

// Contexts holds the options of browser contexts.
type Contexts struct {
	Device, UserAgent, State string
	Width, Height            int // of the viewport, 0 for the default
	Insecure, NoWorkers      bool
	Permissions              []string
	More                     *MoreOptions // nil for none
}

// MoreOptions holds options of contexts that have no flag, by the names of Playwright's own. Members that
// are not set stay the browser's own.
type MoreOptions struct {
	contextoptions.Options
	RecordHAR *HAR `json:"recordHar"`
}

// HAR says where the traffic of a context is written when it is closed.
type HAR struct {
	Path        string                       `json:"path"`
	Content     *playwright.HarContentPolicy `json:"content"`
	Mode        *playwright.HarMode          `json:"mode"`
	OmitContent *bool                        `json:"omitContent"`
	URLFilter   *string                      `json:"urlFilter"`
}

// over sets the options that are given.
func (m *MoreOptions) over(all *playwright.BrowserNewContextOptions) {
	o := m.Options
	if h := m.RecordHAR; h != nil {
		o.RecordHarPath, o.RecordHarOmitContent = &h.Path, h.OmitContent
		o.RecordHarContent, o.RecordHarMode = h.Content, h.Mode
		if h.URLFilter != nil {
			o.RecordHarURLFilter = *h.URLFilter
		}
	}
	contextoptions.Request{Options: o}.Over(all)
}

// Film is where films go, and their size: that of the page if it is zero.
type Film struct {
	Dir           string // "": the output folder
	Width, Height int
}

// ForContext returns the options for the contexts of a session.
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
	if c.More != nil {
		c.More.over(&o)
	}
	o.Permissions = c.Permissions
	if c.State != "" {
		o.StorageState, err = state.ReadState(c.State)
	}
	return o, err
}

// outputDir returns the folder for files without a given name.
func outputDir(cwd string) string {
	if dir := files.ChosenOutput(); dir != "" {
		return dir
	}
	if filepath.Dir(cwd) == cwd { // the root: some hosts start servers there, and nobody keeps files there
		cwd = os.TempDir()
	}
	return filepath.Join(cwd, ".playwright-mcp")
}

// has reports whether a client may call the tools of a capability.
func (o *Options) has(capability string) bool {
	return !o.Tools || capability == "" || slices.Contains(o.Capabilities, capability)
}
