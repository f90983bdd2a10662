package playwrightmcp

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/idna"

	"pwpipe/cmd/program"
	"pwpipe/features/playwrightmcp/mcptools"
	"pwpipe/internal/policy"
	"pwpipe/internal/text/suggest"
)

// ofExtension is what --cdp takes for the person's own browser by pwpipe's extension.
const ofExtension = "extension"

const tabGroupNote = "the group shows the person which tabs are lent"

// peerFlags lists the settings of @playwright/mcp 0.0.83, those that the sources of the next
// version have (playwright-core 1.65.1), and settings of older versions that configurations
// still have.
var peerFlags = []peerFlag{
	{name: "config", kind: "text", help: "file with settings, JSON",
		set: func(*mcpServer, []string) error { return nil }},
	{name: "caps", kind: "list", split: ",", file: []string{"capabilities"},
		help: "more sets of tools: " + strings.Join(capabilityNames(), ", "), set: setCaps},
	{name: "vision", kind: "bool", help: "same as --caps=vision",
		set: whenOn(func(s *mcpServer) { s.capabilities = append(s.capabilities, "vision") })},
	{name: "headless", kind: "bool", file: []string{"browser.launchOptions.headless"},
		help: "show no window (default: if there is no display)",
		set:  func(s *mcpServer, v []string) error { s.headless = v[0]; return nil }},
	{name: "browser", kind: "text", file: []string{"browser.launchOptions.channel", "browser.browserName"},
		help: "chrome, msedge, chromium, firefox or webkit (default: our own Chromium)", set: setBrowser},
	{name: "executable-path", kind: "text", file: []string{"browser.launchOptions.executablePath"},
		help: "path of the browser",
		set:  textTo(func(s *mcpServer) *string { return &s.Browser })},
	{name: "cdp-endpoint", kind: "text", file: []string{"browser.cdpEndpoint"},
		help: "attach to a Chromium at this address",
		set:  textTo(func(s *mcpServer) *string { return &s.CDP })},
	{name: "extension", kind: "bool", file: []string{"extension"},
		help: "attach to the person's own browser, by pwpipe's extension (pwpipe extension install)",
		set:  whenOn(func(s *mcpServer) { s.CDP = ofExtension })},
	{name: "cdp-header", kind: "list", env: "PLAYWRIGHT_MCP_CDP_HEADERS", file: []string{"browser.cdpHeaders"},
		help: "header of the requests that attach, as \"Name: value\"",
		set: func(s *mcpServer, v []string) error {
			s.CDPHeaders = http.Header{}
			for _, line := range v {
				name, value, _ := strings.Cut(line, ":")
				if name = strings.TrimSpace(name); !httpguts.ValidHeaderFieldName(name) {
					return fmt.Errorf("expected \"Name: value\", got %q", line)
				}
				s.CDPHeaders.Set(name, strings.TrimSpace(value))
			}
			return nil
		}},
	{name: "user-data-dir", kind: "text", file: []string{"browser.userDataDir"},
		help: "keep the browser's profile in this folder (default: nothing is kept)",
		set:  textTo(func(s *mcpServer) *string { return &s.UserDataDir })},
	{name: "isolated", kind: "bool", file: []string{"browser.isolated"},
		help: "keep no profile (default, unless --user-data-dir is given)",
		set: func(s *mcpServer, v []string) error {
			isolated := v[0] == "true"
			if s.peer.Contexts.Isolated = isolated; isolated && s.UserDataDir != "" {
				return fmt.Errorf("it keeps no profile; leave out --user-data-dir")
			}
			return nil
		}},
	{name: "sandbox", kind: "bool", file: []string{"browser.launchOptions.chromiumSandbox"},
		help: "Chromium's own sandbox (default: on wherever it is possible)", set: setSandbox},
	{name: "no-sandbox", kind: "bool", env: "PLAYWRIGHT_MCP_NO_SANDBOX", help: "turn off Chromium's own sandbox",
		set: func(s *mcpServer, v []string) error {
			return setSandbox(s, []string{strconv.FormatBool(v[0] != "true")})
		}},
	{name: "storage-state", kind: "text", file: []string{"browser.contextOptions.storageState"},
		help: "file with the cookies and storage that contexts start with",
		set:  textTo(func(s *mcpServer) *string { return &s.peer.Contexts.State })},
	{name: "viewport-size", kind: "text", file: []string{"browser.contextOptions.viewport"},
		help: "size of pages, such as 1280x720", set: setViewport},
	{name: "device", kind: "text", help: "device by name, such as iPhone 15",
		set: textTo(func(s *mcpServer) *string { return &s.peer.Contexts.Device })},
	{name: "mobile", kind: "bool", help: "same as --device=\"Galaxy S24\"", set: func(s *mcpServer, v []string) error {
		switch {
		case v[0] != "true":
		case s.peer.Contexts.Device != "":
			return fmt.Errorf("give one of --mobile and --device")
		case s.Browser == "firefox":
			return fmt.Errorf("there are no mobile pages in Firefox; leave it out")
		default:
			s.peer.Contexts.Device = "Galaxy S24"
		}
		return nil
	}},
	{name: "user-agent", kind: "text", file: []string{"browser.contextOptions.userAgent"}, help: "user agent of pages",
		set: textTo(func(s *mcpServer) *string { return &s.peer.Contexts.UserAgent })},
	{name: "proxy-server", kind: "text", file: []string{"browser.launchOptions.proxy.server",
		"browser.contextOptions.proxy.server"}, help: program.ProxyHelp,
		set: textTo(func(s *mcpServer) *string { return &s.Proxy.Server })},
	{name: "proxy-bypass", kind: "text", file: []string{"browser.launchOptions.proxy.bypass",
		"browser.contextOptions.proxy.bypass"}, help: program.BypassHelp,
		set: textTo(func(s *mcpServer) *string { return &s.Proxy.Bypass })},
	{name: "ignore-https-errors", kind: "bool", file: []string{"browser.contextOptions.ignoreHTTPSErrors"},
		help: "accept certificates that are not valid",
		set:  boolTo(func(s *mcpServer) *bool { return &s.peer.Contexts.Insecure })},
	{name: "block-service-workers", kind: "bool", help: "run no service workers",
		set: boolTo(func(s *mcpServer) *bool { return &s.peer.Contexts.NoWorkers })},
	{name: "grant-permissions", kind: "list", split: ",", file: []string{"browser.contextOptions.permissions"},
		help: "permissions of all pages, separated by commas",
		set:  func(s *mcpServer, v []string) error { s.peer.Contexts.Permissions = v; return nil }},
	{name: "allowed-origins", kind: "list", split: ";", file: []string{"network.allowedOrigins"},
		help: "reach only these hosts, separated by semicolons; a proxy enforces it, by host, " +
			"and by scheme and port where all have a scheme",
		set: setOrigins},
	{name: "blocked-origins", kind: "list", split: ";", file: []string{"network.blockedOrigins"},
		help: "never reach these hosts, separated by semicolons; a proxy enforces it, by host",
		set:  setHosts(func(s *mcpServer) *[]string { return &s.Guard.Blocked })},
	{name: "allow-unrestricted-file-access", kind: "bool", file: []string{"allowUnrestrictedFileAccess"},
		help: "allow files outside of the working directory, and file: pages",
		set:  whenOn(func(s *mcpServer) { s.Guard.AllowFile, s.Guard.AllowDirs = true, []string{"/"} })},
	{name: "init-script", kind: "list", paths: true, file: []string{"browser.initScript"},
		help: "file with a script that runs before a page's own",
		set:  filesTo(func(s *mcpServer) *[]string { return &s.InitScripts })},
	{name: "init-page", kind: "list", paths: true, file: []string{"browser.initPage"},
		help: "file (JavaScript, TypeScript) that exports a function of { page }, which runs in the sandbox " +
			"before a page is used",
		set: filesTo(func(s *mcpServer) *[]string { return &s.peer.InitPages })},
	{name: "output-dir", kind: "text", file: []string{"outputDir"},
		help: "folder for files without a given name (default: .playwright-mcp)",
		set:  textTo(func(s *mcpServer) *string { return &s.Guard.OutputDir })},
	{name: "output-mode", kind: "text", file: []string{"outputMode"},
		help: "where snapshots, console lines and other texts go: file, or stdout for the answer " +
			"(default: files for snapshots after acts)",
		set: oneTo(func(s *mcpServer) *string { return &s.peer.Output }, "file", "stdout")},
	{name: "save-session", kind: "bool", file: []string{"saveSession"},
		help: "write all calls and answers to session-TIME/session.md in the output folder",
		set:  boolTo(func(s *mcpServer) *bool { return &s.peer.SaveSession })},
	{name: "save-trace", kind: "bool", file: []string{"saveTrace"},
		help: "write a Playwright trace of each browser context, a .zip, to the output folder when it is closed",
		set:  boolTo(func(s *mcpServer) *bool { return &s.peer.SaveTrace })},
	{name: "save-video", kind: "text", file: []string{"saveVideo"},
		help: "film each page into the output folder, in this size, such as 800x600",
		set: func(s *mcpServer, v []string) (err error) {
			film := &mcptools.Film{}
			film.Width, film.Height, err = readSize(v[0])
			s.peer.SaveVideo = film
			return err
		}},
	{name: "file-paths", kind: "text", file: []string{"filePaths"}, help: "paths in answers: relative or absolute",
		set: func(s *mcpServer, v []string) error {
			s.peer.AbsolutePaths = v[0] == "absolute"
			return program.OneOf(v[0], "relative", "absolute")
		}},
	{name: "secrets", kind: "text", env: "PLAYWRIGHT_MCP_SECRETS_FILE",
		help: "dotenv file: tools type the value for a name in it, and answers hide the value",
		set:  setSecretsFile},
	{name: "redact-url-params", kind: "list", split: ",", file: []string{"redactUrlParams"},
		help: "parameters in addresses, such as access_token,code, whose values answers and files leave out",
		set: func(s *mcpServer, v []string) error {
			s.peer.Redacted = mcptools.RedactParams(v)
			return nil
		}},
	{name: "timeout-action", kind: "text", file: []string{"timeouts.action"},
		help: "deadline of actions, milliseconds (default: 5000)",
		set:  millisTo(func(s *mcpServer) *time.Duration { return &s.peer.Action })},
	{name: "timeout-navigation", kind: "text", file: []string{"timeouts.navigation"},
		help: "deadline of navigations, milliseconds (default: 60000)",
		set:  millisTo(func(s *mcpServer) *time.Duration { return &s.peer.Navigation })},
	{name: "snapshot-mode", kind: "text", file: []string{"snapshot.mode"}, help: "snapshots in answers: full or none",
		set: oneTo(func(s *mcpServer) *string { return &s.peer.Snapshot }, "full", "none")},
	{name: "snapshot-boxes", kind: "bool", file: []string{"snapshot.boxes"},
		help: "show boxes of elements in snapshots", set: boolTo(func(s *mcpServer) *bool { return &s.peer.Boxes })},
	{name: "console-level", kind: "text", file: []string{"console.level"},
		help: "lowest level of console lines in answers: error, warning, info or debug",
		set:  oneTo(func(s *mcpServer) *string { return &s.peer.Console }, "error", "warning", "info", "debug")},
	{name: "image-responses", kind: "text", file: []string{"imageResponses"},
		help: "pictures in answers: allow, omit or only",
		set:  oneTo(func(s *mcpServer) *string { return &s.peer.Images }, "allow", "omit", "only")},
	{name: "test-id-attribute", kind: "text", file: []string{"testIdAttribute"},
		help: "attribute of test ids (default: data-testid)", set: func(s *mcpServer, v []string) error {
			if !reAttribute.MatchString(v[0]) {
				return fmt.Errorf("expected the name of an attribute, got %q", v[0])
			}
			s.peer.TestID = v[0]
			return nil
		}},
	{name: "codegen", kind: "text", file: []string{"codegen"},
		help: "code in answers: typescript (default), python, java, csharp or none",
		set: oneTo(func(s *mcpServer) *string { return &s.peer.Code },
			append(slices.Clone(mcptools.Languages), "none")...)},
	{name: "port", kind: "text", file: []string{"server.port"},
		help: "serve /mcp, and /sse for older clients, on this port (0: a free one)", set: setPort},
	{name: "host", kind: "text", file: []string{"server.host"},
		help: "address of --port (default: localhost); clients on other machines need API_KEY",
		set:  textTo(func(s *mcpServer) *string { return &s.host })},
	{name: "shared-browser-context", kind: "bool", file: []string{"sharedBrowserContext"},
		help: "all clients of --port have one browser context (default: each has its own)",
		set:  boolTo(func(s *mcpServer) *bool { return &s.peer.Shared })},
	{name: "allowed-hosts", kind: "list", split: ",", file: []string{"server.allowedHosts"},
		help: "host names that clients may use, separated by commas (default: that of --host); * for any",
		set:  func(s *mcpServer, v []string) error { s.hosts = v; return nil }},

	{name: "timeout-settle", kind: "text", file: []string{"timeouts.settle"},
		help: "no effect",
		note: "nothing waits for a fixed time here: an act ends when the page has drawn what it led to"},
	{name: "idle-timeout", kind: "text", file: []string{"timeouts.idle"}, help: "no effect",
		note: "the browser runs until the client disconnects"},
	{name: "no-webmcp", kind: "bool", help: "turn off --page-tools (default: pages offer no tools)",
		set: func(s *mcpServer, v []string) error {
			s.PageTools = s.PageTools && v[0] != "true"
			return nil
		}},
	{name: "cdp-timeout", kind: "text", file: []string{"browser.cdpTimeout"},
		help: "no effect", note: "the deadline of the first call limits attaching too"},

	{name: "ignore-roots", kind: "bool", file: []string{"ignoreRoots"},
		help: "don't ask clients for the folders that they work in: relative paths begin in the working directory",
		set:  whenOn(func(s *mcpServer) { s.peer.IgnoreRoots = true })},
	{name: "background", kind: "bool", file: []string{"background"},
		help: "no effect", note: "tabs open in the background, and the focus stays yours"},
	{name: "no-tab-group", kind: "bool", help: "no effect", note: tabGroupNote},

	{name: "endpoint", kind: "text", file: []string{"browser.remoteEndpoint"}, help: "refused",
		refuse: "pwpipe can't find browsers that Playwright has bound; --cdp-endpoint attaches to a Chromium"},
	{name: "profile-dir-name", kind: "text", help: "refused",
		refuse: "the browser whose extension connects is the one that is used; leave it out"},
	{name: "output-max-size", kind: "text", file: []string{"outputMaxSize"}, help: "refused",
		refuse: "pwpipe never removes files; leave it out"},
}

