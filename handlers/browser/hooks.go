package browser

import (
	"context"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// Hooks are for features that must see every browser, context and page. What
// only some pages need hooks itself to those (OnLeave, OnAttach). They are
// called in this order, those of a kind in the order of the list:
//
//  1. Engine, before a browser starts
//  2. Started, when the browser is there, before a context is opened; may block
//  3. Options, before a context is opened; an error refuses it
//  4. Context, after it was opened, or found in a browser that pwpipe attached
//     to; may block. An error closes one that pwpipe opened.
//  5. Page, once a page has its handle; inside an event callback: must not block
//  6. Dialog, when one opens; may block. The first that takes it answers it.
//  7. Surplus, when a page that opener (nil: it is not known which) opened is
//     closed at once, being one too many; must not block
//  8. Answered, when a call in a session has ended, with its error or nil
//  9. Closing, before a context is closed with its session
//  10. Closed, after that; its error is what could not be kept of the context
//
// Press goes around a key that a tool presses on a page, or holds down; Hold hears which keys
// are held; Button refuses a button of the mouse. Grants refuses permissions, by Playwright's
// names, that a context is not to get. Choosers is the session's clients that may have a file
// chooser; the first that there is counts.
type Hooks struct {
	Engine   func(*playwright.Playwright) error
	Started  func(*Browser, *Engine)
	Options  func(*Session, *playwright.BrowserNewContextOptions) error
	Context  func(*Session, *Opened) error
	Page     func(*Page)
	Dialog   func(*Session, *Page, playwright.Dialog) (taken bool)
	Surplus  func(s *Session, opener *Page)
	Answered func(*Session, *provider.Error)
	Closing  func(ctx context.Context, s *Session, e *Engine, c playwright.BrowserContext, name string)
	Closed   func(*Session, playwright.BrowserContext) error
	Press    func(p *Page, key string, press func() error) error
	Hold     func(p *Page, key string, down bool)
	Button   func(p *Page, button string, at ...float64) error
	Grants   func(s *Session, names []string) error
	Choosers func(*Session) Choosers
}

// Choosers says which file choosers are a client's: a tool does not answer those. A page is
// a target.
type Choosers interface {
	// Expect is for a tool that is about to open a chooser of a page. It calls taken when it
	// has, which reports whether the chooser is a client's; then done.
	Expect(page string) (taken func(context.Context) bool, done func())
	// Since answers a function that reports whether a chooser that opened since is a client's.
	Since(page string) (taken func(context.Context) bool)
}

// noClients is the Choosers of sessions without clients.
type noClients struct{}

func (noClients) Expect(string) (func(context.Context) bool, func()) { return noChooser, func() {} }
func (noClients) Since(string) func(context.Context) bool            { return noChooser }

func noChooser(context.Context) bool { return false }

// Choosers says which file choosers are clients' of the session.
func (s *Session) Choosers() Choosers {
	for _, h := range s.Browser.hooks {
		if h.Choosers != nil {
			return h.Choosers(s)
		}
	}
	return noClients{}
}

// Opened is a context that has come.
type Opened struct {
	playwright.BrowserContext
	Engine  *Engine
	Options playwright.BrowserNewContextOptions // it was opened with; none of one that was found
	HAR     string                              // the file that it is recorded into, "" for none
	Own     bool                                // pwpipe opened it
}

// Ending is how a session ends.
type Ending struct {
	context.Context      // bounds it
	Last            bool // false: it is only reset
}

// answerDialog is the one listener to dialogs: a dialog that nobody answers
// blocks its page. What the hooks leave is answered as Playwright does by
// itself: beforeunload accepted, others dismissed. It runs in a goroutine of
// its own and may block.
func (s *Session) answerDialog(d playwright.Dialog) {
	if s.Ended() && d.Page() != nil && s.IsTheirs(d.Page().Context()) {
		return // the tabs are lent to another session, which answers
	}
	p := s.Find(d.Page())
	for _, h := range s.Browser.hooks {
		if h.Dialog != nil && h.Dialog(s, p, d) {
			return
		}
	}
	if d.Type() == "beforeunload" {
		_ = d.Accept()
	} else {
		_ = d.Dismiss()
	}
}
