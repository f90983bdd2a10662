// Package pipetest runs the real pwpipe binary for tests: over its real pipes,
// against a real browser and the sample site.
package pipetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/fixtures"
)

// Patience is how long a test waits for something that must come. It bounds a
// hang; it measures nothing.
const Patience = 90 * time.Second

// builtIn is the folder that the binary was built in. Only build writes it,
// once, so that tests which run side by side may ask for the binary.
var builtIn string

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pwpipe-test-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	exe := filepath.Join(dir, "pwpipe")
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	args := []string{"build", "-o", exe}
	if raceEnabled {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, "pwpipe/cmd/pwpipe")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building pwpipe: %w\n%s", err, out)
	}
	return exe, nil
})

// Main is a TestMain that removes the binary at the end.
func Main(m *testing.M) {
	code := m.Run()
	if builtIn != "" {
		_ = os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

// Binary builds cmd/pwpipe, once a test process, and returns its path. Under
// the race detector the binary has it too.
func Binary(t testing.TB) string {
	t.Helper()
	exe, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// Site serves the sample site until the test ends and returns its URL.
func Site(t testing.TB) string {
	t.Helper()
	s, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.URL
}

// Pipe is a pwpipe that runs.
type Pipe struct {
	T      testing.TB
	Cmd    *exec.Cmd
	Stdin  io.WriteCloser
	Stdout *bufio.Reader
	stderr syncBuffer
	last   int
}

// Start runs pwpipe with arguments. It is ended with the test.
func Start(t testing.TB, args ...string) *Pipe {
	t.Helper()
	return StartCmd(t, exec.Command(Binary(t), args...))
}

// StartSite is Start with the sample site as the base URL.
func StartSite(t testing.TB, args ...string) *Pipe {
	t.Helper()
	return Start(t, append([]string{"--base-url", Site(t)}, args...)...)
}

// StartCmd runs a prepared command that is, or ends in, a pwpipe.
func StartCmd(t testing.TB, cmd *exec.Cmd) *Pipe {
	t.Helper()
	p := &Pipe{T: t, Cmd: cmd}
	var err error
	if p.Stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stdout = bufio.NewReaderSize(out, 1<<20)
	cmd.Stderr = &p.stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.cleanup)
	return p
}

func (p *Pipe) cleanup() {
	_ = p.Stdin.Close()
	done := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, p.Stdout); _ = p.Cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		_ = p.Cmd.Process.Kill()
		<-done
	}
	if p.T.Failed() && p.stderr.String() != "" {
		p.T.Logf("stderr:\n%s", p.stderr.String())
	}
	if s := p.stderr.String(); strings.Contains(s, "DATA RACE") {
		p.T.Errorf("data race:\n%s", s)
	}
}

// Stderr is what was written to stderr so far.
func (p *Pipe) Stderr() string { return p.stderr.String() }

// Send writes one line.
func (p *Pipe) Send(line string) {
	p.T.Helper()
	if _, err := io.WriteString(p.Stdin, line+"\n"); err != nil {
		p.T.Fatalf("sending %.200s: %v", line, err)
	}
}

// Line reads one line of stdout.
func (p *Pipe) Line() string {
	p.T.Helper()
	line, err := p.TryLine()
	if err != nil {
		p.T.Fatalf("reading a reply: %v (got %q)", err, line)
	}
	return line
}

// TryLine is Line that returns the error, io.EOF at the end.
func (p *Pipe) TryLine() (string, error) {
	type result struct {
		line string
		err  error
	}
	c := make(chan result, 1)
	go func() {
		line, err := p.Stdout.ReadString('\n')
		c <- result{strings.TrimSuffix(line, "\n"), err}
	}()
	select {
	case r := <-c:
		return r.line, r.err
	case <-time.After(Patience):
		return "", fmt.Errorf("no reply within %s", Patience)
	}
}

// Reply is a reply of the plain dialect.
type Reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

// Request sends a request of the plain dialect and returns its id. params is
// an object, a slice, or nil; more adds members beside it, as key and value.
func (p *Pipe) Request(method string, params any, more ...any) int {
	p.T.Helper()
	p.last++
	m := map[string]any{"id": p.last, "method": method}
	if params != nil {
		m["params"] = params
	}
	for i := 0; i+1 < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	line, err := json.Marshal(m)
	if err != nil {
		p.T.Fatal(err)
	}
	p.Send(string(line))
	return p.last
}

// Reply reads one reply.
func (p *Pipe) Reply() Reply {
	p.T.Helper()
	line := p.Line()
	var r Reply
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		p.T.Fatalf("not a reply: %q: %v", line, err)
	}
	return r
}

// Try sends a request and reads its reply.
func (p *Pipe) Try(method string, params any, more ...any) Reply {
	p.T.Helper()
	id := p.Request(method, params, more...)
	r := p.Reply()
	if string(r.ID) != fmt.Sprint(id) {
		p.T.Fatalf("%s: asked %d, answered %s", method, id, r.ID)
	}
	return r
}

// Call is Try that must succeed; it returns the result as JSON.
func (p *Pipe) Call(method string, params any, more ...any) string {
	p.T.Helper()
	r := p.Try(method, params, more...)
	if r.Error != "" {
		p.T.Fatalf("%s %s: %s", method, shown(params), r.Error)
	}
	return string(r.Result)
}

// shown are parameters as a failure shows them: their beginning.
func shown(params any) string {
	s, _ := json.Marshal(params)
	if len(s) > 500 {
		s = append(s[:500:500], "…"...)
	}
	return string(s)
}

// Text is Call for a result that is a string.
func (p *Pipe) Text(method string, params any, more ...any) string {
	p.T.Helper()
	var s string
	raw := p.Call(method, params, more...)
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		p.T.Fatalf("%s: not a string: %s", method, raw)
	}
	return s
}

// Fail is Try that must fail; it returns the error.
func (p *Pipe) Fail(method string, params any, more ...any) string {
	p.T.Helper()
	r := p.Try(method, params, more...)
	if r.Error == "" {
		p.T.Fatalf("%s %s: expected an error, got %.2000s", method, shown(params), r.Result)
	}
	return r.Error
}

// Close ends the input, and returns what was left on stdout and the exit
// status.
func (p *Pipe) Close() (rest string, status int) {
	p.T.Helper()
	_ = p.Stdin.Close()
	return p.Wait()
}

// Wait waits for the end of the process: what was left on stdout, and the exit
// status (-1 if a signal ended it).
func (p *Pipe) Wait() (rest string, status int) {
	p.T.Helper()
	done := make(chan []byte, 1)
	go func() {
		out, _ := io.ReadAll(p.Stdout)
		_ = p.Cmd.Wait()
		done <- out
	}()
	select {
	case out := <-done:
		return string(out), p.Cmd.ProcessState.ExitCode()
	case <-time.After(Patience):
		p.T.Fatalf("pwpipe did not end within %s", Patience)
		return "", 0
	}
}

// Run runs pwpipe to its end with an input, and returns what it wrote and its
// exit status.
func Run(t testing.TB, input string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(Binary(t), args...)
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// syncBuffer is a buffer that a process writes and a test reads.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// ProfileDir is a folder for a browser's profile, removed with the test. Parts
// of a browser write there for a moment after it has been killed, which
// t.TempDir takes for a fault.
func ProfileDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pwpipe-profile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 100 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	return dir
}
