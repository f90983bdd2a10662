package service_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// TestStrangersAreCountedApart: clients without the key have a separate limit. They do
// not use up the limit of a client with the key at the same address.
func TestStrangersAreCountedApart(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGuessesBesideClients is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--rate-limit-max=5", "MAX_CONTEXTS=20")
	seen := map[int]int{}
	for range 30 { // the limiter's window may restart in between
		status, _, head := svc.Do("GET", "/openrpc.json", "", "X-Api-Key: ")
		seen[status]++
		if status == 429 && head.Get("Retry-After") == "" {
			t.Fatalf("429 without Retry-After: %v", head)
		}
	}
	if seen[401] < 5 || seen[429] < 15 || len(seen) != 2 {
		t.Errorf("without the key: %v, want 401 at first, then 429", seen)
	}
	if status, text, _ := svc.Do("GET", "/openrpc.json", ""); status != 200 {
		t.Errorf("with the key, after them: %d %.200s", status, text)
	}
}

// TestClaimedLength: a body with too large a Content-Length is refused before any of it
// arrives.
func TestClaimedLength(t *testing.T) {
	t.Parallel()
	svc := outside(t)
	for _, path := range []string{"/rpc", "/mcp", "/tools/nav"} {
		for _, length := range []string{"1001", "10000000000"} {
			c, err := net.Dial("tcp", strings.TrimPrefix(svc.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n", path, pipetest.Key, length)
			// Well before the service gives up on a slow request (30 s).
			_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Errorf("%s, %s bytes: %v", path, length, err)
				continue
			}
			text, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != 413 || !strings.Contains(string(text), "over 1000 bytes") {
				t.Errorf("%s, %s bytes: %d %s", path, length, resp.StatusCode, text)
			}
		}
	}
}

// TestEveryAnswerIsSealed: every answer has the security headers, also errors.
func TestEveryAnswerIsSealed(t *testing.T) {
	t.Parallel()
	svc := outside(t)
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`
	const both = "Accept: application/json, text/event-stream"
	for _, c := range []struct {
		method, path, body string
		status             int
		headers            []string
	}{
		{"GET", "/healthz", "", 200, nil},
		{"GET", "/readyz", "", 200, nil},
		{"GET", "/metrics", "", 200, nil},
		{"GET", "/openrpc.json", "", 200, nil},
		{"POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}`, 200, nil},
		{"POST", "/rpc", `{"jsonrpc":"2.0","method":"nope"}`, 204, nil},
		{"POST", "/rpc", `{`, 400, nil},
		{"POST", "/rpc", strings.Repeat("x", 1001), 413, nil},
		{"POST", "/rpc", `{}`, 415, []string{"Content-Type: text/plain"}},
		{"GET", "/rpc", "", 405, nil},
		{"GET", "/nowhere", "", 404, nil},
		{"GET", "/openrpc.json", "", 401, []string{"X-Api-Key: wrong"}},
		{"GET", "/drain", "", 401, nil},
		{"GET", "/drain", "", 200, []string{"X-Api-Key: the operator's"}},
		{"GET", "/openrpc.json", "", 403, []string{"Origin: http://evil.example"}},
		{"POST", "/tools/nope", `{}`, 404, nil},
		{"GET", "/ws", "", 400, nil},
		{"GET", "/ws", "", 403, []string{"Origin: http://evil.example"}},
		{"GET", "/ws", "", 101, []string{"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}},
		{"POST", "/mcp", initialize, 200, []string{both}},
		{"POST", "/mcp", `{`, 400, []string{both}},
		{"DELETE", "/mcp", "", 400, nil},
	} {
		req, err := http.NewRequest(c.method, svc.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Api-Key", pipetest.Key)
		if c.method == "POST" {
			req.Header.Set("Content-Type", "application/json")
		}
		for _, h := range c.headers {
			name, value, _ := strings.Cut(h, ": ")
			req.Header.Set(name, value)
		}
		resp, err := (&http.Client{Timeout: pipetest.Patience}).Do(req)
		if err != nil {
			t.Errorf("%s %s: %v", c.method, c.path, err)
			continue
		}
		_ = resp.Body.Close()
		if resp.StatusCode != c.status {
			t.Errorf("%s %s %v: status %d, want %d", c.method, c.path, c.headers, resp.StatusCode, c.status)
		}
		if a, b := resp.Header["X-Content-Type-Options"], resp.Header["Cache-Control"]; len(a) != 1 || a[0] != "nosniff" || len(b) != 1 || b[0] != "no-store" {
			t.Errorf("%s %s %v: %q, %q", c.method, c.path, c.headers, a, b)
		}
	}
}

// TestNoExecute: with --no-execute no surface has the tool execute.
func TestNoExecute(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTools is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--no-execute", "--profile=all")
	s := svc.Open(nil)
	if msg := s.Refuse(-32601, "execute", m{"code": "1"}); !strings.Contains(msg, "Method not found") {
		t.Error(msg)
	}
	if msg := s.Refuse(-32602, "batch", m{"steps": []m{{"tool": "execute", "params": m{"code": "1"}}}}); !strings.Contains(msg, `there is no tool "execute"`) {
		t.Error(msg)
	}
	if status, text, _ := svc.Do("POST", "/tools/execute", `{"code":"1"}`); status != 404 {
		t.Errorf("/tools/execute: %d %s", status, text)
	}
	if _, text, _ := svc.Do("GET", "/openrpc.json", ""); strings.Contains(text, `"name":"execute"`) || !strings.Contains(text, `"name":"snapshot"`) {
		t.Error("the description has execute, or nothing else")
	}
	s.On("title", nil)
}

// TestTools: tools missing from --tools do not exist. Tools that use them still work.
func TestTools(t *testing.T) {
	t.Parallel()
	svc := small(t)
	s := svc.Open(nil)
	s.On("title", nil)
	if msg := s.Refuse(-32601, "nav", m{"url": "/"}); !strings.Contains(msg, "Method not found") {
		t.Error(msg)
	}
	if msg := s.Refuse(-32602, "batch", m{"steps": []m{{"tool": "nav", "params": m{"url": "/"}}}}); !strings.Contains(msg, `there is no tool "nav"`) {
		t.Error(msg)
	}
	s.On("playwright_browser", m{"action": "launch"})
	if got := s.On("playwright_browser", m{"action": "navigate", "url": svc.Site + "/login"}); !strings.Contains(got, `"success":true`) {
		t.Errorf("a tool that is made of others: %s", got)
	}
	if _, text, _ := svc.Do("GET", "/openrpc.json", ""); strings.Contains(text, `"name":"nav"`) {
		t.Error("the description has a tool that there is not")
	}
	out, err := exec.Command(pipetest.Binary(t), "serve", "--addr", "127.0.0.1:0", "--tools", "nav,tilte").CombinedOutput()
	if err == nil || !strings.Contains(string(out), `--tools: no tool "tilte"; did you mean title`) || strings.Count(string(out), "\n") != 1 {
		t.Errorf("an unknown name: %v %s", err, out)
	}
	list, _, _ := pipetest.Run(t, `{"id":1,"method":"nav","params":["about:blank"]}
{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":8,"method":"tools/list"}`, "--tools", "title,url")
	pipetest.Has(t, list, "unknown method: nav", `"name":"title"`)
	if strings.Count(list, `"inputSchema"`) != 2 {
		t.Errorf("MCP lists %.600s", list)
	}
}
