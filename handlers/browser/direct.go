package browser

import (
	"context"
	"sync"
	"time"

	"pwpipe/handlers/callbacks"

	"pwpipe/internal/browser/cdp"
)

// direct is a page's own line to the browser, past the driver.
type direct struct {
	mu      sync.Mutex // held while it is opened, too
	target  string     // which of the browser's pages it is, "" while that is not known
	session *cdp.Session
	failed  bool
	opens   callbacks.List[*cdp.Session]
}

// directTime is how long the browser may take to open the line: it asks nobody.
const directTime = time.Second

// Direct is a DevTools session of ours with the page, on our own connection to
// the browser: what is asked on it does not pass the driver. It is opened when
// it is first asked for. nil where there is none, or not yet: the driver's way
// is always there.
func (p *Page) Direct() *cdp.Session {
	browser := p.Engine.DevTools
	if browser == nil {
		return nil
	}
	d := &p.direct
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.session != nil {
		select {
		case <-d.session.Gone():
			d.session = nil
		default:
			return d.session
		}
	}
	if d.target == "" || d.failed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), directTime)
	defer cancel()
	s, err := browser.Attach(ctx, d.target)
	if err != nil {
		d.failed = true
		return nil
	}
	d.opens.Call(s)
	d.session = s
	return s
}

// OnDirect has fn called with each session of the page's own line that is
// opened, before it is used. It must not ask for [Page.Direct].
func (p *Page) OnDirect(fn func(*cdp.Session)) { p.direct.opens.Add(fn) }

// DriversSession is the driver's own session with the page, nil if unknown.
func (p *Page) DriversSession() *cdp.Session {
	if p.Engine.Conn == nil {
		return nil
	}
	return p.Engine.Conn.Beside(p.Target())
}

// Target is Chromium's id of the page, "" while it is not known.
func (p *Page) Target() string {
	p.direct.mu.Lock()
	defer p.direct.mu.Unlock()
	return p.direct.target
}

// is notes which of the browser's pages this is.
func (d *direct) is(target string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.target = target
}
