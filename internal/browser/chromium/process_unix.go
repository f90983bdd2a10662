//go:build unix

package chromium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/machine/rawio"
)

// Process is a running Chromium. It leads a process group, which contains all of its
// processes. It ends when its pipe is closed, even if we are killed.
type Process struct {
	args    []string
	cmd     *exec.Cmd
	conn    *cdp.Conn
	said    *os.File // its stdout and stderr
	opened  chan struct{}
	session *cdp.Session

	mu    sync.Mutex // guards the process id: after the wait it may belong to another process
	ended bool
	done  chan struct{}
	fault error // before done is closed: what the wait for it answered
}

// attachTime bounds the time until a starting browser gives us a session.
const attachTime = 30 * time.Second

// raise keeps the raised limit of open files in children, which Go would otherwise
// restore: Node raises it too, and a browser uses many.
var raise = sync.OnceFunc(func() {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil {
		_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	}
})

// Start starts a browser.
func Start(o Options, args []string) (*Process, error) {
	raise()
	p := &Process{args: args, opened: make(chan struct{}), done: make(chan struct{})}
	var ourEnds, browserEnds [3]*os.File // its input, its output, its stderr
	var err error
	for i := range ourEnds {
		if i == 0 {
			browserEnds[i], ourEnds[i], err = os.Pipe()
		} else {
			ourEnds[i], browserEnds[i], err = os.Pipe()
		}
		if err != nil {
			closeAll(append(ourEnds[:], browserEnds[:]...)...)
			return nil, err
		}
	}
	p.cmd = command(o, browserEnds, o.Program, args...)
	if err = p.cmd.Start(); errors.Is(err, unix.ENOEXEC) { // a script without an interpreter line
		p.cmd = command(o, browserEnds, "/bin/sh", append([]string{o.Program}, args...)...)
		err = p.cmd.Start()
	}
	closeAll(browserEnds[:]...)
	if err != nil {
		closeAll(ourEnds[:]...)
		return nil, fmt.Errorf("starting %s: %w", o.Program, errors.Unwrap(err))
	}
	p.said = ourEnds[2]
	p.conn = cdp.New(rawio.Own(ourEnds[1]), rawio.Own(ourEnds[0]))
	go p.wait()
	go p.open()
	return p, nil
}

// command starts a program as a browser: it reads from descriptor 3, writes to 4, and
// its stderr is the third of these files.
func command(o Options, files [3]*os.File, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = o.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.ExtraFiles = files[:2]
	cmd.Stdout, cmd.Stderr = files[2], files[2]
	return cmd
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// open opens our own session.
func (p *Process) open() {
	defer close(p.opened)
	ctx, cancel := context.WithTimeout(context.Background(), attachTime)
	defer cancel()
	p.session, _ = p.conn.Browser(ctx)
}

// wait waits for the browser's end.
func (p *Process) wait() {
	p.reap()
	_ = p.conn.Close()
	close(p.done)
}

// PID is the browser's process id, and its group's.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the browser has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Kill ends all processes of the browser at once.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		_ = unix.Kill(-p.PID(), unix.SIGKILL)
	}
}

// Fault is the error with which the browser ended, nil if it ended in order.
func (p *Process) Fault() error { return p.fault }

// fate is how it ended: a status, or the signal that ended it.
func (p *Process) fate() (how string, n int) {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return "signal", int(status.Signal())
	}
	return "exit", p.cmd.ProcessState.ExitCode()
}

// lastWords is how long reading the browser's output may take after its end.
const lastWords = 500 * time.Millisecond

// Tell copies the browser's output to w, until it has ended and all is copied. It must be called
// once: a browser waits while nobody reads what it says.
func (p *Process) Tell(w io.Writer) {
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		if _, err := io.Copy(w, p.said); err != nil {
			_, _ = io.Copy(io.Discard, p.said) // it must not wait for a reader
		}
	}()
	<-p.done
	select {
	case <-copied:
	case <-time.After(lastWords):
	}
	_ = p.said.Close()
}
