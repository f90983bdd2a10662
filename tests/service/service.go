// Package servicetest runs the real `pwpipe serve` for tests: over real HTTP,
// against a real browser and the sample site.
package servicetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// Key is the API key of services that are started with one.
const Key = "dev-key-123"

// Service is a `pwpipe serve` that runs.
type Service struct {
	T    testing.TB
	URL  string
	Site string
	Key  string
	cmd  *exec.Cmd

	mu   sync.Mutex
	log  bytes.Buffer
	done chan struct{}
	once sync.Once
}

// Start runs the service on a free port with the sample site as its base URL,
// with environment variables ("NAME=value") and flags (anything else).
func Start(t testing.TB, settings ...string) *Service {
	t.Helper()
	s := &Service{T: t, Site: pipetest.Site(t), Key: Key, done: make(chan struct{})}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--base-url", s.Site}
	env := []string{"API_KEY=" + Key, "RATE_LIMIT_MAX=100000"}
	for _, o := range settings {
		if strings.HasPrefix(o, "-") {
			args = append(args, o)
		} else {
			env = append(env, o)
		}
	}
	s.cmd = exec.Command(pipetest.Binary(t), args...)
	s.cmd.Env = append(os.Environ(), env...)
	for _, kv := range env {
		if k, ok := strings.CutPrefix(kv, "API_KEY="); ok {
			s.Key = k
		}
	}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	addr := make(chan string, 1)
	go s.read(stderr, addr)
	select {
	case a := <-addr:
		s.URL = "http://" + a
	case <-s.done:
		t.Fatalf("the service ended: %s", s.Log())
	case <-time.After(pipetest.Patience):
		t.Fatalf("the service did not start: %s", s.Log())
	}
	return s
}

func (s *Service) read(r io.Reader, addr chan<- string) {
	defer close(s.done)
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString('\n')
		s.mu.Lock()
		s.log.WriteString(line)
		s.mu.Unlock()
		var l struct{ Msg, Addr string }
		if json.Unmarshal([]byte(line), &l) == nil && l.Msg == "serving" {
			addr <- l.Addr
		}
		if err != nil {
			return
		}
	}
}

// Log is what was logged so far.
func (s *Service) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// Signal sends the process a signal.
func (s *Service) Signal(sig os.Signal) { _ = s.cmd.Process.Signal(sig) }

// PID is the service's process.
func (s *Service) PID() int { return s.cmd.Process.Pid }

// Stop ends the service as an operator would, and returns its exit status.
func (s *Service) Stop() int {
	s.once.Do(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.done:
		case <-time.After(40 * time.Second):
			s.T.Error("the service did not stop")
			_ = s.cmd.Process.Kill()
			<-s.done
		}
		_ = s.cmd.Wait()
		if log := s.Log(); strings.Contains(log, "DATA RACE") {
			s.T.Errorf("data race:\n%s", log)
		} else if s.T.Failed() {
			s.T.Logf("log:\n%s", log)
		}
	})
	return s.cmd.ProcessState.ExitCode()
}

// Do sends a request with the key; headers are "Name: value".
func (s *Service) Do(method, path, body string, headers ...string) (status int, text string, head http.Header) {
	s.T.Helper()
	req, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	if s.Key != "" {
		req.Header.Set("X-Api-Key", s.Key)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch {
		case name == "Host":
			req.Host = value
		case value == "":
			req.Header.Del(name)
		default:
			req.Header.Set(name, value)
		}
	}
	resp, err := (&http.Client{Timeout: pipetest.Patience}).Do(req)
	if err != nil {
		s.T.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSuffix(string(raw), "\n"), resp.Header
}

// Reply is a reply of JSON-RPC.
type Reply struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    struct{ Kind, Hint string }
	}
}

// Try calls a method over /rpc.
func (s *Service) Try(method string, params map[string]any) Reply {
	s.T.Helper()
	request := map[string]any{"jsonrpc": "2.0", "id": 1, "method": method}
	if params != nil {
		request["params"] = params
	}
	body, _ := json.Marshal(request)
	status, text, _ := s.Do("POST", "/rpc", string(body))
	var r Reply
	if err := json.Unmarshal([]byte(text), &r); err != nil || status != 200 {
		s.T.Fatalf("%s: status %d, %s", method, status, text)
	}
	return r
}

// Call is Try that must succeed; it decodes the result.
func (s *Service) Call(method string, params map[string]any, into ...any) string {
	s.T.Helper()
	r := s.Try(method, params)
	if r.Error != nil {
		s.T.Fatalf("%s %v: %s", method, params, r.Error.Message)
	}
	for _, v := range into {
		if err := json.Unmarshal(r.Result, v); err != nil {
			s.T.Fatalf("%s: %v in %s", method, err, r.Result)
		}
	}
	return string(r.Result)
}

// Fail is Try that must fail with an error of a code; it returns the message.
func (s *Service) Fail(code int, method string, params map[string]any) string {
	s.T.Helper()
	r := s.Try(method, params)
	if r.Error == nil {
		s.T.Fatalf("%s %v: expected an error, got %s", method, params, r.Result)
	}
	if r.Error.Code != code {
		s.T.Fatalf("%s: expected error %d, got %d: %s", method, code, r.Error.Code, r.Error.Message)
	}
	return r.Error.Message
}

// Session is a session of the service.
type Session struct {
	*Service
	ID string
}

// Open opens a session.
func (s *Service) Open(params map[string]any) Session {
	s.T.Helper()
	var out struct {
		ID string `json:"session_id"`
	}
	s.Call("session.create", params, &out)
	if !strings.HasPrefix(out.ID, "s_") {
		s.T.Fatalf("session.create: %q is no session id", out.ID)
	}
	return Session{s, out.ID}
}

// On is Call within the session.
func (c Session) On(method string, params map[string]any, into ...any) string {
	c.T.Helper()
	return c.Call(method, c.with(params), into...)
}

// Refuse is Fail within the session.
func (c Session) Refuse(code int, method string, params map[string]any) string {
	c.T.Helper()
	return c.Fail(code, method, c.with(params))
}

func (c Session) with(params map[string]any) map[string]any {
	all := map[string]any{"session_id": c.ID}
	for k, v := range params {
		all[k] = v
	}
	return all
}

// Metric is the value of a metric without labels, or with them as /metrics
// writes them.
func (s *Service) Metric(name string) string {
	s.T.Helper()
	_, text, _ := s.Do("GET", "/metrics", "")
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// Eventually waits until a condition holds.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(pipetest.Patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("in vain: %s", what)
}
