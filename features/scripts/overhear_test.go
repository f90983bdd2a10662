package scripts_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pwpipe/features/scripts"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/internal/policy"
)

// overhearing is a host that scripts may ask only for /app. It records requests.
type overhearing struct {
	*httptest.Server
	to     scripthost.Address
	policy *policy.Policy

	mu   sync.Mutex
	seen []string
}

func startHost(t *testing.T) *overhearing {
	t.Helper()
	h := &overhearing{}
	h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		h.seen = append(h.seen, r.Method+" "+r.Host+" "+r.RequestURI)
		h.mu.Unlock()
		if r.URL.Path == "/app/away" {
			http.Redirect(w, r, "/other", http.StatusFound)
			return
		}
		fmt.Fprintf(w, "heard %s", body)
	}))
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.StartTLS()
	t.Cleanup(h.Close)
	u, _ := url.Parse(h.URL)
	port, _ := strconv.Atoi(u.Port())
	h.to = scripthost.Address{Host: u.Hostname(), Port: port, TLS: true, Insecure: true}
	p, err := policy.New(policy.Options{Pattern: regexp.MustCompile("^" + regexp.QuoteMeta(h.URL) + "/app(/|$)")})
	if err != nil {
		t.Fatal(err)
	}
	h.policy = p
	return h
}

// say writes to a script's connection, and returns everything that comes back.
func (h *overhearing) say(t *testing.T, to scripthost.Address, text string) (answer string, err error) {
	t.Helper()
	c := scripts.Overhear(to, h.policy.Request, func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", h.Listener.Addr().String())
	})
	defer c.Close()
	var got strings.Builder
	done := make(chan error)
	go func() {
		_, err := io.Copy(&got, c)
		done <- err
	}()
	_, werr := io.WriteString(c, text)
	if werr != nil {
		_ = c.Close()
	}
	err = errors.Join(<-done, werr)
	return got.String(), err
}

func (h *overhearing) asked() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.seen)
}

// Requests are sent exactly as they were checked. Nothing else that a hostile
// script writes on the connection gets through.
func TestOverheard(t *testing.T) {
	t.Parallel()
	h := startHost(t)
	at := strings.TrimPrefix(h.URL, "https://")
	one := func(line string, headers ...string) string {
		return line + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n" + strings.Join(append(headers, ""), "\r\n") + "\r\n"
	}
	for _, c := range []struct{ name, text, seen string }{
		{"a path", one("GET /app/x?q=%20"), "GET " + at + " /app/x?q=%20"},
		{"a path with dots", one("GET /other/%2e%2e/app/./y"), "GET " + at + " /app/y"},
		{"a backslash", one(`GET /app\x`), "GET " + at + " /app/x"},
		{"a fragment", one("GET /app/#/../other"), "GET " + at + " /app/"},
		{"the same host in another case", strings.Replace(one("GET /app"), "Host", "hOsT", 1), "GET " + at + " /app"},
		{"chunks", one("POST /app", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n", "POST " + at + " /app"},
		{"another path", one("GET /other"), ""},
		{"out of the path", one("GET /app/../other"), ""},
		{"out of the path, encoded", one("GET /app/%2E%2e/other"), ""},
		{"out of the path by a backslash", one(`GET /app/..\other`), ""},
		{"absolute", one("GET " + h.URL + "/app"), ""},
		{"absolute, elsewhere", one("GET https://192.0.2.1/app"), ""},
		{"without a scheme", one("GET //192.0.2.1/app"), ""},
		{"the whole server", one("OPTIONS *"), ""},
		{"a tunnel", one("CONNECT " + at), ""},
		{"another host", "GET /app HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n", ""},
		{"another port", "GET /app HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", ""},
		{"two hosts", "GET /app HTTP/1.1\r\nHost: " + at + "\r\nHost: 192.0.2.1\r\n\r\n", ""},
		{"no host", "GET /app HTTP/1.1\r\n\r\n", ""},
		{"a WebSocket", one("GET /app", "Upgrade: websocket", "Connection: Upgrade"), ""},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ""},
		{"TLS", "\x16\x03\x01\x00\x05hello\r\n\r\n", ""},
		{"two lengths", one("POST /app", "Content-Length: 3", "Content-Length: 30") + "abcGET /other HTTP/1.1\r\nHost: " + at + "\r\n\r\n", ""},
		{"a line in the path", one("GET /app\nGET /other"), ""},
	} {
		before := len(h.asked())
		answer, err := h.say(t, h.to, c.text)
		seen := strings.Join(h.asked()[before:], ", ")
		if seen != c.seen {
			t.Errorf("%s: the host was asked %q, want %q", c.name, seen, c.seen)
		}
		if c.seen == "" && err == nil && !strings.HasPrefix(answer, "HTTP/1.1 400 ") && answer != "" || c.seen != "" && !strings.Contains(answer, "heard") {
			t.Errorf("%s: %q %v", c.name, answer, err)
		}
	}
	if _, err := h.say(t, h.to, one("GET /other")); err == nil || !strings.Contains(err.Error(), "must match") {
		t.Errorf("the script is told %v", err)
	}
}

// Requests on one connection are checked one by one, and only pwpipe decides where
// one ends. Length with chunks, or a request in another's body, reaches the host as
// it was checked.
func TestOverheardInARow(t *testing.T) {
	t.Parallel()
	h := startHost(t)
	at := strings.TrimPrefix(h.URL, "https://")
	get := func(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: " + at + "\r\n\r\n" }
	inner := get("/other")
	for _, c := range []struct{ name, text, seen string }{
		{"a row", get("/app/1") + get("/app/2") + get("/other") + get("/app/3"), "/app/1 /app/2"},
		{"length and chunks", "POST /app/4 HTTP/1.1\r\nHost: " + at + "\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner, "/app/4"},
		{"a request as a body", fmt.Sprintf("POST /app/5 HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", at, len(inner), inner) + get("/other"), "/app/5"},
		{"chunks in two ways", "POST /app/6 HTTP/1.1\r\nHost: " + at + "\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + inner, ""},
		{"chunks, badly written", "POST /app/7 HTTP/1.1\r\nHost: " + at + "\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + inner, ""},
	} {
		before := len(h.asked())
		_, _ = h.say(t, h.to, c.text)
		var paths []string
		for _, q := range h.asked()[before:] {
			paths = append(paths, strings.Fields(q)[2])
		}
		if got := strings.Join(paths, " "); got != c.seen {
			t.Errorf("%s: the host was asked %s, want %s", c.name, got, c.seen)
		}
	}
}

// TLS works as in Node: an unknown certificate is refused unless the context
// accepts any, and the script gets the error.
func TestOverheardCertificate(t *testing.T) {
	t.Parallel()
	h := startHost(t)
	strict := h.to
	strict.Insecure = false
	at := strings.TrimPrefix(h.URL, "https://")
	if _, err := h.say(t, strict, "GET /app HTTP/1.1\r\nHost: "+at+"\r\n\r\n"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("told %v", err)
	}
	if got := h.asked(); len(got) > 0 {
		t.Errorf("asked %v", got)
	}
	// The script itself follows a redirect, which is a new request to check.
	c := scripts.Overhear(h.to, h.policy.Request, func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", h.Listener.Addr().String())
	})
	defer c.Close()
	go func() { _, _ = io.WriteString(c, "GET /app/away HTTP/1.1\r\nHost: "+at+"\r\n\r\n") }()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || r.StatusCode != http.StatusFound || r.Header.Get("Location") != "/other" || r.Header.Get("Content-Type") == "" {
		t.Errorf("%v %v", r, err)
	}
}
