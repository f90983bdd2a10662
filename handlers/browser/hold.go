package browser

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// Hold keeps a page from answering: a debugger has paused it. Every call on the
// page watches for that.
type Hold struct {
	At      fmt.Stringer          // where it is held, for errors
	Settle  func(context.Context) // waits for word that it goes on, which may be on its way
	Release func(context.Context) // has it go on, since it is to be closed
}

// held is what keeps a page from answering, if anything does.
type held struct {
	mu       sync.Mutex
	by       *Hold         // nil while the page runs
	since    chan struct{} // closed while it is held
	checking chan struct{} // not nil while it is found out whether the page hangs
}

// check runs fn in the background, which finds out whether the page hangs, unless
// another does already.
func (d *held) check(fn func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.checking != nil {
		return
	}
	done := make(chan struct{})
	d.checking = done
	go func() {
		fn()
		d.mu.Lock()
		d.checking = nil
		d.mu.Unlock()
		close(done)
	}()
}

// checked is closed when it is found out whether the page hangs; nil for a page that
// nobody looks at.
func (d *held) checked() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.checking
}

// Hold notes that something keeps the page from answering, or with nil that it
// goes on. It may be called inside event callbacks.
func (d *held) Hold(h *Hold) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.signal()
	switch {
	case h != nil && d.by == nil:
		close(d.since)
	case h == nil && d.by != nil:
		d.since = make(chan struct{})
	}
	d.by = h
}

// signal makes the channel. The lock is held.
func (d *held) signal() {
	if d.since == nil {
		d.since = make(chan struct{})
	}
}

// hold is what keeps the page, nil while it runs.
func (d *held) hold() *Hold {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.by
}

// pausing is a channel that is closed while the page is paused, nil for a tool
// that works on a paused page.
func (p *Page) pausing(tool *provider.Spec) <-chan struct{} {
	if p == nil || tool.WhilePaused {
		return nil
	}
	p.held.mu.Lock()
	defer p.held.mu.Unlock()
	p.held.signal()
	return p.held.since
}

// IsPaused reports whether the page is paused in the debugger.
func (d *held) IsPaused() bool { return d.hold() != nil }

// pausedError is the error of a tool on a page that is paused, nil if it is
// not, or if the tool does not mind.
func (p *Page) pausedError(tool *provider.Spec) error {
	if p == nil || tool.WhilePaused {
		return nil
	}
	by := p.hold()
	if by == nil {
		return nil
	}
	w := p.Where()
	e := provider.Errorf(provider.KindFailed, "%s is paused in the debugger at %s", w.Page, by.At).WithHint("debug-resume lets it go on")
	e.Page, e.URL = w.Page, w.URL
	return e
}

// RefusePaused is pausedError before a call. Word that the page goes on may
// still be on its way, where another session than the debugger's had it go on.
func (p *Page) RefusePaused(ctx context.Context, tool *provider.Spec) error {
	if p.pausedError(tool) == nil {
		return nil
	}
	if by := p.hold(); by != nil {
		by.Settle(ctx)
	}
	return p.pausedError(tool)
}

// pausedMeanwhile is pausedError for a call that was under way when the page
// paused.
func (p *Page) pausedMeanwhile(tool *provider.Spec) error {
	if err := p.pausedError(tool); err != nil {
		return err
	}
	return provider.Errorf(provider.KindFailed, "%s was paused in the debugger meanwhile", p.Where().Page).WithHint("it runs again")
}

// heldBy is the page, it or one that may share its process, that is paused in
// the debugger, nil if there is none: a page that is held so does not answer,
// and does not hang either.
func (p *Page) heldBy() *Page {
	if p.IsPaused() {
		return p
	}
	for _, o := range p.Session.OpenPages() {
		if o.Context == p.Context && o.IsPaused() {
			return o
		}
	}
	return nil
}

// letGoTime bounds the wait for a paused page to go on.
const letGoTime = 2 * time.Second

// LetGo has a page that is paused go on without its debugger, so that it can
// be closed.
func (p *Page) LetGo() {
	by := p.hold()
	if by == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), letGoTime)
	defer cancel()
	by.Release(ctx)
}

// letAllGo has the session's paused pages go on; c is their context, nil for any.
func (t *table) letAllGo(c playwright.BrowserContext) {
	for _, p := range t.OpenPages() {
		if c == nil || p.Context == c {
			p.LetGo()
		}
	}
}
