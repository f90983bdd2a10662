package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/clipboard"
	"pwpipe/handlers/renderer"
	"pwpipe/internal/script"
	"pwpipe/provider"
)

// sessionBrowser is what the scripts of a session have for a browser: the
// session's own contexts, and nothing of the others that share the process.
// What it opens goes the way of the tools new-ctx and new-page.
type sessionBrowser struct {
	playwright.EventEmitter
	session *browser.Session
	engine  *browser.Engine

	once   sync.Once
	closed chan struct{}
}

// offered is what the scripts of a session have now.
var offered = browser.State[*browser.Session, offeredBrowser]{New: func(s *browser.Session) *offeredBrowser {
	own := &offeredBrowser{}
	s.OnClosed(own.disconnect)
	return own
}}

type offeredBrowser struct {
	mu      sync.Mutex
	browser *sessionBrowser // nil before the first script
}

// disconnect is the end of it.
func (o *offeredBrowser) disconnect() {
	o.mu.Lock()
	b := o.browser
	o.mu.Unlock()
	if b != nil {
		b.disconnect()
	}
}

var _ playwright.Browser = (*sessionBrowser)(nil)

// openTime bounds what a script opens: no request's deadline reaches there.
const openTime = 30 * time.Second

// freshBrowser sees to it that the browser of the session's scripts is open: a
// script may have closed it, or it crashed.
func freshBrowser(s *browser.Session) {
	own, e := offered.Of(s), s.Current()
	own.mu.Lock()
	defer own.mu.Unlock()
	if b := own.browser; b != nil && b.engine == e && b.IsConnected() {
		return
	}
	b := &sessionBrowser{EventEmitter: playwright.NewEventEmitter(), session: s, engine: e, closed: make(chan struct{})}
	own.browser = b
	go func() {
		select {
		case <-b.engine.Gone:
			b.disconnect()
		case <-b.closed:
		}
	}()
}

// ownBrowser is the browser of the session's scripts, closed or not.
func ownBrowser(s *browser.Session) *sessionBrowser {
	own := offered.Of(s)
	own.mu.Lock()
	defer own.mu.Unlock()
	return own.browser
}

// scriptOwn is what belongs to the session's scripts.
func scriptOwn(s *browser.Session) script.Own {
	return script.Own{
		Browser: func() playwright.Browser { return ownBrowser(s) },
		NewPage: func(c playwright.BrowserContext) (playwright.Page, error) { return ownBrowser(s).newPageIn(c) },
		Has:     func(v any) bool { return s.Has(v) },
		Instead: func(self any, method string, args []any) func() (any, error) {
			if do := renderer.KeepingMedium(s, self, method, args); do != nil {
				return do
			}
			return clipboard.InsteadOf(s, self, method, args)
		},
	}
}

// ScriptClass names the class of the JavaScript API that it stands for.
func (b *sessionBrowser) ScriptClass() string { return "Browser" }

// NewContext is browser.newContext, with the session's own options below those
// that are given.
func (b *sessionBrowser) NewContext(options ...playwright.BrowserNewContextOptions) (playwright.BrowserContext, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	var o playwright.BrowserNewContextOptions
	if len(options) > 0 {
		o = options[0]
	}
	if !b.IsConnected() {
		return nil, playwright.ErrTargetClosed
	}
	c, _, err := b.session.NewContextWith(ctx, b.engine, o)
	return c, err
}

// NewPage is browser.newPage: a page with a context of its own, which goes with
// the page.
func (b *sessionBrowser) NewPage(options ...playwright.BrowserNewPageOptions) (playwright.Page, error) {
	var list []playwright.BrowserNewContextOptions
	for _, o := range options {
		list = append(list, playwright.BrowserNewContextOptions(o))
	}
	c, err := b.NewContext(list...)
	if err != nil {
		return nil, err
	}
	pw, err := b.newPageIn(c)
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	pw.OnClose(func(playwright.Page) { go func() { _ = c.Close() }() })
	return pw, nil
}

func (b *sessionBrowser) newPageIn(c playwright.BrowserContext) (playwright.Page, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	p, err := b.session.NewPage(ctx, b.engine, c)
	if err != nil {
		return nil, err
	}
	return p.PW, nil
}

// Contexts are the session's.
func (b *sessionBrowser) Contexts() []playwright.BrowserContext {
	if !b.IsConnected() {
		return nil
	}
	return b.session.OpenContexts()
}

// Close is browser.close: it ends the session's contexts, and nothing else. The
// next request gets fresh ones.
func (b *sessionBrowser) Close(...playwright.BrowserCloseOptions) error {
	if !b.IsConnected() {
		return nil
	}
	b.disconnect()
	ctx, cancel := context.WithTimeout(context.Background(), browser.CloseTime)
	defer cancel()
	b.session.CloseContexts(ctx, "a script closed the browser")
	if ctx.Err() != nil {
		return provider.Errorf(provider.KindTimeout, "the contexts did not close within %s", browser.CloseTime)
	}
	return nil
}

// disconnect is the end of this object.
func (b *sessionBrowser) disconnect() {
	b.once.Do(func() {
		close(b.closed)
		b.Emit("disconnected", playwright.Browser(b))
	})
}

// IsConnected reports whether the browser runs and was not closed.
func (b *sessionBrowser) IsConnected() bool {
	select {
	case <-b.closed:
		return false
	case <-b.engine.Gone:
		return false
	default:
		return true
	}
}

// OnDisconnected has fn called when the browser is gone, or was closed.
func (b *sessionBrowser) OnDisconnected(fn func(playwright.Browser)) { b.On("disconnected", fn) }

// BrowserType is the kind of browser.
func (b *sessionBrowser) BrowserType() playwright.BrowserType { return b.engine.Kind }

// Version is the browser's.
func (b *sessionBrowser) Version() string { return b.engine.Version() }

var errEverybodys = errors.New("it would show what others do in the same browser")

// NewBrowserCDPSession is refused: it is everybody's.
func (b *sessionBrowser) NewBrowserCDPSession() (playwright.CDPSession, error) {
	return nil, provider.Errorf(provider.KindBlocked, "blocked: %w; use context.newCDPSession(page)", errEverybodys)
}

// StartTracing is refused: it traces the whole process.
func (b *sessionBrowser) StartTracing(...playwright.BrowserStartTracingOptions) error {
	return provider.Errorf(provider.KindBlocked, "blocked: %w; use context.tracing", errEverybodys)
}

// StopTracing is refused as StartTracing is.
func (b *sessionBrowser) StopTracing() ([]byte, error) { return nil, b.StartTracing() }
