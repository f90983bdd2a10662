package endpoint

import (
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/features/endpoint/cdpview"
	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Hooks leaves dialogs without a prepared answer to the session's clients: Playwright
// dismisses a dialog without listeners, and clients would find it gone. It also counts
// the sessions of a browser, and says which file choosers clients have.
var Hooks = browser.Hooks{Dialog: func(s *browser.Session, p *browser.Page, d playwright.Dialog) bool {
	if p == nil || act.Planned(p) || !present.Of(s).wait(p) {
		return false
	}
	act.LeftTo("a client", p, d)
	return true
}, Options: func(s *browser.Session, _ *playwright.BrowserNewContextOptions) error {
	rosters.Of(s.Browser).comes(s)
	return nil
}, Context: func(s *browser.Session, _ *browser.Opened) error { // with a profile it exists already
	rosters.Of(s.Browser).comes(s)
	return nil
}, Choosers: func(s *browser.Session) browser.Choosers { return choosers.Of(s) }}

// choosers are whose the file choosers of a session are: scripts have theirs here too.
var choosers browser.State[*browser.Session, cdpview.Choosers]

// ClientTime is how long clients and scripts have to answer a dialog. An unanswered
// dialog would block its page.
const ClientTime = 5 * time.Second

// present are the clients of a session.
var present browser.State[*browser.Session, clients]

type clients struct {
	mu      sync.Mutex
	count   int
	asking  int           // for requests below /json
	changed chan struct{} // closed and replaced with each answer
	target  string        // the target whose dialog was answered last
}

// maxClients bounds the clients of a session.
const maxClients = 16

// come counts a client, until it leaves.
func (c *clients) come() (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.full(); err != nil {
		return nil, err
	}
	c.count++
	return func() {
		c.mu.Lock()
		c.count--
		c.mu.Unlock()
		c.answered("")
	}, nil
}

// asks counts a client that requests something below /json, until it has the answer. It
// answers no dialogs.
func (c *clients) asks() (left func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.full(); err != nil {
		return nil, err
	}
	c.asking++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asking--
	}, nil
}

// full is the error for one more client. The lock is held.
func (c *clients) full() error {
	if n := c.count + c.asking; n >= maxClients {
		return provider.Errorf(provider.KindLimit, "over a limit: the session has %d DevTools clients", n)
	}
	return nil
}

// answered wakes waiters: a target's dialog is gone, or with "" a client has left.
func (c *clients) answered(target string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed != nil {
		close(c.changed)
	}
	c.changed, c.target = nil, target
}

// wait waits until a client has answered the page's dialog. It reports whether one did.
// It waits only if there are clients.
func (c *clients) wait(p *browser.Page) bool {
	late := time.NewTimer(ClientTime)
	defer late.Stop()
	for own := p.Target(); ; {
		c.mu.Lock()
		if c.count == 0 {
			c.mu.Unlock()
			return false
		}
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-late.C:
			return false
		case <-p.Gone:
			return false
		}
		c.mu.Lock()
		target := c.target
		c.mu.Unlock()
		if target == own || target != "" && PageBy(p.Session, target) == nil { // a frame's
			return true
		}
	}
}
