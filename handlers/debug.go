package handlers

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/devtools"
	"pwpipe/provider"
)

// inspection is what the devtools profile knows of a page. A page that is paused
// in the debugger answers nothing else, so every call on it watches for that.
type inspection struct {
	opening sync.Mutex // held while the session is opened

	mu     sync.Mutex
	tools  *devtools.Page  // nil until a tool asks for it
	at     *devtools.Where // where the page is paused, nil while it runs
	paused chan struct{}   // closed while it is paused
}

// cdpSession is a CDP session of Playwright's as devtools takes it.
type cdpSession struct{ playwright.CDPSession }

// On has fn called with the events of a name.
func (s cdpSession) On(event string, fn func(map[string]any)) {
	s.CDPSession.On(event, func(payload ...any) {
		params, _ := first(payload).(map[string]any)
		fn(params)
	})
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// inspector opens the page's DevTools, with a session of its own, when it is
// first needed: browserContext.newCDPSession.
func (p *page) inspector() (*devtools.Page, error) {
	if !p.engine.chromium {
		return nil, provider.Errorf(provider.KindFailed, "only Chromium has these tools").WithHint("start pwpipe with --browser chromium")
	}
	p.debug.opening.Lock()
	defer p.debug.opening.Unlock()
	p.debug.mu.Lock()
	tools := p.debug.tools
	p.debug.mu.Unlock()
	if tools != nil {
		return tools, nil
	}
	s, err := p.context.NewCDPSession(p.pw)
	if err != nil {
		return nil, err
	}
	tools = devtools.Open(cdpSession{s}, p.debug.note)
	tools.MayLoad, tools.Mask = p.session.browser.mayLoad, p.session.browser.cfg.Mask
	p.debug.mu.Lock()
	p.debug.tools = tools
	p.debug.mu.Unlock()
	p.engine.letsGo(p.letGo)
	return tools, nil
}

// mayLoad judges what is loaded on behalf of a page, though not by it.
func (b *Browser) mayLoad(address string) error {
	return b.policy().Request(address)
}

// note takes word that the page paused, or goes on. It is called inside event
// callbacks.
func (d *inspection) note(at *devtools.Where) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.signal()
	switch {
	case at != nil && d.at == nil:
		close(d.paused)
	case at == nil && d.at != nil:
		d.paused = make(chan struct{})
	}
	d.at = at
}

// signal makes the channel. The lock is held.
func (d *inspection) signal() {
	if d.paused == nil {
		d.paused = make(chan struct{})
	}
}

// pausing is a channel that is closed while the page is paused, nil for a tool
// that works on a paused page.
func (p *page) pausing(tool *provider.Spec) <-chan struct{} {
	if p == nil || tool.WhilePaused {
		return nil
	}
	p.debug.mu.Lock()
	defer p.debug.mu.Unlock()
	p.debug.signal()
	return p.debug.paused
}

// isPaused reports whether the page is paused in the debugger.
func (p *page) isPaused() bool {
	p.debug.mu.Lock()
	defer p.debug.mu.Unlock()
	return p.debug.at != nil
}

// pausedError is the error of a tool on a page that is paused, nil if it is
// not, or if the tool does not mind.
func (p *page) pausedError(tool *provider.Spec) error {
	if p == nil || tool.WhilePaused {
		return nil
	}
	p.debug.mu.Lock()
	at := p.debug.at
	p.debug.mu.Unlock()
	if at == nil {
		return nil
	}
	w := p.where()
	e := provider.Errorf(provider.KindFailed, "%s is paused in the debugger at %s", w.page, at).WithHint("debug-resume lets it go on")
	e.Page, e.URL = w.page, w.url
	return e
}

// mustRun is pausedError before a call. Word that the page goes on may still be
// on its way, where another session than the debugger's had it go on.
func (p *page) mustRun(ctx context.Context, tool *provider.Spec) error {
	if p.pausedError(tool) == nil {
		return nil
	}
	p.debug.mu.Lock()
	tools := p.debug.tools
	p.debug.mu.Unlock()
	if tools != nil {
		tools.Settle(ctx)
	}
	return p.pausedError(tool)
}

// stoppedError is pausedError for a call that was under way when the page
// paused.
func (p *page) stoppedError(tool *provider.Spec) error {
	if err := p.pausedError(tool); err != nil {
		return err
	}
	return provider.Errorf(provider.KindFailed, "%s was paused in the debugger meanwhile", p.where().page).WithHint("it runs again")
}

// heldBy is the page, it or one that may share its process, that is paused in
// the debugger, nil if there is none: a page that is held so does not answer,
// and does not hang either.
func (p *page) heldBy() *page {
	if p.isPaused() {
		return p
	}
	for _, o := range p.session.openPages() {
		if o.context == p.context && o.isPaused() {
			return o
		}
	}
	return nil
}

// letGoTime bounds the wait for a paused page to go on.
const letGoTime = 2 * time.Second

// letGo has a page that is paused go on without its debugger, so that it can
// be closed.
func (p *page) letGo() {
	p.debug.mu.Lock()
	tools, at := p.debug.tools, p.debug.at
	if at != nil {
		p.debug.tools = nil // the next tool opens it anew
	}
	p.debug.mu.Unlock()
	if at == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), letGoTime)
	defer cancel()
	_ = tools.Close(ctx)
}

// letGo has the session's paused pages go on; c is their context, nil for any.
func (s *Session) letGo(c playwright.BrowserContext) {
	for _, p := range s.openPages() {
		if c == nil || p.context == c {
			p.letGo()
		}
	}
}
