package pipetest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// ServePages serves small pages of HTML, by their paths, until the test ends.
func ServePages(t testing.TB, pages map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>" + r.URL.Path + "</title>" + page))
	}))
	t.Cleanup(s.Close)
	return s.URL
}
