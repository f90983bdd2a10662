package endpoint

import (
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Hooks leaves dialogs that no tool was told an answer for to the session's
// clients: Playwright dismisses what nobody listens to, and would find it gone. It
// counts who lives in a browser.
var Hooks = browser.Hooks{Dialog: func(s *browser.Session, p *browser.Page, d playwright.Dialog) bool {
	if p == nil || act.Planned(p) || !present.Of(s).wait(p) {
		return false
	}
	act.LeftTo("a client", p, d)
	return true
}, Options: func(s *browser.Session, _ *playwright.BrowserNewContextOptions) error {
	rosters.Of(s.Browser).comes(s)
	return nil
}, Context: func(s *browser.Session, _ *browser.Opened) error { // of a profile it is there already
	rosters.Of(s.Browser).comes(s)
	return nil
}}

// ClientTime is how long clients, and scripts, have to answer a dialog: one that answers none
// would leave the page hanging.
const ClientTime = 5 * time.Second

// present are the clients of a session.
var present browser.State[*browser.Session, clients]

type clients struct {
	mu     sync.Mutex
	count  int
	asking int           // for what is below /json
	told   chan struct{} // closed and replaced with each answer
	target string        // whose dialog was answered last
}

// mostClients is how many clients a session may have at once.
const mostClients = 16

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

// asks counts one who asks for what is below /json, until it has it. It answers no dialog.
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

// full is the error of one more. The lock is held.
func (c *clients) full() error {
	if n := c.count + c.asking; n >= mostClients {
		return provider.Errorf(provider.KindLimit, "over a limit: the session has %d clients of DevTools", n)
	}
	return nil
}

// answered tells who waits that a target's dialog is gone, "" that a client is.
func (c *clients) answered(target string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told != nil {
		close(c.told)
	}
	c.told, c.target = nil, target
}

// wait waits until a client has answered the page's dialog. It reports whether
// one did. It waits only where there are clients.
func (c *clients) wait(p *browser.Page) bool {
	late := time.NewTimer(ClientTime)
	defer late.Stop()
	for own := p.Target(); ; {
		c.mu.Lock()
		if c.count == 0 {
			c.mu.Unlock()
			return false
		}
		if c.told == nil {
			c.told = make(chan struct{})
		}
		told := c.told
		c.mu.Unlock()
		select {
		case <-told:
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