func textTo(field func(*mcpServer) *string) func(*mcpServer, []string) error {
	return func(s *mcpServer, v []string) error { *field(s) = v[0]; return nil }
}

func oneTo(field func(*mcpServer) *string, values ...string) func(*mcpServer, []string) error {
	return func(s *mcpServer, v []string) error {
		*field(s) = v[0]
		return program.OneOf(v[0], values...)
	}
}

func whenOn(do func(*mcpServer)) func(*mcpServer, []string) error {
	return func(s *mcpServer, v []string) error {
		if v[0] == "true" {
			do(s)
		}
		return nil
	}
}

func boolTo(field func(*mcpServer) *bool) func(*mcpServer, []string) error {
	return func(s *mcpServer, v []string) error { *field(s) = v[0] == "true"; return nil }
}

// reAttribute matches names of attributes that Playwright's selectors take.
var reAttribute = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)

// filesTo takes paths of files that exist, as absolute paths.
func filesTo(field func(*mcpServer) *[]string) func(*mcpServer, []string) error {
	return func(s *mcpServer, v []string) error {
		for _, path := range v {
			path, err := filepath.Abs(path)
			if err != nil {
				return err
			}
			if _, err := os.Stat(path); err != nil {
				return err
			}
			*field(s) = append(*field(s), path)
		}
		return nil
	}
}

