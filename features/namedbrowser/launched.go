package namedbrowser

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/workarounds"
	"pwpipe/internal/machine/setup"
	"pwpipe/provider"
)

// browsersOf holds the browsers that a session has launched by name. Each is a process of
// its own.
var browsersOf = browser.State[*browser.Session, launched]{New: func(s *browser.Session) *launched {
	l := &launched{byID: map[string]*ownBrowser{}}
	s.OnClose(func(e browser.Ending) {
		for _, b := range l.all() {
			l.take(b.id)
			b.close(e)
		}
	})
	return l
}}

type launched struct {
	mu   sync.Mutex
	byID map[string]*ownBrowser
}

// ownBrowser is one of them, with its one page.
type ownBrowser struct {
	acting  sync.Mutex // held while an action runs: one at a time
	id      string
	owner   *browser.Session // that launched it
	browser *browser.Browser
	session *browser.Session
	page    *browser.Page
}

// find returns the browser of that id, nil if there is none.
func (l *launched) find(id string) *ownBrowser {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byID[id]
}

// take removes the browser of that id and returns it, nil if there is none.
func (l *launched) take(id string) *ownBrowser {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.byID[id]
	delete(l.byID, id)
	return b
}

// all are the browsers in the order of their ids.
func (l *launched) all() []*ownBrowser {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.SortedFunc(maps.Values(l.byID), func(a, b *ownBrowser) int { return strings.Compare(a.id, b.id) })
}

// titleTime is how long a browser's page has to tell its title.
const titleTime = time.Second

// list returns a line for each browser: id, whether it is alive, title, URL.
func (l *launched) list(ctx context.Context, w wording) string {
	lines := []string{}
	for _, b := range l.all() {
		state, title := w.active, ""
		if b.alive() {
			short, cancel := context.WithTimeout(ctx, titleTime)
			title, _ = do(short, b, func(pw playwright.Page) (string, error) { return pw.Title() })
			cancel()
		} else {
			state = w.ended
		}
		title = strings.Join(strings.Fields(title), " ")
		lines = append(lines, fmt.Sprintf(w.listLine, b.id, state, title, b.page.PW.URL()))
	}
	if len(lines) == 0 {
		return w.nothingOpen
	}
	return strings.Join(lines, "\n")
}

// launch starts a browser and opens its page. One of that id is closed first.
func launch(ctx context.Context, s *browser.Session, id string, headless bool) (*ownBrowser, error) {
	if has := s.Browser.Config; !headless && !has.Attached() && setup.NoDisplay() {
		return nil, provider.Errorf(provider.KindFailed, "headless false: there is no display to show a window on "+
			"(DISPLAY and WAYLAND_DISPLAY are empty); leave it out, or start under a virtual one: xvfb-run -a pwpipe")
	}
	open := browsersOf.Of(s)
	if old := open.take(id); old != nil {
		old.close(ctx)
	}
	if err := s.MayOpen(); err != nil {
		return nil, err
	}
	cfg := s.Browser.Config
	cfg.Headed = !headless
	cfg.UserDataDir = "" // a profile folder serves one browser
	cfg.Drivers = nil    // which are counted for the service's own
	own := s.Beside(cfg)
	if own == nil {
		return nil, provider.Errorf(provider.KindUnavailable, "pwpipe is shutting down")
	}
	b := &ownBrowser{id: id, owner: s, browser: own.Browser, session: own}
	var err error
	if b.page, err = own.Page(ctx, ""); err != nil {
		b.close(ctx)
		return nil, err
	}
	open.mu.Lock()
	defer open.mu.Unlock()
	open.byID[id] = b
	return b, nil
}

// closeTime is how long a launched browser may take to close.
const closeTime = 5 * time.Second

// close ends the browser's process.
func (b *ownBrowser) close(ctx context.Context) {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	b.browser.Close(closing)
}

// alive reports whether its page can still be used.
func (b *ownBrowser) alive() bool { return b.page.Lost() == nil }

// do runs a call into Playwright on the browser's page.
func do[T any](ctx context.Context, b *ownBrowser, fn func(playwright.Page) (T, error)) (T, error) {
	defer workarounds.Drawn(b.page)()
	return guard.Guarded(ctx, b.page, provider.Reads, "", func() (T, error) {
		return browser.Await(ctx, b.page.Engine, b.page, func() (T, error) { return fn(b.page.PW) })
	})
}
