package watch_test

import (
	"net/http"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDoor: what the page's routes accept and answer, without a browser. It is the last to use its
// service, since its wrong keys keep others out: tests that are not parallel run before it.
func TestDoor(t *testing.T) {
	t.Parallel()
	s := service(t)
	const form = "Content-Type: application/x-www-form-urlencoded"
	status, text, head := s.Do("GET", "/", "", "X-Api-Key: ")
	pipetest.Has(t, text, `type="password"`)
	pipetest.Has(t, head.Get("Content-Security-Policy"), "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
	pipetest.Lacks(t, head.Get("Content-Security-Policy"), "unsafe")
	if status != 401 || head.Get("X-Frame-Options") != "DENY" || head.Get("X-Content-Type-Options") != "nosniff" || head.Get("Cache-Control") != "no-store" {
		t.Errorf("GET /: %d %v", status, head)
	}
	jar := func(key string, more ...string) (int, *http.Cookie) {
		t.Helper()
		req, _ := http.NewRequest("POST", s.URL+"/watch/login", strings.NewReader("key="+key))
		for _, h := range append(more, form) {
			name, value, _ := strings.Cut(h, ": ")
			req.Header.Set(name, value)
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		for _, c := range resp.Cookies() {
			return resp.StatusCode, c
		}
		return resp.StatusCode, nil
	}
	status, cookie := jar(operator)
	if status != 303 || cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Secure || cookie.MaxAge <= 0 ||
		strings.Contains(cookie.Value, operator) || len(cookie.Value) < 20 {
		t.Fatalf("login: %d %v", status, cookie)
	}
	if _, again := jar(operator, "X-Forwarded-Proto: https"); again == nil || !again.Secure || again.Value == cookie.Value {
		t.Errorf("behind TLS: %v", again)
	}
	own := "Cookie: " + cookie.Name + "=" + cookie.Value
	for _, c := range []struct {
		what, method, path string
		headers            []string
		want               int
	}{
		{"a foreign page logs in", "POST", "/watch/login", []string{form, "Origin: http://evil.example"}, 403},
		{"a sandboxed page logs in", "POST", "/watch/login", []string{form, "Origin: null"}, 403},
		{"another port's page logs out", "POST", "/watch/logout", []string{form, own, "Sec-Fetch-Site: same-site"}, 403},
		{"DNS rebinding", "GET", "/", []string{own, "Host: evil.example"}, 403},
		{"the socket without a cookie", "GET", "/watch/socket", nil, 401},
		{"the socket with the API key", "GET", "/watch/socket", []string{"X-Api-Key: " + pipetest.Key}, 401},
		{"the socket from nowhere", "GET", "/watch/socket", []string{own}, 403},
		{"the socket from a foreign page", "GET", "/watch/socket", []string{own, "Origin: http://evil.example"}, 403},
		{"a file above the page's", "GET", "/watch/..%2flogin.go", nil, 404},
		{"a page as a file", "GET", "/watch/index.html", nil, 404},
		{"who is in", "GET", "/", []string{own}, 200},
	} {
		if status, text, _ := s.Do(c.method, c.path, "", append([]string{"X-Api-Key: "}, c.headers...)...); status != c.want {
			t.Errorf("%s: %d %s, want %d", c.what, status, text, c.want)
		}
	}
	if status, text, _ := s.Do("POST", "/watch/login", "key="+strings.Repeat("x", 8<<10), form); status != 413 {
		t.Errorf("a long key: %d %s", status, text)
	}
	for range 25 { // wrong keys
		status, _ = jar("wrong", "Connection: close")
	}
	if right, _ := jar(operator, "Connection: close"); status != 429 || right != 429 {
		t.Errorf("after many wrong keys: %d, and the right one %d", status, right)
	}
	if status, _, _ := s.Do("GET", "/", "", own); status != 200 { // a logged-in viewer stays logged in
		t.Errorf("after others' wrong keys: %d", status)
	}
	s.Do("POST", "/watch/logout", "", form, own)
	if status, _, _ := s.Do("GET", "/", "", own); status != 401 {
		t.Errorf("after the logout: %d", status)
	}
}
