package chromium

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// reap waits for the browser's end, and ends what is left of it: a process that
// was stopped reads from no pipe that the others are gone. Until it is reaped
// nobody else has its process id.
func (p *Process) reap() {
	for unix.Waitid(unix.P_PID, p.PID(), nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = unix.Kill(-p.PID(), unix.SIGKILL)
	_ = p.cmd.Wait()
	p.ended = true
}

// isOurs says whether who has connected runs as who we run as.
func isOurs(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	ours := false
	err = raw.Control(func(fd uintptr) {
		peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		ours = err == nil && int(peer.Uid) == os.Geteuid()
	})
	return err == nil && ours
}
