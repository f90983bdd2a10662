//go:build unix

package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// Another user can't reach the service: neither by the folder, nor by the socket if the
// folder allows it.
func TestAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	d := newDesk(t)
	d.ok("pwpipe open -q")
	socket := filepath.Join(d.run, "pwpipe", "service.sock")
	for _, path := range []string{filepath.Dir(socket), socket} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	ask := func(as uint32) string {
		cmd := exec.Command("curl", "-sS", "--max-time", "10", "--unix-socket", socket, "http://localhost/healthz")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: as, Gid: as}}
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	pipetest.Has(t, ask(0), `"ok":true`)
	if got := ask(65534); strings.Contains(got, `"ok":true`) {
		t.Errorf("another user was let in: %s", got)
	}
	for _, open := range []string{d.run, filepath.Dir(socket)} {
		if err := os.Chmod(open, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(socket, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := ask(65534); strings.Contains(got, `"ok":true`) || strings.Contains(got, "Permission denied") {
		t.Errorf("another user at a socket that is open to all: %s", got) // the service must hang up itself
	}
	pipetest.Has(t, ask(0), `"ok":true`)
	_ = os.Chmod(filepath.Dir(socket), 0o700)
	_ = os.Chmod(d.run, 0o700)
}

// The service inherits no descriptors from the shell that started it: a reader of a pipe
// would wait for the service to end.
func TestDescriptors(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t)
	d.ok("exec 7>held; pwpipe open -q")
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", d.service()))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if to, _ := os.Readlink(file); filepath.Base(to) == "held" {
			t.Errorf("%s is %s", file, to)
		}
	}
}

// Whoever gets a service's lock finds no browser of the previous service.
func TestLockAndBrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrowserKilled of cmd/pwpipe is quick")
	t.Parallel()
	d := newDesk(t)
	d.ok("pwpipe open -q")
	f, err := os.Open(filepath.Join(d.run, "pwpipe", "service.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	browsers := []int{}
	for pid, name := range pipetest.Descendants(t, d.service()) {
		if strings.Contains(name, "--remote-debugging-pipe") && !strings.Contains(name, "--type=") {
			browsers = append(browsers, pid)
		}
	}
	if len(browsers) == 0 {
		t.Fatal("no browser")
	}
	d.ok("pwpipe close")
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	for _, pid := range browsers {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && len(text) > 0 { // a zombie has none
			t.Errorf("browser %d lives: %.80s", pid, text)
		}
	}
}
