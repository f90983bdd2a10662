//go:build !unix

package chromium

import (
	"net"

	"pwpipe/internal/browser/cdp"
)

// Process is a running Chromium: there is none on this system.
type Process struct {
	args    []string
	conn    *cdp.Conn
	opened  chan struct{}
	session *cdp.Session
}

// Start fails.
func Start(Options, []string) (*Process, error) { return nil, ErrUnsupported }

// PID is the browser's process id.
func (p *Process) PID() int { return 0 }

// Done is closed when the browser has ended.
func (p *Process) Done() <-chan struct{} { return nil }

// Kill ends all processes of the browser at once.
func (p *Process) Kill() {}

type door struct{ path string }

func openDoor(string, func(*net.UnixConn)) (*door, error) { return nil, ErrUnsupported }

func (d *door) close() {}

func (l *Launcher) admit(*net.UnixConn) {}
