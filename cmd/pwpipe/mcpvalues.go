package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/handlers/playwrightmcp"
	"pwpipe/internal/machine/setup"
)

// peerFlag is a setting of Playwright MCP: as a flag, a variable, and a member of the file.
type peerFlag struct {
	name  string
	kind  string   // bool, text, or list, which may be given several times
	split string   // separates the members of a list that is given as one text
	env   string   // the variable, "" for PLAYWRIGHT_MCP_ and the name
	file  []string // its paths in the configuration file, with dots between members
	help  string
	paths bool // in the file its values are relative to the file's folder
	// One of these is set.
	set    func(s *mcpServer, v []string) error
	note   string // why it has no meaning here; it is accepted
	refuse string // why it is refused
}

// peerValues holds the values of the given flags, by name.
type peerValues map[string][]string

// register adds the flag to a command line.
func (f peerFlag) register(flags *pflag.FlagSet, to peerValues) {
	v := &peerValue{flag: f, to: to}
	own := flags.VarPF(v, f.name, "", f.help)
	own.Hidden = f.refuse != "" || f.note != "" // the help shows flags with an effect
	if f.kind == "bool" {
		own.NoOptDefVal = "true"
	}
}

// peerValue is a flag's value: [pflag.Value].
type peerValue struct {
	flag peerFlag
	to   peerValues
}

func (v *peerValue) String() string { return "" }
func (v *peerValue) Type() string {
	if v.flag.kind == "bool" {
		return "bool"
	}
	return "string"
}

// Set takes a value.
func (v *peerValue) Set(s string) error {
	if v.flag.kind == "bool" && s != "true" && s != "false" {
		return fmt.Errorf("expected true or false, got %q", s)
	}
	if v.flag.kind != "list" {
		v.to[v.flag.name] = nil
	}
	v.to[v.flag.name] = append(v.to[v.flag.name], v.flag.members(s)...)
	return nil
}

// refusedPeerFlag returns the reason why a given flag is refused, nil if none is.
func refusedPeerFlag(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if v, ok := f.Value.(*peerValue); ok && v.flag.refuse != "" && err == nil {
			err = fmt.Errorf("--%s: %s", f.Name, v.flag.refuse)
		}
	})
	return err
}

// members splits a list that is given as one text.
func (f peerFlag) members(s string) []string {
	if f.kind != "list" || f.split == "" {
		return []string{s}
	}
	var list []string
	for _, m := range strings.Split(s, f.split) {
		if m = strings.TrimSpace(m); m != "" {
			list = append(list, m)
		}
	}
	return list
}

// variable returns the name of the flag's environment variable.
func (f peerFlag) variable() string {
	if f.env != "" {
		return f.env
	}
	return "PLAYWRIGHT_MCP_" + strings.ToUpper(strings.ReplaceAll(f.name, "-", "_"))
}

// apply gives a server the settings of the flags, the variables and the file.
func (given peerValues) apply(s *mcpServer) error {
	path := given["config"]
	if v := os.Getenv("PLAYWRIGHT_MCP_CONFIG"); path == nil && v != "" {
		path = []string{v}
	}
	file := peerFile{}
	if len(path) > 0 {
		var err error
		if file, err = readPeerFile(path[0]); err != nil {
			return err
		}
	}
	for _, f := range peerFlags {
		v, from, err := given.value(f, file)
		if f.paths && len(v) > 0 && strings.HasSuffix(from, ofFile) {
			v = beside(path[0], v)
		}
		if err == nil && v != nil {
			err = s.take(f, v, from)
		}
		if err != nil {
			return err
		}
	}
	if err := s.keepSecrets(file); err != nil {
		return err
	}
	if err := s.recordVideo(file); err != nil {
		return err
	}
	if err := s.contextOptions(file); err != nil {
		return err
	}
	for _, key := range file.unused() {
		s.notes = append(s.notes, fmt.Sprintf("%s: %s has no meaning here", path[0], key))
	}
	return s.settle()
}

