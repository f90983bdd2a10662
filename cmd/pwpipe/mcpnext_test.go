package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPeerNext: what the sources of Playwright MCP's next version have, and 0.0.83 has not; and what flags keep, of
// a site whose certificate is not valid.
func TestPeerNext(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			fmt.Fprint(w, "{}")
			return
		}
		switch r.URL.Path {
		case "/pictures":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<img src="/lost.png"><img src="/api/there.png">`)
			return
		case "/lost.png":
			http.NotFound(w, r)
			return
		}
		for _, path := range []string{"/", "/shop", "/shopping"} {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: path[1:] + "x", Path: path})
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%[1]s</title><p>Lamp one</p><p>Lamp two</p><p>Lamp three</p>
			<script>console.error('at %[1]s'); fetch('/api%[1]s?access_token=s3cret&q=1')</script>`, r.URL.Path)
	}))
	t.Cleanup(site.Close)
	s, dir := startPeer(t, nil, "--headless", "--caps=storage", "--ignore-roots", "--background", "--no-tab-group",
		"--redact-url-params", "access_token,code", "--output-mode=stdout", "--codegen=python",
		"--ignore-https-errors", "--file-paths=absolute", "--save-session", "--save-trace")
	for _, c := range []struct {
		name, tool string
		args       map[string]any
		has, not   []string
	}{
		{"a parameter of an address", "browser_navigate", map[string]any{"url": site.URL + "/first?code=s3cret#access_token=s3cret"},
			[]string{"/first?code=<redacted>#access_token=<redacted>"}, []string{"s3cret"}},
		{"its request", "browser_wait_for", map[string]any{"text": "Lamp one", "textGone": "Lamp two", "time": 20},
			[]string{"### Result\nWaited for Lamp one"}, nil},
		{"a later document", "browser_navigate", map[string]any{"url": site.URL + "/second"}, []string{"Page Title: /second", `page.goto("` + site.URL + `/second")`}, nil},
		{"lines of this document", "browser_console_messages", map[string]any{}, []string{"at /second", "Total messages: 1 (Errors: 1"}, []string{"at /first"}},
		{"of all", "browser_console_messages", map[string]any{"all": true},
			[]string{"at /first", "at /second", "Total messages: 2 (Errors: 2"}, []string{"Returning"}},
		{"requests of this document", "browser_network_requests", map[string]any{}, []string{"/api/second?access_token=<redacted>&q=1"}, []string{"/api/first", "s3cret"}},
		{"of all", "browser_network_requests", map[string]any{"all": true, "static": true, "filter": "/api/|/first"},
			[]string{"1. [GET] " + site.URL + "/first?code=<redacted>", "/api/first?access_token=<redacted>", "/api/second"}, []string{"s3cret"}},
		{"one of an earlier document", "browser_network_request", map[string]any{"index": 1}, []string{"#1 [GET] " + site.URL + "/first"}, nil},
		{"some of the matches", "browser_find", map[string]any{"text": "lamp", "maxResults": 2},
			[]string{"Found 3 matches for \"lamp\" (showing first 2):"}, nil},
		{"none is not a number of matches", "browser_find", map[string]any{"text": "lamp", "maxResults": 0}, []string{"### Error", "maxResults"}, nil},
		{"cookies below a path", "browser_cookie_list", map[string]any{"path": "/shop"}, []string{"seen=shopx"}, []string{"shoppingx"}},
		{"of the host, not of a part of it", "browser_cookie_list", map[string]any{"domain": "7.0.0.1"}, []string{"No cookies found"}, nil},
		{"one of three of a name", "browser_cookie_delete", map[string]any{"name": "seen", "domain": "127.0.0.1", "path": "/shop"},
			[]string{"clearCookies({ name: 'seen', domain: '127.0.0.1', path: '/shop' })"}, nil},
		{"the others", "browser_cookie_list", map[string]any{}, []string{"seen=x", "seen=shoppingx"}, []string{"seen=shopx"}},
		{"a tab apart", "browser_tabs", map[string]any{"action": "new", "isolatedContext": "guest"}, []string{"[isolatedContext: guest]"}, nil},
		{"its cookies", "browser_cookie_list", map[string]any{}, []string{"No cookies found"}, nil},
		{"its page", "browser_navigate", map[string]any{"url": site.URL + "/guest"}, []string{"- Isolated context: guest"}, nil},
		{"a second tab of it", "browser_tabs", map[string]any{"action": "new", "isolatedContext": "guest"},
			[]string{"- 1: [/guest](" + site.URL + "/guest) [isolatedContext: guest]\n- 2: (current) [](about:blank) [isolatedContext: guest]"}, nil},
		{"the same cookies", "browser_cookie_list", map[string]any{}, []string{"seen=x"}, nil},
		{"a tab like the first", "browser_tabs", map[string]any{"action": "new"}, []string{"- 3: (current) [](about:blank)"}, nil},
		{"two pictures", "browser_navigate", map[string]any{"url": site.URL + "/pictures"}, []string{"/pictures"}, nil},
		{"the one that failed is no static request", "browser_network_requests", map[string]any{}, []string{"/lost.png => [404]", "2 static requests not shown"}, []string{"there.png"}},
		{"a file", "browser_snapshot", map[string]any{"filename": "a.yml"}, []string{filepath.Join(dir, "a.yml")}, nil},
		{"the end", "browser_close", map[string]any{}, []string{"page.close()"}, nil},
	} {
		got, failed := callTool(t, s, c.tool, c.args)
		if failed != strings.HasPrefix(c.has[0], "### Error") {
			t.Errorf("%s: %s", c.name, got)
		}
		pipetest.Has(t, got, c.has...)
		pipetest.Lacks(t, got, c.not...)
	}
	for pattern, want := range map[string]string{"session-*/session.md": "### Tool call: browser_find\n",
		"trace-c1-*.zip": "PK", "trace-c2-*.zip": "PK"} { // the guest's is the second
		found, _ := filepath.Glob(filepath.Join(dir, ".playwright-mcp", pattern))
		if text, err := os.ReadFile(strings.Join(found, " and ")); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %.2000s", pattern, err, text)
		}
	}
}
