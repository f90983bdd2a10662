package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/handles"
	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// Page is one open page.
type Page struct {
	Name    string // its handle
	Session *Session
	Engine  *Engine
	PW      playwright.Page
	Context playwright.BrowserContext
	Frames  handles.Frames
	Gone    chan struct{} // closed when the page is closed, crashed or replaced
	acting  Callbacks[context.Context]

	keep
	devtools // its sessions with DevTools, by the driver
	direct   // past the driver
	documents
	held
	view
	closing
	// Workers is the number of workers that the page runs: page.workers, whose list
	// playwright-go does not guard.
	Workers atomic.Int64
}

// documents is what is known of the documents that a page has shown.
type documents struct {
	Documents atomic.Int64           // how many
	arrived   atomic.Int64           // how many it had shown when the browser last reported one
	foundAt   atomic.Pointer[string] // the URL that it had when pwpipe attached to its browser, nil for another page
	leaving   Callbacks[struct{}]
}

// OnLeave has fn called when the page leaves its document, or changes the
// document's address: inside an event callback, so it must not block.
func (d *documents) OnLeave(fn func()) { d.leaving.Add(func(struct{}) { fn() }) }

// replaced notes that the page shows another document.
func (d *documents) replaced() {
	d.Documents.Add(1)
	d.leaving.Call(struct{}{})
}

// closing is why a page was closed, and how many that it opened were.
type closing struct {
	asked   atomic.Bool  // somebody asked for it
	tooMany atomic.Bool  // it was one too many
	Turned  atomic.Int64 // how many pages that it opened were one too many
}

// WasFoundAt reports whether the page was at a URL when pwpipe attached to it.
func (d *documents) WasFoundAt(url string) bool {
	found := d.foundAt.Load()
	return url != "" && found != nil && *found == url
}

// OnAct has fn called before the next call that acts on the page, once.
func (p *Page) OnAct(fn func(context.Context)) { p.acting.Add(fn) }

// BeforeAct calls what waits for the next call that acts.
func (p *Page) BeforeAct(ctx context.Context) { p.acting.drain(ctx) }

// OpenedTooMany is the error of a call during which a page that it opened was
// closed at once; before is what Turned was when it began.
func (p *Page) OpenedTooMany(before int64) error {
	if p.Turned.Load() == before {
		return nil
	}
	e := p.Session.room.OverLimit("it opened a page that was closed at once, since ")
	if p.Session.wide.Load() {
		e = errDrawn("it opened a page that was closed at once, since ")
	}
	e.Page = p.Name
	return e
}

// addPage gives a page its handle, once, and has the features see it. It runs
// inside event callbacks, and must not call into the browser.
func (s *Session) addPage(e *Engine, c playwright.BrowserContext, pw playwright.Page) *Page {
	p, fresh := s.enter(e, c, pw)
	if fresh {
		for _, h := range s.Browser.hooks {
			if h.Page != nil {
				h.Page(p)
			}
		}
		if e.Chromium {
			go func() { _ = p.Attached() }()
		}
	}
	return p
}

// enter puts a page into the table. It is not fresh if it was there, or is one
// too many.
func (s *Session) enter(e *Engine, c playwright.BrowserContext, pw playwright.Page) (_ *Page, fresh bool) {
	p := &Page{Session: s, Engine: e, PW: pw, Context: c, Gone: make(chan struct{})}
	p.devtools.open = func() (playwright.CDPSession, error) { return c.NewCDPSession(pw) }
	p.devtools.opened = p.identify
	p.direct.browser = e.DevTools
	p.view.begin(pw)
	return s.table.add(p, s.refuses)
}

// watch listens to what becomes of the page and its frames.
func (p *Page) watch() {
	p.Frames.Watch(p.PW)
	main := p.PW.MainFrame()
	p.PW.OnFrameNavigated(func(f playwright.Frame) {
		if f == main {
			p.replaced()
		}
	})
	p.PW.OnWorker(func(w playwright.Worker) {
		p.Workers.Add(1)
		w.OnClose(func(playwright.Worker) { p.Workers.Add(-1) })
	})
	p.PW.OnClose(func(playwright.Page) { p.Session.dropClosedPage(p) })
	p.PW.OnCrash(func(playwright.Page) {
		why := "it crashed"
		if trouble := p.Engine.TempTrouble(); trouble != nil {
			why += " (" + trouble.Error() + ")"
		}
		p.Session.DropPage(p, why)
		go func() { _ = p.PW.Close() }() // frees what waits for an answer of the dead renderer
	})
}

