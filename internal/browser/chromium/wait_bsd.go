//go:build unix && !linux

package chromium

import (
	"net"

	"golang.org/x/sys/unix"
)

// reap waits for the browser's end, and ends what is left of it.
func (p *Process) reap() {
	_ = p.cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = unix.Kill(-p.PID(), unix.SIGKILL)
	p.ended = true
}

// isOurs: the folder of the socket is the user's alone.
func isOurs(*net.UnixConn) bool { return true }
