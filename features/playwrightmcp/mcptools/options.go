package mcptools

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/emulate"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
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
	IgnoreRoots        bool          // the client is not asked for the folders that it works in
	SaveSession        bool          // the output folder gets a log of the calls
	SaveTrace          bool          // and a trace of each context
	SaveVideo          *Film         // and a film of each page, nil for none
	InitPages          []string      // files with functions that run on each page before it is used
	Say                func(string)  // tells the person who started the server a line
	Contexts           Contexts
	// Secret returns the value of a secret, if name is one.
	Secret func(name string) (value string, ok bool)
	// Offers are the tools of pages, where they are tools of the server; nil where not.
	Offers *Offers
	// Redacted are the names of parameters in addresses whose values no answer shows.
	Redacted *regexp.Regexp
}

// RedactParams matches the parameters of these names in the addresses of a text, in query and
// fragment; nil without names. The first group is what stays.
func RedactParams(names []string) *regexp.Regexp {
	var quoted []string
	for _, name := range names {
		if name != "" {
			quoted = append(quoted, regexp.QuoteMeta(name))
		}
	}
	if len(quoted) == 0 {
		return nil
	}
	return regexp.MustCompile(`(?i)([?&#](?:` + strings.Join(quoted, "|") + `)=)[^&#\s"'<>()\[\]` + "`" + `\\]+`)
}

// Redact leaves the values of redacted parameters out of a text.
func (o *Options) Redact(text string) string {
	if o.Redacted == nil {
		return text
	}
	return o.Redacted.ReplaceAllString(text, "${1}<redacted>")
}

// testID is the attribute of test ids.
func (o *Options) testID() string { return cmp.Or(o.TestID, "data-testid") }

// Contexts holds the options of browser contexts.
type Contexts struct {
	Device, UserAgent, State string
	Width, Height            int // of the viewport, 0 for the default
	Insecure, NoWorkers      bool
	Isolated                 bool // no context of an attached browser
	Permissions              []string
	More                     *MoreOptions // nil for none
}

// MoreOptions holds options of contexts that have no flag. Members that are not set stay the
// browser's own.
type MoreOptions struct {
	AcceptDownloads   *bool             `json:"acceptDownloads"`
	BypassCSP         *bool             `json:"bypassCSP"`
	ColorScheme       *string           `json:"colorScheme"`
	Contrast          *string           `json:"contrast"`
	DeviceScaleFactor *float64          `json:"deviceScaleFactor"`
	ExtraHTTPHeaders  map[string]string `json:"extraHTTPHeaders"`
	ForcedColors      *string           `json:"forcedColors"`
	Geolocation       *struct {
		Latitude  float64  `json:"latitude"`
		Longitude float64  `json:"longitude"`
		Accuracy  *float64 `json:"accuracy"`
	} `json:"geolocation"`
	HasTouch          *bool   `json:"hasTouch"`
	HTTPCredentials   *Login  `json:"httpCredentials"`
	IsMobile          *bool   `json:"isMobile"`
	JavaScriptEnabled *bool   `json:"javaScriptEnabled"`
	Locale            *string `json:"locale"`
	Offline           *bool   `json:"offline"`
	RecordHAR         *HAR    `json:"recordHar"`
	ReducedMotion     *string `json:"reducedMotion"`
	Screen            *struct {
		Width  int `json:"width"`
		Height int `json:"height"`
	} `json:"screen"`
	ServiceWorkers  *string `json:"serviceWorkers"`
	StrictSelectors *bool   `json:"strictSelectors"`
	TimezoneID      *string `json:"timezoneId"`
}

// Login is the login of sites that ask for one by HTTP.
type Login struct {
	Username string                          `json:"username"`
	Password string                          `json:"password"`
	Origin   *string                         `json:"origin"`
	Send     *playwright.HttpCredentialsSend `json:"send"`
}

// HAR says where the traffic of a context is written when it is closed.
type HAR struct {
	Path        string  `json:"path"`
	Content     *string `json:"content"`
	Mode        *string `json:"mode"`
	OmitContent *bool   `json:"omitContent"`
	URLFilter   *string `json:"urlFilter"`
}

// over sets the options that are given.
func (m *MoreOptions) over(all *playwright.BrowserNewContextOptions) {
	o := playwright.BrowserNewContextOptions{
		AcceptDownloads: m.AcceptDownloads, BypassCSP: m.BypassCSP, DeviceScaleFactor: m.DeviceScaleFactor,
		ExtraHttpHeaders: m.ExtraHTTPHeaders, HasTouch: m.HasTouch, IsMobile: m.IsMobile,
		JavaScriptEnabled: m.JavaScriptEnabled, Locale: m.Locale, Offline: m.Offline,
		StrictSelectors: m.StrictSelectors, TimezoneId: m.TimezoneID,
		ColorScheme:     (*playwright.ColorScheme)(m.ColorScheme),
		Contrast:        (*playwright.Contrast)(m.Contrast),
		ForcedColors:    (*playwright.ForcedColors)(m.ForcedColors),
		ReducedMotion:   (*playwright.ReducedMotion)(m.ReducedMotion),
		ServiceWorkers:  (*playwright.ServiceWorkerPolicy)(m.ServiceWorkers),
		Screen:          (*playwright.Size)(m.Screen),
		Geolocation:     (*playwright.Geolocation)(m.Geolocation),
		HttpCredentials: (*playwright.HttpCredentials)(m.HTTPCredentials),
	}
	if h := m.RecordHAR; h != nil {
		o.RecordHarPath, o.RecordHarOmitContent = &h.Path, h.OmitContent
		o.RecordHarContent, o.RecordHarMode = (*playwright.HarContentPolicy)(h.Content), (*playwright.HarMode)(h.Mode)
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
func (c *Contexts) ForContext(s *browser.Session) (playwright.BrowserNewContextOptions, error) {
	o, err := emulate.CtxOptions{
		Device: c.Device, Width: c.Width, Height: c.Height, Agent: c.UserAgent, Insecure: c.Insecure,
		NoWorkers: c.NoWorkers, State: tool.ReadPath(c.State),
	}.Options(s.Current())
	if c.More != nil {
		c.More.over(&o)
	}
	o.Permissions = c.Permissions
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
