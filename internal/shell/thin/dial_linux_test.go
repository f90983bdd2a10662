package thin

import (
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestDialStranger: a socket of another user's program is not used.
func TestDialStranger(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	dir, err := os.MkdirTemp("", "pwpipe-thin-")
	if err == nil {
		err = os.Chmod(dir, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p := Place{Dir: dir, Name: "service"}
	for uid, want := range map[uintptr]string{0: "", 65534: "somebody else's program"} {
		listening := make(chan net.Listener)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends
			keep := ^uintptr(0)
			_, _, _ = syscall.RawSyscall(syscall.SYS_SETRESUID, keep, uid, keep)
			l, err := net.Listen("unix", p.Socket())
			if err != nil {
				t.Error(err)
			}
			listening <- l
		}()
		l := <-listening
		if l == nil {
			t.FailNow()
		}
		conn, err := p.Dial()
		if err == nil {
			_ = conn.Close()
		}
		if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("user %d listens: %v", uid, err)
		}
		_ = l.Close()
	}
}
