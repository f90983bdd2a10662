// Package chromium starts Chromium on a DevTools pipe of ours, with a stand-in process
// for the driver.
//
// The driver launches our own binary as its browser. The binary becomes a stand-in
// (package reexec): it sends us, over a socket, the descriptors on which the driver
// speaks to its browser, and the driver's arguments. Then it lives as long as the
// browser. The browser is our child. It may have been started before the driver
// requested it, with the arguments of the last time. If the driver requests others,
// that browser is dropped and the requested one started.
//
// The driver's messages pass through ours ([cdp.Conn.Relay]), and we send ours on the
// same connection. No port is opened.
package chromium

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/machine/tricks"
)

// Options of a browser.
type Options struct {
	Program string   // path of the browser
	Env     []string // KEY=VALUE, its whole environment
	Temp    string   // folder of the run, which nobody else can read
	Door    string   // place of the stand-in in it, as short a path as possible
	Log     *slog.Logger
}

// Launcher starts one browser for one driver, and another if the driver tries again.
type Launcher struct {
	o     Options
	token string // that a stand-in shows
	door  *door

	taking sync.Mutex // held while a stand-in gets its browser

	mu      sync.Mutex
	early   *Process // nil when the driver has got it, or it was dropped
	current *Process // that the driver has got
	asked   []string // the arguments of its request
	failed  error    // why its request did not start
	closed  bool
}

// ErrUnsupported: this system can't pass descriptors.
var ErrUnsupported = errors.New("descriptors can't be handed over here")

// New prepares the launch of a browser. After an error the driver has to start it
// itself.
func New(o Options) (*Launcher, error) {
	l := &Launcher{o: o, token: rand.Text()}
	var err error
	if l.door, err = openDoor(o.Door, l.admit); err != nil {
		return nil, err
	}
	return l, nil
}

// Env is the stand-in's additional environment.
func (l *Launcher) Env() map[string]string {
	return map[string]string{reexec.Socket: l.door.path, reexec.Token: l.token}
}

// Early starts the browser before the driver requests it. It ignores a failure, which
// the driver will get with its request.
func (l *Launcher) Early(args []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.early != nil || l.current != nil || tricks.Off(tricks.EarlyBrowser) {
		return
	}
	p, err := Start(l.o, args)
	if err != nil {
		l.o.Log.Debug("no early browser", "why", err)
		return
	}
	l.o.Log.Debug("early browser started", "pid", p.PID())
	l.early = p
}

// Launched is the browser that the driver has got, with the arguments of its request;
// nil if there is none. The driver's launch has ended: no further stand-in is accepted.
func (l *Launcher) Launched() (*Process, []string) {
	l.door.close()
	l.taking.Lock() // accepted ones are still served
	defer l.taking.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current, l.asked
}

// Kill ends the browsers at once, and the launcher.
func (l *Launcher) Kill() {
	l.door.close()
	l.mu.Lock()
	l.closed = true
	early, current := l.early, l.current
	l.mu.Unlock()
	for _, p := range []*Process{early, current} {
		if p != nil {
			p.Kill()
		}
	}
}

// browser is the browser for the driver's request: the early one if it fits.
func (l *Launcher) browser(asked []string) (*Process, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errors.New("pwpipe is ending")
	}
	early := l.early
	l.early, l.asked = nil, asked
	if early != nil {
		why := difference(early.args, asked, l.o.Temp)
		if why == "" {
			l.o.Log.Debug("early browser used", "pid", early.PID())
			l.current = early
			return early, nil
		}
		l.o.Log.Debug("early browser dropped", "pid", early.PID(), "why", why)
		early.Kill() // a profile folder serves one browser
		<-early.Done()
	}
	p, err := Start(l.o, asked)
	l.current, l.failed = p, err
	return p, err
}

// Failed is why the requested browser has no process, nil if it has one.
func (l *Launcher) Failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// Conn is our connection to the browser.
func (p *Process) Conn() *cdp.Conn { return p.conn }

// Session is our browser session, nil if there is none.
func (p *Process) Session() *cdp.Session {
	<-p.opened
	return p.session
}
