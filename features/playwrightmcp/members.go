package playwrightmcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// peerMembers lists the settings of Playwright MCP that have no flag: members of the file, and
// variables.
var peerMembers = []peerFlag{
	{kind: "list", file: []string{"browser.launchOptions.args"},
		help: "switches of Chromium that leave pwpipe's own walls alone: " + strings.Join(safeSwitches, ", "),
		set:  setArgs},
	{kind: "text", file: []string{"browser.launchOptions.slowMo"},
		help: "milliseconds that Playwright waits after each act",
		set: func(s *mcpServer, v []string) (err error) {
			if s.Extra.SlowMo, err = strconv.ParseFloat(v[0], 64); err != nil || s.Extra.SlowMo < 0 {
				return fmt.Errorf("expected milliseconds, got %q", v[0])
			}
			return nil
		}},
	{kind: "text", file: []string{"browser.launchOptions.timeout"},
		help: "milliseconds that the browser may take to start (default: 60000; 0: an hour)",
		set: func(s *mcpServer, v []string) error {
			if v[0] == "0" {
				v = []string{strconv.FormatInt(time.Hour.Milliseconds(), 10)}
			}
			return millisTo(func(s *mcpServer) *time.Duration { return &s.Extra.Timeout })(s, v)
		}},
	{kind: "text", file: []string{"browser.contextOptions.baseURL"},
		help: "URL that a path is resolved against, as by --base-url", set: func(s *mcpServer, v []string) error {
			if s.BaseURL == "" {
				s.BaseURL = v[0]
			}
			return nil
		}},
	{kind: "bool", env: "PLAYWRIGHT_MCP_WEBMCP", file: []string{"webmcp"},
		help: "true: same as --page-tools; false: same as --no-webmcp",
		set: func(s *mcpServer, v []string) error {
			s.PageTools = s.PageTools || v[0] == "true"
			return nil
		}},
	{kind: "bool", file: []string{"tabGroup"}, note: tabGroupNote},
	{kind: "text", env: "PLAYWRIGHT_MCP_EXTENSION_TOKEN",
		note: "it opens Playwright's extension; pwpipe has an extension of its own, and the person consents there"},
	{kind: "text", env: "PLAYWRIGHT_MCP_REMOTE_HEADERS", file: []string{"browser.remoteHeaders"},
		note: "it belongs to --endpoint, which is refused; --cdp-header is for --cdp-endpoint"},
	{kind: "text", env: "PLAYWRIGHT_MCP_PING_TIMEOUT_MS",
		note: "clients are not asked for signs of life: " +
			"a session ends with its client, or after an hour without a call"},
	{kind: "text", file: []string{"browser.launchOptions.downloadsPath"},
		note: "downloads go to the folder of --output-dir"},
	{kind: "text", file: []string{"browser.launchOptions.tracesDir"},
		note: "traces go to the folder of --output-dir"},
	{kind: "text", file: []string{"browser.launchOptions.handleSIGHUP", "browser.launchOptions.handleSIGINT",
		"browser.launchOptions.handleSIGTERM"}, note: "pwpipe answers what still runs, and then ends its browser"},
	{kind: "text", file: []string{"timeouts.expect"},
		note: "checks have the deadline of --timeout-action, and code has Playwright's own"},
}

// peerSettings lists all settings of Playwright MCP, in the order in which they are taken: a flag
// has the last word.
var peerSettings = slices.Concat(peerMembers, peerFlags)

// safeSwitches lists the switches of Chromium that the file may have. Other switches could open
// what a policy closes, such as a proxy of their own, or could take the browser from pwpipe.
var safeSwitches = []string{"allow-insecure-localhost", "autoplay-policy",
	"disable-blink-features", "disable-dev-shm-usage", "disable-gpu", "disable-infobars", "disable-notifications",
	"disable-popup-blocking", "disable-site-isolation-trials", "disable-web-security",
	"enable-unsafe-swiftshader", "font-render-hinting", "force-color-profile", "force-dark-mode",
	"force-device-scale-factor", "force-prefers-reduced-motion", "hide-scrollbars", "ignore-certificate-errors",
	"ignore-gpu-blocklist", "kiosk", "lang", "mute-audio", "no-default-browser-check", "no-first-run",
	"start-fullscreen", "start-maximized", "use-angle", "use-fake-device-for-media-stream",
	"use-fake-ui-for-media-stream", "use-gl", "window-position", "window-size"}

// setArgs takes the switches of Chromium that the file may have, and notes the others.
func setArgs(s *mcpServer, v []string) error {
	for _, arg := range v {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		switch {
		case name == "no-sandbox":
			if err := setSandbox(s, []string{"false"}); err != nil {
				return err
			}
		case slices.Contains(safeSwitches, name) && strings.HasPrefix(arg, "--"):
			s.Extra.Args = append(s.Extra.Args, arg)
		default:
			s.notes = append(s.notes, fmt.Sprintf("browser.launchOptions.args: %s is left out: "+
				"it is not in the list of docs/playwright-mcp.md", arg))
		}
	}
	return nil
}

// Setting describes a setting of Playwright MCP.
type Setting struct {
	Name, Kind, Variable string   // of the flag; bool, text or list; "" for none
	File                 []string // its places in a configuration file
	Here                 string   // what it does
}

// Settings are the flags of Playwright MCP, then what has no flag.
func Settings() (all []Setting) {
	for _, f := range slices.Concat(peerFlags, peerMembers) {
		here := f.help
		switch {
		case f.refuse != "":
			here = "refused: " + f.refuse
		case f.note != "":
			here = "no effect: " + f.note
		}
		all = append(all, Setting{f.name, f.kind, f.variable(), f.file, here})
	}
	return all
}
