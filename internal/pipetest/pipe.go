package pipetest

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Pipe is a running pwpipe.
type Pipe struct {
	T      testing.TB
	Cmd    *exec.Cmd
	Stdin  io.WriteCloser
	Stdout *bufio.Reader
	Site   string // the sample site, if it is the base URL
	stderr syncBuffer
	last   int

	session string        // of a Shared one
	since   int           // offset in stderr at which its test begins
	limit   time.Duration // the longest deadline of its requests
	logs    bool          // its requests go into a log, as they are
	mcp     bool          // it has begun an MCP session
}

// Start runs pwpipe with arguments. It is ended with the test.
func Start(t testing.TB, args ...string) *Pipe {
	t.Helper()
	return StartCmd(t, exec.Command(Binary(t), args...))
}

// StartSite is Start with the sample site as the base URL.
func StartSite(t testing.TB, args ...string) *Pipe {
	t.Helper()
	site := Site(t)
	p := Start(t, append([]string{"--base-url", site}, args...)...)
	p.Site = site
	return p
}

// StartOn is StartSite, with the active page at a URL.
func StartOn(t testing.TB, url string, args ...string) *Pipe {
	t.Helper()
	p := StartSite(t, args...)
	p.Call("nav", List(url))
	return p
}

// StartCmd runs a prepared command that is a pwpipe, or becomes one.
func StartCmd(t testing.TB, cmd *exec.Cmd) *Pipe {
	t.Helper()
	p := &Pipe{T: t}
	p.start(cmd)
	t.Cleanup(p.cleanup)
	return p
}

func (p *Pipe) start(cmd *exec.Cmd) {
	p.T.Helper()
	logStart(p.T, "pipe")
	p.Cmd = cmd
	var err error
	if p.Stdin, err = cmd.StdinPipe(); err != nil {
		p.T.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.T.Fatal(err)
	}
	p.Stdout = bufio.NewReaderSize(out, 1<<20)
	cmd.Stderr = &p.stderr
	if err := cmd.Start(); err != nil {
		p.T.Fatal(err)
	}
}

func (p *Pipe) cleanup() {
	_ = p.Stdin.Close()
	done := make(chan struct{})
	go func() { _ = p.drain(); close(done) }()
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

// drain reads to the end and waits for the process.
func (p *Pipe) drain() error {
	_, _ = io.Copy(io.Discard, p.Stdout)
	return p.Cmd.Wait()
}

// Stderr is the text on stderr since the test got this pwpipe.
func (p *Pipe) Stderr() string {
	return p.stderr.String()[p.since:]
}

// own fails for a shared pipe.
func (p *Pipe) own(what string) {
	p.T.Helper()
	if p.session != "" {
		p.T.Fatalf("%s takes a pwpipe of the test's own, not one that is Shared", what)
	}
}

// Send writes one line.
func (p *Pipe) Send(line string) {
	p.T.Helper()
	p.own("Send")
	p.send(line)
}

func (p *Pipe) send(line string) {
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
	case <-time.After(p.limit + Patience):
		return "", fmt.Errorf("no reply within %s", p.limit+Patience)
	}
}

// Close ends the input, and returns the rest of stdout and the exit status.
func (p *Pipe) Close() (rest string, status int) {
	p.T.Helper()
	p.own("Close")
	_ = p.Stdin.Close()
	return p.Wait()
}

// Wait waits for the end of the process. It returns the rest of stdout, and the exit
// status (-1 if a signal ended it).
func (p *Pipe) Wait() (rest string, status int) {
	p.T.Helper()
	p.own("Wait")
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
