package chromium_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest/until"
)

// TestMain: the test binary is also the stand-in, as pwpipe is.
func TestMain(m *testing.M) {
	reexec.Run()
	os.Exit(m.Run())
}

// patience is how long a test waits for something that must come.
const patience = 60 * time.Second

// browser returns options of the installed browser, with the test's own folder.
func browser(t *testing.T) chromium.Options {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{Stderr: io.Discard})
	if err != nil || in.Program() == "" {
		t.Skip("no browser:", err)
	}
	temp, err := os.MkdirTemp("", "pw") // short, for the browser's own socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		until.Held(func() bool { return os.RemoveAll(temp) == nil }) // the browser may still be ending
	})
	return chromium.Options{Program: in.Program(), Env: append(os.Environ(), append(in.Env, "TMPDIR="+temp)...), Temp: temp, Door: filepath.Join(temp, "b"), Log: slog.New(slog.DiscardHandler)}
}

func launcher(t *testing.T, o chromium.Options) *chromium.Launcher {
	t.Helper()
	l, err := chromium.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Kill)
	return l
}

// flags returns the flags that a driver asks for.
func flags(o chromium.Options, profile string, more ...string) []string {
	return append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + filepath.Join(o.Temp, profile), "--remote-debugging-pipe", "--no-startup-window"}, more...)
}

// standIn is a running one, as the driver would start it.
type standIn struct {
	*exec.Cmd
	w    io.WriteCloser
	r    *bufio.Reader
	said bytes.Buffer
	once sync.Once
	err  error
}

func launch(t *testing.T, l *chromium.Launcher, args []string) *standIn {
	t.Helper()
	s := &standIn{Cmd: exec.Command(os.Args[0], args...)}
	for k, v := range l.Env() {
		s.Env = append(s.Env, k+"="+v)
	}
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s.ExtraFiles, s.Stderr, s.w, s.r = []*os.File{in, out}, &s.said, w, bufio.NewReader(r)
	s.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = in.Close(), out.Close()
	t.Cleanup(func() { _ = s.Process.Kill(); _ = s.ended(t); _, _ = w.Close(), r.Close() })
	return s
}

// call sends a command as the driver would.
func (s *standIn) call(t *testing.T, method string) string {
	t.Helper()
	if _, err := fmt.Fprintf(s.w, `{"id":1,"method":"%s"}`+"\x00", method); err != nil {
		t.Fatal(err)
	}
	reply, err := s.r.ReadString(0)
	if err != nil {
		t.Fatalf("%s: %v; it says %s", method, err, &s.said)
	}
	return reply
}

// ended waits for its end.
func (s *standIn) ended(t *testing.T) error {
	t.Helper()
	done := make(chan struct{})
	go func() { s.once.Do(func() { s.err = s.Wait() }); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the stand-in does not end")
	}
	return s.err
}

func isGone(t *testing.T, p *chromium.Process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Fatal("the browser is left")
	}
	until.Holds(t, "no process of the browser is left", func() bool { return unix.Kill(-p.PID(), 0) == unix.ESRCH })
}

// The stand-in and the browser live and die together.
func TestStandIn(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(*testing.T, *standIn, *chromium.Process)
		want string
	}{
		"asked to close": {func(t *testing.T, s *standIn, _ *chromium.Process) { s.call(t, "Browser.close") }, "<nil>"},
		"browser killed": {func(_ *testing.T, _ *standIn, p *chromium.Process) { _ = unix.Kill(p.PID(), unix.SIGKILL) }, "signal: killed"},
		"browser ended":  {func(_ *testing.T, _ *standIn, p *chromium.Process) { _ = unix.Kill(p.PID(), unix.SIGSEGV) }, "signal: segmentation fault (core dumped)"},
		"killed":         {func(_ *testing.T, s *standIn, _ *chromium.Process) { _ = unix.Kill(-s.Process.Pid, unix.SIGKILL) }, "signal: killed"},
		"driver gone":    {func(_ *testing.T, s *standIn, _ *chromium.Process) { _ = s.w.Close() }, "<nil>"},
		"we kill it":     {func(_ *testing.T, _ *standIn, p *chromium.Process) { p.Kill() }, "signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := browser(t)
			l := launcher(t, o)
			s := launch(t, l, flags(o, "profile"))
			if reply := s.call(t, "Browser.getVersion"); !strings.Contains(reply, `"product":`) {
				t.Errorf("the browser answers %s", reply)
			}
			p, args := l.Launched()
			if p == nil || !slices.Equal(args, flags(o, "profile")) {
				t.Fatalf("launched %v with %q", p, args)
			}
			var version struct{ Product string }
			if err := p.Session().Call(t.Context(), "Browser.getVersion", nil, &version); err != nil || version.Product == "" {
				t.Errorf("beside the driver: %v, %v", version, err)
			}
			test.end(t, s, p)
			if got := strings.TrimSuffix(fmt.Sprint(s.ended(t)), " (core dumped)"); got != strings.TrimSuffix(test.want, " (core dumped)") {
				t.Errorf("the stand-in ended with %s, expected %s", got, test.want)
			}
			isGone(t, p)
		})
	}
}