func millisTo(field func(*mcpServer) *time.Duration) func(*mcpServer, []string) error {
	return func(s *mcpServer, v []string) error {
		n, err := strconv.ParseFloat(v[0], 64)
		if err != nil || n < 1 || n > float64(time.Hour.Milliseconds()) {
			return fmt.Errorf("expected milliseconds from 1 to an hour, got %q", v[0])
		}
		*field(s) = time.Duration(n * float64(time.Millisecond))
		return nil
	}
}

func setCaps(s *mcpServer, v []string) error {
	for _, name := range v {
		adds, ok := mcpCapabilities[name]
		if !ok {
			meant := cmp.Or(suggest.Hint(name, capabilityNames()), "there are "+strings.Join(capabilityNames(), ", "))
			return fmt.Errorf("there is no capability %q; %s", name, meant)
		}
		if adds != "" {
			s.capabilities = append(s.capabilities, adds)
		}
	}
	return nil
}

func capabilityNames() []string { return slices.Sorted(maps.Keys(mcpCapabilities)) }

// setBrowser takes the values of their flag and of ours. Their chromium is the one that
// Playwright downloads; here it is the one that pwpipe downloads.
func setBrowser(s *mcpServer, v []string) error {
	switch v[0] {
	case "chromium", "chrome-for-testing", "chrome-headless-shell":
	default:
		s.Browser = v[0]
	}
	return nil
}

