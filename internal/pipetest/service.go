package pipetest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest/until"
)

// Key is the API key of services with a key.
const Key = "dev-key-123"

// Service is a running `pwpipe serve`.
type Service struct {
	T    testing.TB
	URL  string
	Site string
	Key  string
	cmd  *exec.Cmd
	log  syncBuffer

	mu     sync.Mutex
	opened []string // sessions
	done   chan struct{}
	once   sync.Once
	shared bool
	since  int // offset in the log at which its test begins
}

// StartService runs the service on a free port with the sample site as its base URL,
// with environment variables ("NAME=value") and flags (anything else).
func StartService(t testing.TB, settings ...string) *Service {
	t.Helper()
	return StartServiceOf(t, Binary(t), settings...)
}

// StartServiceOf is StartService with another pwpipe.
func StartServiceOf(t testing.TB, binary string, settings ...string) *Service {
	t.Helper()
	s := &Service{T: t, Site: Site(t), Key: Key, done: make(chan struct{})}
	t.Cleanup(func() { s.Stop() })
	s.start(binary, settings)
	return s
}

func (s *Service) start(binary string, settings []string) {
	t := s.T
	t.Helper()
	logStart(t, "service")
	args := []string{"serve", "--addr", "127.0.0.1:0", "--base-url", s.Site}
	env := []string{"API_KEY=" + Key, "RATE_LIMIT_MAX=100000"}
	for _, o := range settings {
		if strings.HasPrefix(o, "-") {
			args = append(args, o)
			continue
		}
		env = append(env, o)
		if k, ok := strings.CutPrefix(o, "API_KEY="); ok {
			s.Key = k
		}
	}
	s.cmd = exec.Command(binary, args...)
	s.cmd.Env = append(os.Environ(), env...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	addr := make(chan string, 1)
	go s.read(stderr, addr)
	select {
	case a := <-addr:
		s.URL = "http://" + a
	case <-s.done:
		t.Fatalf("the service ended: %s", s.log.String())
	case <-time.After(Patience):
		t.Fatalf("the service did not start: %s", s.log.String())
	}
}

func (s *Service) read(r io.Reader, addr chan<- string) {
	defer close(s.done)
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString('\n')
		_, _ = io.WriteString(&s.log, line)
		var l struct{ Msg, Addr string }
		if json.Unmarshal([]byte(line), &l) == nil && l.Msg == "serving" {
			addr <- l.Addr
		}
		if err != nil {
			return
		}
	}
}

// Log is the log since the test got the service.
func (s *Service) Log() string { return s.log.String()[s.since:] }

// Signal sends a signal to the process.
func (s *Service) Signal(sig os.Signal) { s.own("Signal"); _ = s.cmd.Process.Signal(sig) }

// PID is the service's process.
func (s *Service) PID() int { return s.cmd.Process.Pid }

// Stop ends the service as an operator would, and returns its exit status.
func (s *Service) Stop() int {
	s.T.Helper()
	s.own("Stop")
	s.once.Do(s.endWithTest)
	if s.cmd == nil || s.cmd.ProcessState == nil {
		return -1
	}
	return s.cmd.ProcessState.ExitCode()
}

// endWithTest stops the service, and shows the log of a test that has failed.
func (s *Service) endWithTest() {
	s.T.Helper()
	if err := s.end(); err != nil {
		s.T.Error(err)
	} else if s.T.Failed() {
		s.T.Logf("log:\n%s", s.log.String())
	}
}

// end stops the service.
func (s *Service) end() (err error) {
	if s.cmd == nil || s.cmd.Process == nil {
		return nil
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
	case <-time.After(40 * time.Second):
		err = errors.New("the service did not stop")
		_ = s.cmd.Process.Kill()
		<-s.done
	}
	_ = s.cmd.Wait()
	if log := s.log.String(); strings.Contains(log, "DATA RACE") {
		err = fmt.Errorf("data race:\n%s", log)
	}
	return err
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
	resp, err := (&http.Client{Timeout: Patience}).Do(req)
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

// Metric is the value of a metric without labels, or with labels in the form of
// /metrics.
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
	until.Holds(t, what, holds)
}