// recordVideo takes the films of the file's context options, which are --save-video with a folder.
func (s *mcpServer) recordVideo(file peerFile) error {
	const key = "browser.contextOptions.recordVideo"
	raw, ok := file[key]
	delete(file, key)
	if !ok || s.peer.SaveVideo != nil {
		return nil
	}
	var film struct {
		Dir  string
		Size struct{ Width, Height int }
	}
	if err := json.Unmarshal(raw, &film); err != nil {
		return fmt.Errorf("--config: %s: %w", key, err)
	}
	s.peer.SaveVideo = &playwrightmcp.Film{Dir: film.Dir, Width: film.Size.Width, Height: film.Size.Height}
	return nil
}

// contextOptions takes the file's options of contexts that no flag has.
func (s *mcpServer) contextOptions(file peerFile) error {
	const prefix = "browser.contextOptions."
	given := map[string]json.RawMessage{}
	for _, name := range []string{"bypassCSP", "colorScheme", "deviceScaleFactor", "extraHTTPHeaders", "geolocation",
		"hasTouch", "isMobile", "javaScriptEnabled", "locale", "offline", "reducedMotion", "timezoneId"} {
		if raw, ok := file[prefix+name]; ok {
			given[name] = raw
			delete(file, prefix+name)
		}
	}
	all, err := json.Marshal(given)
	if err == nil && len(given) > 0 {
		s.peer.Contexts.More = &playwrightmcp.MoreOptions{}
		err = json.Unmarshal(all, s.peer.Contexts.More)
	}
	if err != nil {
		return fmt.Errorf("--config: browser.contextOptions: %w", err)
	}
	return nil
}

// value returns the given value of a flag, nil for none, and where it comes from.
func (given peerValues) value(f peerFlag, file peerFile) (v []string, from string, err error) {
	inFile, err := file.take(f)
	if err != nil {
		return nil, "", err
	}
	if v := given[f.name]; v != nil {
		return v, "--" + f.name, nil
	}
	if text := strings.TrimSpace(os.Getenv(f.variable())); text != "" {
		if f.kind == "bool" {
			switch text {
			case "1":
				text = "true"
			case "0":
				text = "false"
			case "true", "false":
			default: // Playwright MCP ignores other values too
				return inFile, f.name, nil
			}
		}
		return f.members(text), f.variable(), nil
	}
	return inFile, f.name + ofFile, nil
}

// ofFile ends the name of a setting that comes from the file.
const ofFile = " of the file"

// beside resolves paths in the folder of a file.
func beside(file string, paths []string) (all []string) {
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		all = append(all, path)
	}
	return all
}