func setSandbox(s *mcpServer, v []string) error {
	s.Sandbox = "off"
	if v[0] == "true" {
		s.Sandbox = "on"
	}
	return nil
}

func setViewport(s *mcpServer, v []string) (err error) {
	s.peer.Contexts.Width, s.peer.Contexts.Height, err = readSize(v[0])
	return err
}

// readSize reads a size in pixels, such as 1280x720.
func readSize(text string) (width, height int, err error) {
	w, h, ok := strings.Cut(strings.Replace(text, ",", "x", 1), "x")
	width, err1 := strconv.Atoi(strings.TrimSpace(w))
	height, err2 := strconv.Atoi(strings.TrimSpace(h))
	if !ok || cmp.Or(err1, err2) != nil || width < 1 || height < 1 {
		return 0, 0, fmt.Errorf("expected a size such as 1280x720, got %q", text)
	}
	return width, height, nil
}

// originPattern matches URLs by the schemes and ports of origins, each on its host or a subdomain; nil unless all are
// http: or https: origins. A port of * is any.
func originPattern(origins []string) *regexp.Regexp {
	var list []string
	for _, origin := range origins {
		bare := strings.TrimSuffix(origin, ":*")
		u, err := url.Parse(bare)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Contains(u.Host, "*") {
			return nil
		}
		port := ""
		switch {
		case bare != origin:
			port = `(:\d+)?`
		case u.Port() != "" && u.Port() != map[string]string{"http": "80", "https": "443"}[u.Scheme]:
			port = ":" + u.Port()
		}
		host, err := idna.Lookup.ToASCII(u.Hostname())
		if err != nil {
			host = u.Hostname() // an address
		}
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		list = append(list, u.Scheme+"://([^/]*\\.)?"+regexp.QuoteMeta(strings.ToLower(host))+port+"/")
	}
	if len(list) == 0 {
		return nil
	}
	return regexp.MustCompile("^(" + strings.Join(list, "|") + ")")
}

