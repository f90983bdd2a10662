// Package chromium starts Chromium on a DevTools pipe of ours, with a stand-in
// process for the driver.
//
// What the driver is told to launch is our own binary, which becomes a stand-in
// (package reexec): it hands the descriptors on which the driver speaks to its
// browser, and the arguments that the driver gave it, to us over a socket, and
// then lives and dies with the browser. The browser is our child. It may have
// been started before the driver was there to ask for it, with the arguments
// that the driver gave the last time; if the driver asks for others, that one is
// dropped and the asked one started.
//
// The driver's messages pass through ours ([cdp.Conn.Relay]), and we speak beside
// it. No port is opened.
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
	Env     []string // KEY=VALUE, all that it gets
	Temp    string   // folder of the run, which nobody else can look into
	Door    string   // where in it the stand-in comes, as short a path as can be
	Log     *slog.Logger
}

// Launcher starts one browser for one driver, and another where the driver
// tries again.
type Launcher struct {
	o     Options
	token string // that a stand-in shows
	door  *door

	taking sync.Mutex // held while a stand-in gets its browser

	mu      sync.Mutex
	early   *Process // nil when the driver has got it, or it was dropped
	current *Process // that the driver has got
	asked   []string // what it asked for
	failed  error    // why what it asked for did not start
	closed  bool
}

// ErrUnsupported: this system has no way to hand descriptors over.
var ErrUnsupported = errors.New("descriptors can't be handed over here")

// New prepares the launch of a browser. An error says that the driver has to
// start it itself.
func New(o Options) (*Launcher, error) {
	l := &Launcher{o: o, token: rand.Text()}
	var err error
	if l.door, err = openDoor(o.Door, l.admit); err != nil {
		return nil, err
	}
	return l, nil
}

// Env is what the stand-in needs in its environment, beside anything else.
func (l *Launcher) Env() map[string]string {
	return map[string]string{reexec.Socket: l.door.path, reexec.Token: l.token}
}

// Early starts the browser before the driver asks for it. One that does not
// start is none: the driver will hear why when it asks.
func (l *Launcher) Early(args []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.early != nil || l.current != nil || tricks.Off(tricks.EarlyBrowser) {
		return
	}
	p, err := start(l.o, args)
	if err != nil {
		l.o.Log.Debug("no early browser", "why", err)
		return
	}
	l.o.Log.Debug("early browser started", "pid", p.PID())
	l.early = p
}

// Launched is the browser that the driver has got, with the arguments that it
// asked for; nil if there is none. The driver's launch has ended: no stand-in is
// taken in any more.
func (l *Launcher) Launched() (*Process, []string) {
	l.door.close()
	l.taking.Lock() // who was taken in is served
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

// browser is the one for what the driver asks: the early one if it is that.
func (l *Launcher) browser(asked []string) (*Process, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errors.New("pwpipe is ending")
	}
	early := l.early
	l.early, l.asked = nil, asked
	if early != nil && same(early.args, asked, l.o.Temp) {
		l.o.Log.Debug("early browser used", "pid", early.PID())
		l.current = early
		return early, nil
	}
	if early != nil {
		l.o.Log.Debug("early browser dropped", "pid", early.PID(), "why", difference(early.args, asked, l.o.Temp))
		early.Kill() // a profile folder serves one browser
		<-early.Done()
	}
	p, err := start(l.o, asked)
	l.current, l.failed = p, err
	return p, err
}

// Failed is why the browser that the driver asked for is not even a process, nil
// if it was one.
func (l *Launcher) Failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// Conn is our connection to the browser.
func (p *Process) Conn() *cdp.Conn { return p.conn }

// Session is a browser session of ours, nil where there is none.
func (p *Process) Session() *cdp.Session {
	<-p.opened
	return p.session
}
