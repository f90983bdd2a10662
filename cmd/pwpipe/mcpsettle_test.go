//go:build evidence

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// TestPeerSettles: an answer of Playwright MCP's tools has what the act led to, also what came by
// a timer, a server, another document or a window.
func TestPeerSettles(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	slow := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(300 * time.Millisecond)
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, text)
		}
	}
	acts := map[string]string{
		"at once":   "said('it came')",
		"message":   "{ const c = new MessageChannel(); c.port1.onmessage = () => said('it came'); c.port2.postMessage(0) }",
		"timer":     "setTimeout(() => said('it came'), 60)",
		"frames":    "requestAnimationFrame(() => requestAnimationFrame(() => said('it came')))",
		"server":    "fetch('/slow').then((r) => r.text()).then(said)",
		"then":      "fetch('/slow').then(() => fetch('/slow')).then((r) => r.text()).then(said)",
		"address":   "{ location.href = '/slow' }",
		"link":      "document.querySelector('a').click()",
		"form":      "document.querySelector('form').submit()",
		"dialog":    "setTimeout(() => alert('it came'), 60)",
		"window":    "window.open('/came')",
		"console":   "console.error('it came')",
		"late line": "setTimeout(() => console.error('it came'), 60)",
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", slow("it came"))
	mux.HandleFunc("/came", slow("<title>it came</title>"))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<title>start</title><script>var said = (text) => { document.querySelector('p').textContent = text }</script>
<button onclick="%s">Act</button><p></p><a href="/slow">l</a><form action="/slow"></form>`, acts[r.URL.Query().Get("act")])
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	s, _ := startPeer(t, nil, "--headless", "--isolated", "--output-mode", "stdout")
	for name, act := range acts {
		for _, by := range []struct {
			tool string
			args map[string]any
		}{
			{"browser_click", map[string]any{"target": "button"}},
			{"browser_evaluate", map[string]any{"function": "() => { " + act + " }"}},
		} {
			callTool(t, s, "browser_navigate", map[string]any{"url": site.URL + "/?act=" + strings.ReplaceAll(name, " ", "+")})
			got, failed := callTool(t, s, by.tool, by.args)
			if by.tool == "browser_evaluate" && !strings.Contains(got, "it came") { // it shows no page
				more, _ := callTool(t, s, "browser_snapshot", map[string]any{})
				got += more
			}
			if failed || !strings.Contains(got, "it came") && !strings.Contains(got, "/came)") {
				t.Errorf("%s by %s: %s", name, by.tool, got)
			}
			if strings.Contains(got, "alert") {
				callTool(t, s, "browser_handle_dialog", map[string]any{"accept": true})
			}
			for strings.Contains(got, "- 1:") {
				got, _ = callTool(t, s, "browser_tabs", map[string]any{"action": "close", "index": 1})
			}
		}
	}
}

// TestPeerDownloads: the session goes on after downloads of a click and of a navigation.
func TestPeerDownloads(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.Header().Set("Content-Disposition", "attachment; filename=test.txt")
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<a href="/file">Download</a>`)
	}))
	t.Cleanup(site.Close)
	addr, _ := pipetest.Chromium(t, "0")
	for _, args := range [][]string{{"--headless", "--isolated"}, {"--cdp-endpoint", "http://" + addr}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			s, _ := startPeer(t, nil, args...)
			for _, call := range []struct{ tool, key, value string }{
				{"browser_click", "target", "a"}, {"browser_navigate", "url", site.URL + "/file"},
			} {
				callTool(t, s, "browser_navigate", map[string]any{"url": site.URL})
				got, _ := callTool(t, s, call.tool, map[string]any{call.key: call.value})
				pipetest.Eventually(t, "the download", func() bool {
					more, _ := callTool(t, s, "browser_snapshot", map[string]any{})
					got += more
					return strings.Contains(got, "- Downloaded file test.txt to")
				})
			}
		})
	}
}
