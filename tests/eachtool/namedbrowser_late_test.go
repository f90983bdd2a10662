package eachtool_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// neverComes serves pages that hold something that never comes.
func neverComes(t *testing.T) string {
	t.Helper()
	stop := make(chan struct{})
	const begun = `<!doctype html><title>Begun</title><button>Early</button>`
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		more, unended := "", false
		switch r.URL.Path {
		case "/picture":
			more = `<img src=/never>`
		case "/frame":
			more = `<iframe src=/never></iframe>`
		case "/script":
			more = `<script src=/never></script><p>Behind`
		case "/sheet":
			more = `<link rel=stylesheet href=/never><p>Behind`
		case "/font":
			more = `<style>@font-face { font-family: F; src: url(/never) } p { font-family: F }</style><p>Words`
		case "/cut":
			w.Header().Set("Content-Length", "5000")
		case "/stream":
			unended = true
		case "/never":
			w.Header().Del("Content-Type")
			select {
			case <-stop:
			case <-r.Context().Done():
			}
			return
		}
		_, _ = w.Write([]byte(begun + more))
		_ = http.NewResponseController(w).Flush()
		if unended {
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(site.Close)
	t.Cleanup(func() { close(stop) })
	return site.URL
}

// arrives goes to a page of neverComes, which must show what it has, and answers what is said of it.
func (b *browserTool) arrives(t *testing.T, page string, more pipetest.Object) (said string) {
	t.Helper()
	params := pipetest.Object{"action": "navigate", "url": page}
	for k, v := range more {
		params[k] = v
	}
	pipetest.Eventually(t, "the button of "+page, func() bool { // a busy machine is late
		r := b.done(t, 1, params)
		said = r.Stdout
		return strings.Contains(content(t, r), "Early")
	})
	return said
}

// TestBrowserToolNeverComes: a page is shown without a picture that never comes, and the picture is named.
func TestBrowserToolNeverComes(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript browser-page is quick")
	t.Parallel()
	b, at := startBrowserTool(t), neverComes(t)
	b.done(t, 1, pipetest.Object{"action": "launch"})
	got := b.arrives(t, at+"/picture", pipetest.Object{"wait_condition": "timeout", "timeout": 0})
	pipetest.Has(t, got, "at "+at+"/picture (still loading: no answer yet from "+at+"/never)")
}