// take applies the value of one setting.
func (s *mcpServer) take(f peerFlag, v []string, from string) error {
	off := f.kind == "bool" && v[0] == "false"
	switch {
	case f.refuse != "" && !off:
		return fmt.Errorf("%s: %s", from, f.refuse)
	case f.note != "" && !off:
		s.notes = append(s.notes, from+": "+f.note)
	case f.set != nil:
		if err := f.set(s, v); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	return nil
}

// settle decides and checks what depends on several settings.
func (s *mcpServer) settle() error {
	if s.headless != "" || !s.headed {
		s.headed = s.headless == "false" || s.headless == "" && !setup.NoDisplay()
	}
	if !s.guard.allowFile && s.guard.allowDirs == nil {
		s.guard.allowDirs = workspace()
	}
	if s.port == "" && (s.host != "" || s.hosts != nil) {
		s.notes = append(s.notes, "--host, --allowed-hosts: nothing listens without --port")
	}
	if len(s.peer.InitPages) > 0 && s.noExecute {
		return fmt.Errorf("--init-page: it runs code, which --no-execute forbids")
	}
	s.peer.Say = func(line string) { fmt.Fprintln(os.Stderr, line) }
	c := &s.peer.Contexts
	if c.Device != "" && s.cdp != "" {
		return fmt.Errorf("--device: Device emulation is not supported with --cdp-endpoint; leave it out")
	}
	switch own := c.Device != "" || c.Width > 0 || c.UserAgent != "" || c.State != "" || c.Proxy != "" || c.Insecure ||
		c.More != nil; {
	case own && s.userDataDir != "":
		return fmt.Errorf("--user-data-dir: a browser with a profile has one context, which takes no device, " +
			"viewport, user agent, proxy, certificates, storage state or other options; leave out --user-data-dir or those flags")
	case c.Proxy != "" && (s.guard.allowed.list != nil || s.guard.blocked.list != nil):
		return fmt.Errorf("--proxy-server: our own proxy restricts the origins, and a second proxy would bypass it")
	}
	return nil
}

// workspace returns the folder whose files tools may touch: the working directory, as in
// Playwright MCP. Some hosts start servers in the root, which would be no limit: then it returns
// nil, for our default.
func workspace() []string {
	cwd, err := os.Getwd()
	if err != nil || filepath.Dir(cwd) == cwd {
		return nil
	}
	return []string{cwd}
}

// peerFile holds the members of a configuration file, by their paths.
type peerFile map[string]json.RawMessage

// readPeerFile reads a configuration file of Playwright MCP: JSON, or lines such as
// "browser.isolated = true".
func readPeerFile(path string) (peerFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	f := peerFile{}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return f, f.readLines(path, string(data))
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil {
		return nil, fmt.Errorf("--config: %s: %w", path, err)
	}
	f.flatten("", top)
	return f, nil
}

// readLines reads a file of lines. A value is true, false, a number or a text.
func (p peerFile) readLines(path, text string) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == ';' || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return fmt.Errorf("--config: %s:%d: expected an object of JSON, or lines of name = value", path, number)
		}
		raw := json.RawMessage(strings.TrimSpace(value))
		var plain any
		if err := json.Unmarshal(raw, &plain); err != nil || plain == nil || raw[0] == '"' || raw[0] == '{' || raw[0] == '[' {
			if raw, err = json.Marshal(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
		p[strings.TrimSpace(key)] = raw
	}
	return nil
}

// flatten adds the members of an object, and of the objects in it.
func (p peerFile) flatten(prefix string, o map[string]json.RawMessage) {
	for key, raw := range o {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) == nil && inner != nil && !slices.Contains(peerObjects, prefix+key) {
			p.flatten(prefix+key+".", inner)
			continue
		}
		p[prefix+key] = raw
	}
}

// peerObjects lists objects that are one value.
var peerObjects = []string{"secrets", "browser.contextOptions.viewport", "browser.contextOptions.recordVideo",
	"browser.contextOptions.extraHTTPHeaders", "browser.contextOptions.geolocation",
	"browser.cdpHeaders", "browser.remoteHeaders", "saveVideo"}

// take removes a flag's members from the file, and returns their values.
func (p peerFile) take(f peerFlag) (list []string, err error) {
	for _, key := range f.file {
		raw, ok := p[key]
		delete(p, key)
		if !ok || string(raw) == "null" {
			continue
		}
		if list, err = texts(raw); err != nil {
			return nil, fmt.Errorf("--config: %s: %w", key, err)
		}
		if len(list) == 1 && raw[0] == '"' {
			list = f.members(list[0])
		}
	}
	return list, nil
}

// texts returns the values of a member as flags take them.
func texts(raw json.RawMessage) ([]string, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var all []string
	for _, v := range list {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case bool:
			all = append(all, strconv.FormatBool(v))
		case float64:
			all = append(all, strconv.FormatFloat(v, 'f', -1, 64))
		case map[string]any:
			w, h := v["width"], v["height"]
			if w == nil || h == nil {
				return headerLines(v), nil
			}
			all = append(all, fmt.Sprintf("%vx%v", w, h))
		default:
			return nil, fmt.Errorf("a list in a list is not accepted")
		}
	}
	return all, nil
}

// headerLines writes an object of texts as the values of --cdp-header.
func headerLines(o map[string]any) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		lines = append(lines, fmt.Sprintf("%s: %v", name, o[name]))
	}
	return lines
}

// unused returns the paths of the members that no flag took.
func (p peerFile) unused() []string {
	var keys []string
	for key := range p {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
