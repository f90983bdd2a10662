//go:build evidence

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

// membersSite serves a page with two buttons that note when they are clicked, a page behind an HTTP
// login, and a download.
func membersSite(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/buttons", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<title>Buttons</title><button onclick="at = event.timeStamp">one</button>
			<button onclick="document.title = 'after ' + (event.timeStamp - at >= 2000)">two</button>
			<a href="/file" download>file</a>`)
	})
	mux.HandleFunc("/private", func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "ann" || password != "sesame" {
			w.Header().Set("WWW-Authenticate", `Basic realm="private"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<title>Inside</title>")
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=file.txt")
		_, _ = fmt.Fprint(w, "text")
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// TestPeerMembers: options of the file that no flag has reach the browser and its contexts.
func TestPeerMembers(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerFlags is quick")
	t.Parallel()
	site, dir := membersSite(t), t.TempDir()
	file, har := filepath.Join(dir, "config.json"), filepath.Join(dir, "traffic.har")
	text := fmt.Sprintf(`{"browser": {"launchOptions": {"slowMo": 2000, "timeout": 90000,
		"args": ["--disable-blink-features=AutomationControlled", "--no-sandbox"]}, "contextOptions": {"baseURL": %q,
		"httpCredentials": {"username": "ann", "password": "sesame"}, "strictSelectors": true, "acceptDownloads": false,
		"recordHar": {"path": %q, "urlFilter": "**/private"}}}, "capabilities": ["config"]}`, site, har)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := startPeer(t, nil, "--headless", "--config", file)
	target := func(sel string) map[string]any { return map[string]any{"target": sel} }
	for _, c := range []struct {
		tool string
		args map[string]any
		want string // "!" before what is not said
	}{
		{"browser_navigate", map[string]any{"url": "/buttons"}, "Page URL: " + site + "/buttons"},
		{"browser_click", target("text=one"), "click"},
		{"browser_click", target("text=two"), "Page Title: after true"},
		{"browser_click", target("text=file"), "!Downloaded"},
		{"browser_evaluate", map[string]any{"function": "'driven ' + navigator.webdriver"}, "driven false"},
		{"browser_run_code_unsafe", map[string]any{"code": "page => page.click('button')"}, "strict mode violation"},
		{"browser_navigate", map[string]any{"url": "/private"}, "Page Title: Inside"},
		{"browser_get_config", map[string]any{}, `"slowMo": 2000`},
		{"browser_get_config", map[string]any{}, `"baseURL": "` + site},
		{"browser_get_config", map[string]any{}, "!sesame"},
		{"browser_close", map[string]any{}, "page.close"},
	} {
		want, isAbsent := strings.CutPrefix(c.want, "!")
		if got := allOf(t, s, c.tool, c.args); strings.Contains(got, want) == isAbsent {
			t.Errorf("%s %v: want %q, got %s", c.tool, c.args, c.want, got)
		}
	}
	if traffic, err := os.ReadFile(har); !strings.Contains(string(traffic), site+"/private") ||
		strings.Contains(string(traffic), "/buttons") {
		t.Errorf("%v: the file of recordHar is %.300s", err, traffic)
	}
}

// TestPeerWebMCP: a variable or a member of the file turns page tools on; --no-webmcp wins.
func TestPeerWebMCP(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPageTools of tests/eachtool is quick")
	t.Parallel()
	site := pipetest.Site(t)
	for _, c := range []struct{ env, flag, want string }{
		{"PLAYWRIGHT_MCP_WEBMCP=true", "--headless", "offers true"},
		{"PLAYWRIGHT_MCP_WEBMCP=true", "--no-webmcp", "offers false"},
		{"PLAYWRIGHT_MCP_WEBMCP=false", "--page-tools", "offers true"},
		{"A=b", "--headless", "offers false"},
	} {
		s, _ := startPeer(t, []string{c.env}, "--headless", c.flag)
		allOf(t, s, "browser_navigate", map[string]any{"url": site + "/login"})
		got := allOf(t, s, "browser_evaluate", map[string]any{"function": "'offers ' + !!document.modelContext"})
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: got %s", c, got)
		}
	}
}

// TestPeerUndefined: a value that is undefined is told from null, as there.
func TestPeerUndefined(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPlaywrightAsPeopleWriteIt of handlers/agent is quick")
	t.Parallel()
	s, _ := startPeer(t, nil, "--headless")
	allOf(t, s, "browser_navigate", map[string]any{"url": pipetest.Site(t) + "/login"})
	for function, want := range map[string]string{
		"() => undefined":                   "undefined",
		"() => null":                        "null",
		"() => {}":                          "undefined",
		"async () => undefined":             "undefined",
		"void 0":                            "undefined",
		"() => 'undefined'":                 `"undefined"`,
		"() => ({ a: undefined, b: null })": "{\n  \"b\": null\n}",
		"[] // a comment":                   "[]",
		"() => document.body":               "the result is a node",
	} {
		got := allOf(t, s, "browser_evaluate", map[string]any{"function": function})
		if !strings.Contains(got, "### Result\n"+want+"\n") && !strings.Contains(got, "Error: eval: "+want) {
			t.Errorf("%s: got %s, want %s", function, got, want)
		}
	}
}
