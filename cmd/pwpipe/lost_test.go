//go:build unix

package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The first request of any kind reports, once, that the browser died since the last
// one. Otherwise a new page's answer would pass for the old page's. TestBrowserKilled has two of them.
func TestBrowserLostBetweenRequests(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestBrowserKilled is quick")
	t.Parallel()
	for _, c := range []struct {
		name string
		next func(*pipetest.Pipe) string
	}{
		{"script", func(p *pipetest.Pipe) string { return p.Fail("execute", pipetest.Object{"code": "await page.title()"}) }},
		{"tool", func(p *pipetest.Pipe) string { return p.Fail("eval", []any{"document.title"}) }},
		{"handles", func(p *pipetest.Pipe) string { return p.Fail("new-ctx", nil) }},
		{"client", joins},
	} {
		name, next := c.name, c.next
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pipetest.StartSite(t)
			p.Call("nav", []any{"/login"})
			if name == "script" {
				pipetest.Execute(p, "1")
			}
			if name == "client" {
				address = pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL
			}
			killNoticed(t, p, browserOf(t, p))
			if said := next(p); !strings.Contains(said, "died") || !strings.Contains(said, "since the last request") ||
				!strings.Contains(said, "the next request gets a fresh page") {
				t.Errorf("the first request: %s", said)
			}
			if got := p.Text("url", nil); got != "about:blank" {
				t.Errorf("the second: %s", got)
			}
		})
	}
}

// address is the client's URL, for the one case with a client.
var address string

// joins returns the answer to a connecting client.
func joins(p *pipetest.Pipe) string {
	r, err := http.Get(strings.Replace(address, "ws:", "http:", 1) + "/json/version")
	if err != nil {
		p.T.Fatal(err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	return string(body)
}