// The driver gets the early browser if it asks for the same one, which else ends.
func TestEarly(t *testing.T) {
	t.Parallel()
	o := browser(t)
	l := launcher(t, o)
	l.Early(flags(o, "ours"))
	early := l.Unused()
	s := launch(t, l, flags(o, "theirs"))
	s.call(t, "Browser.getVersion")
	if p, _ := l.Launched(); p != early {
		t.Error("the early browser is not used")
	}

	o = browser(t)
	l = launcher(t, o)
	l.Early(flags(o, "ours", "--mute-audio"))
	early = l.Unused()
	s = launch(t, l, flags(o, "theirs"))
	s.call(t, "Browser.getVersion")
	p, _ := l.Launched()
	if p == early || !slices.Contains(p.Args(), "--user-data-dir="+filepath.Join(o.Temp, "theirs")) {
		t.Errorf("the driver has a browser with %q", p.Args())
	}
	isGone(t, early)
	l.Early(flags(o, "again"))
	if l.Unused() != nil {
		t.Error("an early browser beside the driver's")
	}
}

// The driver still gets the reason why a browser does not start.
func TestDoesNotStart(t *testing.T) {
	for name, test := range map[string]struct{ script, said, ended string }{
		"ends":     {"#!/bin/sh\necho on stdout\necho on stderr >&2\nexit 3\n", "on stdout\non stderr\n", "exit status 3"},
		"no owner": {"echo by the shell >&2\nexit 4\n", "by the shell\n", "exit status 4"},
		"no shell": {"#!/nowhere\n", "no such file or directory", "exit status 127"},
		"talks":    {"#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' a >&2\nkill -ABRT $$\n", strings.Repeat("a", 300000), "signal: aborted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			o := chromium.Options{Program: filepath.Join(temp, "browser"), Temp: temp, Door: filepath.Join(temp, "b"), Env: os.Environ(), Log: slog.New(slog.DiscardHandler)}
			if err := os.WriteFile(o.Program, []byte(test.script), 0o755); err != nil {
				t.Fatal(err)
			}
			l := launcher(t, o)
			l.Early([]string{"--early"}) // an early browser that exits at once does no harm
			s := launch(t, l, []string{"--asked"})
			if got := strings.TrimSuffix(fmt.Sprint(s.ended(t)), " (core dumped)"); got != test.ended {
				t.Errorf("the stand-in ended with %s, expected %s", got, test.ended)
			}
			if !strings.Contains(s.said.String(), test.said) {
				t.Errorf("it says %.200q", s.said.String())
			}
			if failed := l.Failed(); (failed != nil) != (test.ended == "exit status 127") {
				t.Errorf("it failed with %v", failed)
			}
		})
	}
}

// A connection that is no stand-in gets nothing and blocks nobody. Descriptors
// that it sends are closed.
func TestStrangers(t *testing.T) {
	o := browser(t)
	l := launcher(t, o)
	message := func(text string) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	fds := slices.Repeat([]int{int(null.Fd())}, 100)
	right := l.Env()[reexec.Token] + "\x00--asked\x00"
	before := openFiles(t)
	for name, test := range map[string]struct {
		text []byte
		fds  []int
		hold bool // stays connected, and sends no more
	}{
		"nothing": {hold: true}, "hangs up": {}, "junk": {text: []byte("GET / HTTP/1.1\r\n\r\n")}, "no descriptors": {text: message(right)},
		"too few": {text: message(right), fds: fds[:2]}, "too many": {text: message(right), fds: fds},
		"half": {text: message(right)[:9], fds: fds[:3], hold: true}, "no token": {text: message("\x00--asked\x00"), fds: fds[:3]},
		"another token": {text: message("x" + right), fds: fds[:3]}, "long": {text: []byte{255, 255, 255, 255}, fds: fds[:3]}, "empty": {text: message(""), fds: fds[:3]},
	} {
		c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: l.Env()[reexec.Socket], Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		if test.text != nil {
			var oob []byte
			if test.fds != nil {
				oob = unix.UnixRights(test.fds...)
			}
			if _, _, err := c.WriteMsgUnix(test.text, oob, nil); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if test.hold {
			defer c.Close()
			continue
		}
		_ = c.CloseWrite()
		_ = c.SetReadDeadline(time.Now().Add(patience))
		if said, err := io.ReadAll(c); len(said) > 0 || err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: it is told %q, %v", name, said, err)
		}
		_ = c.Close()
	}
	s := launch(t, l, flags(o, "profile"))
	s.call(t, "Browser.getVersion")
	s.call(t, "Browser.close")
	if err := s.ended(t); err != nil {
		t.Error(err)
	}
	l.Kill()
	_, _ = net.DialUnix("unix", nil, &net.UnixAddr{Name: l.Env()[reexec.Socket], Net: "unix"})
	until.Holds(t, "no more files are open than this test's pipes and held connections", func() bool { return openFiles(t) <= before+10 })
}

func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(list)
}

// A folder whose path is too long for a socket is left to the driver.
func TestLongPath(t *testing.T) {
	temp := filepath.Join(t.TempDir(), strings.Repeat("a", 100))
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := chromium.New(chromium.Options{Temp: temp, Door: filepath.Join(temp, "b")}); err == nil {
		t.Error("a socket was made")
	}
}
