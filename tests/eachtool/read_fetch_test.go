package eachtool_test

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

// story is more text than a page has that only its scripts fill.
var story = "<article><h1>Lamps</h1>" +
	strings.Repeat("<p>A lamp is lit each evening, and put out each morning, as it was before.</p>", 12) +
	`<p><a href="next?a=1">Next</a></p></article>`

// readable is a site for read: answers of every kind.
func readable(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	say := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(body))
		})
	}
	say("/{$}", "text/html", "<title>Home</title>"+story)
	say("/llms.txt", "text/plain", "# Site\n\n- [Lamps](/docs/lamps)\n")
	say("/docs/lamps", "text/html; charset=utf-8",
		"<title>Lamps</title><nav>Menu</nav>"+story+"<footer>Imprint</footer>")
	say("/json", "application/json", `{"a":1}`)
	say("/latin", "text/plain; charset=iso-8859-1", "caf\xe9")
	say("/picture", "image/png", "\x89PNG")
	say("/app", "text/html", `<title>App</title><div id="root">Loading…</div><noscript>`+
		strings.Repeat("Turn on scripts. ", 9)+`</noscript><script src="/app.js"></script>`)
	say("/big", "text/plain", strings.Repeat("x", 9<<20))
	say("/long", "text/plain", strings.Repeat("x", 1<<20))
	say("/deep", "text/html", strings.Repeat("<blockquote>", 600)+story)
	to := func(path, location string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusFound)
		})
	}
	to("/moved", "docs/lamps#part")
	say("/hops/0", "text/plain", "arrived")
	for n := range 11 {
		to(fmt.Sprint("/hops/", n+1), fmt.Sprint(n))
	}
	to("/local", "file:///etc/passwd")
	to("/user", "http://ada:lamp@127.0.0.1/")
	mux.HandleFunc("/agent", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown")
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Path: "/"})
		_, _ = fmt.Fprintf(w, "cookie=%q markdown=%v", r.Header.Get("Cookie"),
			strings.HasPrefix(r.Header.Get("Accept"), "text/markdown"))
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func TestReadURL(t *testing.T) {
	t.Parallel()
	site := readable(t)
	p := pipetest.Start(t, "--base-url", site)
	lamps := p.Text("read", list("/docs/lamps"))
	pipetest.Has(t, lamps, "# Lamps", "each evening", "[Next]("+site+"/docs/next?a=1)")
	pipetest.Lacks(t, lamps, "Menu", "Imprint", "Source:")
	pipetest.Has(t, p.Text("read", pipetest.Object{"url": "/docs/lamps", "whole": true}), "Menu", "Imprint")
	if got := p.Text("read", list("/json")); got != `{"a":1}` {
		t.Errorf("JSON: %s", got)
	}
	if got := p.Text("read", list("/latin")); got != "café" {
		t.Errorf("another encoding: %q", got)
	}
	pipetest.Has(t, p.Text("read", list("/moved")), "Source: "+site+"/docs/lamps\n", "each evening")

	// No browser has started for any of it.
	for _, cmd := range pipetest.Descendants(t, p.Cmd.Process.Pid) {
		pipetest.Lacks(t, cmd, "--remote-debugging")
	}

	p.Complains("image/png, which is no text; download saves files", "read", list("/picture"))
	p.Complains("no text without its scripts but Loading…; a browser shows it", "read", list("/app"))
	p.Complains("more than 8 MiB", "read", list("/big"))
	p.Complains("a browser reads parts of it", "read", list("/deep"))
	p.Complains("answered 404 Not Found", "read", list("/none"))
	pipetest.Has(t, p.Text("read", list("/hops/10")), "arrived")
	p.Complains("more than 10 redirects, the last to "+site+"/hops/0", "read", list("/hops/11"))
	p.Complains("redirects to file:///etc/passwd, which read does not follow", "read", list("/local"))
	p.Complains("has not answered whole", "read", list("/slow"), "timeout", 1)
	p.Complains("net::ERR_CONNECTION_REFUSED", "read", list("http://127.0.0.1:1/"))
	for _, url := range []string{"/user", "http://ada:lamp@127.0.0.1/",
		"ftp://ada:lamp@127.0.0.1/", `http:\\ada:lamp@127.0.0.1/`} {
		pipetest.Lacks(t, p.Fail("read", list(url)), "ada", "lamp@")
	}
}

// TestReadLlms: a site's root answers its list for models, if it has one; elsewhere it is asked for.
func TestReadLlms(t *testing.T) {
	t.Parallel()
	site := readable(t)
	p := pipetest.Shared(t)
	for _, in := range []pipetest.Object{{"url": site}, {"url": site + "/docs/lamps", "llms": true}} {
		pipetest.Has(t, p.Text("read", in), "Source: "+site+"/llms.txt\n\n# Site")
	}
	pipetest.Has(t, p.Text("read", pipetest.Object{"url": site, "llms": false}), "each evening")
	pages := pipetest.ServePages(t, map[string]string{"/": story, "/llms.txt": story})
	pipetest.Has(t, p.Text("read", list(pages)), "each evening")
	p.Complains("/llms.txt is no text for models", "read", pipetest.Object{"url": pages, "llms": true})
	pages = pipetest.ServePages(t, map[string]string{"/": story})
	pipetest.Has(t, p.Text("read", list(pages)), "each evening")
	p.Complains("/llms.txt answered 404", "read", pipetest.Object{"url": pages, "llms": true})
}

// TestReadHasNoSession: what is read knows nothing of a session and leaves nothing in one.
func TestReadHasNoSession(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestReadURL is quick")
	t.Parallel()
	site := readable(t)
	dir := t.TempDir()
	p := pipetest.Start(t, "--allow-dir", dir)
	p.Call("nav", list(site+"/agent"))
	for range 2 {
		if got := p.Text("read", list(site+"/agent")); got != `cookie="" markdown=true` {
			t.Errorf("a server saw %s", got)
		}
	}
	p.Call("clear-cookies", nil)
	p.Text("read", list(site+"/agent"))
	if got := p.Call("cookies", nil); got != "[]" {
		t.Errorf("cookies of the session: %s", got)
	}

	// A log has it, and a replay reads again.
	file := filepath.Join(dir, "log.ndjson")
	p.Call("log-start", list(file))
	p.Text("read", list(site+"/json"))
	p.Call("log-stop", nil)
	out, _, status := pipetest.Run(t, "", "run", file)
	if text, err := os.ReadFile(file); err != nil || status != 0 || !strings.Contains(string(text), "/json") {
		t.Errorf("status %d, %v: %s\n%s", status, err, out, text)
	}

	// Over HTTP it opens no session.
	s := pipetest.SharedService(t)
	status, text, head := s.Do("POST", "/tools/read", `{"url":"`+site+`/json"}`)
	if status != http.StatusOK || !strings.Contains(text, `{\"a\":1}`) || head.Get("X-Session-Id") != "" {
		t.Errorf("%d %s %v", status, text, head)
	}
}
