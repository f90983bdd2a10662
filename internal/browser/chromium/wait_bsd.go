//go:build unix && !linux

package chromium

import (
	"net"

	"golang.org/x/sys/unix"
)

// reap waits for the browser's end, and ends its remaining processes.
func (p *Process) reap() {
	p.fault = p.cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = unix.Kill(-p.PID(), unix.SIGKILL)
	p.ended = true
}

// isOurs: only the user can use the socket's folder.
func isOurs(*net.UnixConn) bool { return true }
