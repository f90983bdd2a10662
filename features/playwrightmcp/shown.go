package playwrightmcp

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// shownConfig holds the settings as browser_get_config answers them, in the shape of the file of
// --config. It has no values that open something: headers, secrets, log-ins and certificates.
type shownConfig map[string]any

func (c shownConfig) put(path string, value any) {
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		c[name] = value
		return
	}
	inner, ok := c[name].(shownConfig)
	if !ok {
		inner = shownConfig{}
		c[name] = inner
	}
	inner.put(rest, value)
}

// flag adds the value of a flag, unless it has no effect here.
func (c shownConfig) flag(f peerFlag, v []string) {
	switch {
	case f.note != "" || f.refuse != "" || len(v) == 0:
		return
	case f.name == "cdp-header" || f.name == "secrets":
		return
	case f.name == "config" || f.name == "no-sandbox": // what they say has members of its own
		return
	}
	path := camel(f.name)
	if len(f.file) > 0 {
		path = f.file[0]
	}
	c.put(path, f.shown(v))
}

// shown returns a flag's value as the file has it.
func (f peerFlag) shown(v []string) any {
	switch f.kind {
	case "bool":
		return v[0] == "true"
	case "list":
		return v
	}
	switch f.name {
	case "viewport-size", "save-video":
		if width, height, err := readSize(v[0]); err == nil {
			return shownConfig{"width": width, "height": height}
		}
	case "timeout-action", "timeout-navigation", "port", "":
		if n, err := strconv.ParseFloat(v[0], 64); err == nil {
			return n
		}
		return withoutLogin(v[0])
	case "proxy-server", "cdp-endpoint": // they may have a log-in
		return withoutLogin(v[0])
	}
	return v[0]
}

// withoutLogin removes the user, the password and the query of an address.
func withoutLogin(address string) string {
	_, bare, ok := strings.Cut(address, "://")
	if !ok {
		return address[strings.LastIndexByte(address, '@')+1:]
	}
	u, err := url.Parse(address)
	if err != nil {
		return bare[strings.LastIndexByte(bare, '@')+1:]
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// camel writes the name of a flag as the file writes names.
func camel(name string) string {
	var b strings.Builder
	for i, word := range strings.Split(name, "-") {
		if i > 0 && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}

// contextOptions adds the file's options of contexts that no flag has, but the values of headers.
func (c shownConfig) contextOptions(file peerFile) {
	for _, name := range contextMembers {
		var value any
		isSecret := name == "extraHTTPHeaders" || name == "httpCredentials"
		raw, ok := file["browser.contextOptions."+name]
		if ok && !isSecret && json.Unmarshal(raw, &value) == nil {
			c.put("browser.contextOptions."+name, value)
		}
	}
}

// settled adds what the server decided from several settings.
func (c shownConfig) settled(s *mcpServer) shownConfig {
	c.put("browser.isolated", s.UserDataDir == "")
	c.put("browser.launchOptions.headless", !s.Headed)
	if s.Sandbox != "" {
		c.put("browser.launchOptions.chromiumSandbox", s.Sandbox == "on")
	}
	return c
}
