package chromium

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// reap waits for the browser's end, and ends its remaining processes: a stopped process
// does not read from its pipe that the others are gone. Until it is reaped no other
// process gets its id.
func (p *Process) reap() {
	for unix.Waitid(unix.P_PID, p.PID(), nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = unix.Kill(-p.PID(), unix.SIGKILL)
	p.fault = p.cmd.Wait()
	p.ended = true
}

// isOurs reports whether the client runs as our user.
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