// NewPage opens a page: context.newPage. It becomes the active one if there is
// none.
func (s *Session) NewPage(ctx context.Context, e *Engine, c playwright.BrowserContext) (*Page, error) {
	if err := cmp.Or(s.full(e), s.RoomToDraw(nil, s.knownOf(c).pixels())); err != nil {
		return nil, err
	}
	pw, err := Await(ctx, e, nil, c.NewPage)
	if err != nil {
		if full := s.full(e); full != nil && pwerrors.IsClosed(err) {
			return nil, full // others took the last place meanwhile
		}
		return nil, err
	}
	p, err := s.opened(ctx, e, c, pw)
	if err != nil {
		return nil, err
	}
	s.activate(p, false)
	return p, nil
}

// dying is how long a browser that dies may take to close its pages, one by
// one, before it is seen to be gone itself.
const dying = 2 * time.Second

// Where names a page for an error. The URL is Playwright's last word: asking
// the page could hang.
func (p *Page) Where() Where { return Where{p.Name, p.Hide(p.PW.URL())} }

// Where is the page that an error is about, secrets masked.
type Where struct{ Page, URL string }

// String is the page's handle and URL.
func (w Where) String() string {
	if w.URL == "" {
		return w.Page
	}
	return fmt.Sprintf("%s (%s)", w.Page, secrets.Shorten(w.URL, 200))
}

// The table masks secrets in whatever a tool answers. What a tool cuts, writes
// to a file or remembers, it masks itself before that, here: a piece of a value
// could be too short to be known again.

// Hide masks the secrets in a text.
func (b *Browser) Hide(text string) string {
	if b.Config.Mask == nil {
		return text
	}
	return b.Config.Mask(text)
}

// Unresolved is a request's parameters as they can be written to a file: with
// the names of secrets, and selectors that were made from a page masked.
func (b *Browser) Unresolved(params json.RawMessage) json.RawMessage {
	if b.Config.Unresolve == nil || params == nil {
		return params
	}
	return provider.MapStrings(params, b.Config.Unresolve)
}

// Short is a text of at most so many characters, for an error or a list. It is
// the only way in which tools shorten what a page or a caller worded.
func (b *Browser) Short(text string, most int) string {
	return secrets.Shorten(b.Hide(text), most)
}

// Hide masks the secrets in a text.
func (p *Page) Hide(text string) string { return p.Session.Browser.Hide(text) }

// Short is a text of at most so many characters, secrets masked.
func (p *Page) Short(text string, most int) string { return p.Session.Browser.Short(text, most) }

// direct is a page's own line to the browser, past the driver.
type direct struct {
	browser *cdp.Session             // our own with the browser, nil for none
	is      atomic.Pointer[identity] // which of the browser's pages it is, nil while that is not known

	mu      sync.Mutex // held while it is opened, too
	session *cdp.Session
	failed  bool
	opens   Callbacks[*cdp.Session]
}

// identity is Chromium's ids of a page and of its context.
type identity struct{ target, context string }

// directTime is how long the browser may take to open the line: it asks nobody.
const directTime = time.Second

// Direct is a DevTools session of ours with the page, on our own connection to
// the browser: what is asked on it does not pass the driver. It is opened when
// it is first asked for. nil where there is none, or not yet: the driver's way
// is always there.
func (d *direct) Direct() *cdp.Session {
	if d.browser == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.session != nil && !d.session.Ended() {
		return d.session
	}
	target := d.Target()
	if target == "" || d.failed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), directTime)
	defer cancel()
	s, err := d.browser.Attach(ctx, target)
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
func (d *direct) OnDirect(fn func(*cdp.Session)) { d.opens.Add(fn) }

// Target is Chromium's id of the page, "" while it is not known.
func (d *direct) Target() string {
	if is := d.is.Load(); is != nil {
		return is.target
	}
	return ""
}

// DriversSession is the driver's own session with the page, nil if unknown.
func (p *Page) DriversSession() *cdp.Session {
	if p.Engine.Conn == nil {
		return nil
	}
	return p.Engine.Conn.Beside(p.Target())
}
