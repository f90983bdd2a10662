//go:build unix

package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// Another user can't reach the service: not by the folder, and not by the socket either
// where the folder lets them.
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
		t.Errorf("another user at a socket that is open to all: %s", got) // it is the service that hangs up
	}
	pipetest.Has(t, ask(0), `"ok":true`)
	_ = os.Chmod(filepath.Dir(socket), 0o700)
	_ = os.Chmod(d.run, 0o700)
}
