package playwrightmcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pwpipe/features/playwrightmcp/mcptools"
	"pwpipe/internal/machine/writefile"
)

// peerFile holds the members of a configuration file, by their paths.
type peerFile map[string]json.RawMessage

// readPeerFile reads a configuration file of Playwright MCP: JSON, or lines such as
// "browser.isolated = true".
func readPeerFile(path string) (peerFile, error) {
	data, err := writefile.Config(path)
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
		err := json.Unmarshal(raw, &plain)
		if err != nil || plain == nil || raw[0] == '"' || raw[0] == '{' || raw[0] == '[' {
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

var peerObjects = []string{"secrets", "browser.contextOptions.viewport", "browser.contextOptions.recordVideo",
	"browser.contextOptions.extraHTTPHeaders", "browser.contextOptions.geolocation", "browser.contextOptions.screen",
	"browser.contextOptions.httpCredentials", "browser.contextOptions.recordHar", "browser.cdpHeaders",
	"browser.remoteHeaders", "saveVideo"}

func (p peerFile) pop(key string) (raw json.RawMessage, ok bool) {
	raw, ok = p[key]
	delete(p, key)
	return raw, ok
}

// take removes a flag's members from the file, and returns their values.
func (p peerFile) take(f peerFlag) (list []string, err error) {
	for _, key := range f.file {
		raw, ok := p.pop(key)
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
				var lines []string // of --cdp-header
				for _, name := range slices.Sorted(maps.Keys(v)) {
					lines = append(lines, fmt.Sprintf("%s: %v", name, v[name]))
				}
				return lines, nil
			}
			all = append(all, fmt.Sprintf("%vx%v", w, h))
		default:
			return nil, fmt.Errorf("a list in a list is not accepted")
		}
	}
	return all, nil
}

// recordVideo takes the films of the file's context options, which are --save-video with a folder.
func (s *mcpServer) recordVideo(file peerFile) error {
	const key = "browser.contextOptions.recordVideo"
	raw, ok := file.pop(key)
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
	s.peer.SaveVideo = &mcptools.Film{Dir: film.Dir, Width: film.Size.Width, Height: film.Size.Height}
	return nil
}

// proxyLogin takes the user and the password that the file has for the proxy, if it has one.
// They are no flags, since others can see flags.
func (s *mcpServer) proxyLogin(file peerFile) error {
	for _, options := range []string{"browser.launchOptions.proxy.", "browser.contextOptions.proxy."} {
		for name, to := range map[string]*string{"username": &s.Proxy.User, "password": &s.Proxy.Password} {
			if raw, ok := file.pop(options + name); ok && json.Unmarshal(raw, to) != nil {
				return fmt.Errorf("--config: %s%s: expected a text", options, name)
			}
		}
	}
	return nil
}

// contextMembers lists the options of contexts that no flag has.
var contextMembers = []string{"acceptDownloads", "bypassCSP", "colorScheme", "contrast", "deviceScaleFactor",
	"extraHTTPHeaders", "forcedColors", "geolocation", "hasTouch", "httpCredentials", "isMobile", "javaScriptEnabled",
	"locale", "offline", "recordHar", "reducedMotion", "screen", "serviceWorkers", "strictSelectors", "timezoneId"}

// contextOptions takes the file's options of contexts that no flag has.
func (s *mcpServer) contextOptions(file peerFile) error {
	const prefix = "browser.contextOptions."
	given := map[string]json.RawMessage{}
	for _, name := range contextMembers {
		if raw, ok := file.pop(prefix + name); ok {
			given[name] = raw
		}
	}
	all, err := json.Marshal(given)
	if err == nil && len(given) > 0 {
		s.peer.Contexts.More = &mcptools.MoreOptions{}
		err = json.Unmarshal(all, s.peer.Contexts.More)
	}
	if err != nil {
		return fmt.Errorf("--config: browser.contextOptions: %w", err)
	}
	return nil
}