func setOrigins(s *mcpServer, v []string) error {
	if s.Guard.Allowed == nil { // else hosts of --allowed-domains are meant too
		s.Guard.Pattern = originPattern(v)
	}
	return setHosts(func(s *mcpServer) *[]string { return &s.Guard.Allowed })(s, v)
}

// Origins is the policy of --allowed-origins alone.
func Origins(v []string) (policy.Options, error) {
	var s mcpServer
	err := setOrigins(&s, v)
	return policy.Options{Allowed: s.Guard.Allowed, Pattern: s.Guard.Pattern}, err
}

// setHosts takes origins and hosts, and keeps the hosts.
func setHosts(to func(*mcpServer) *[]string) func(*mcpServer, []string) error {
	return func(s *mcpServer, v []string) error {
		for _, origin := range v {
			host, err := hostOf(origin)
			if err != nil {
				return err
			}
			list := to(s)
			*list = append(*list, policy.Split(host)...)
		}
		return nil
	}
}

// hostOf is the host of an origin, or of a host with or without a port. A port of * is any. What is neither is refused:
// a list that is separated otherwise would block or allow something else.
func hostOf(origin string) (string, error) {
	text := strings.TrimSuffix(origin, ":*")
	if !strings.Contains(text, "://") {
		text = "//" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%q is neither an origin, such as https://example.com:8443, nor a host; "+
			"separate several by semicolons", origin)
	}
	return u.Hostname(), nil
}
