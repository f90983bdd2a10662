package browser

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/handles"
	"pwpipe/provider"
)

// table holds a session's contexts and pages by handle and by Playwright's object.
// Handles outlive the browser: after a crash the old ones still say what became of
// them.
//
// Its lock is taken inside Playwright's event callbacks, so it is never held
// across a call into Playwright: that would deadlock the connection.
type table struct {
	limits *limits // counts what the table holds

	mu       sync.Mutex
	engine   *Engine // the one that the live handles belong to
	contexts *handles.Table[playwright.BrowserContext]
	pages    *handles.Table[*Page]
	byPW     map[playwright.Page]*Page
	past     map[playwright.Page]string         // handles of pages that were dropped
	active   string                             // handle of the page for requests that name none
	flooded  string                             // the active page that was closed for its flood, until that is told
	closed   map[string]time.Time               // pages and contexts that nobody asked to close, and when
	found    map[playwright.BrowserContext]bool // contexts of a browser that pwpipe attached to
	changed  chan struct{}                      // closed and replaced when a page appears
}

func newTable(l *limits) table {
	return table{limits: l, contexts: handles.New[playwright.BrowserContext]("c"), pages: handles.New[*Page]("p"),
		byPW: map[playwright.Page]*Page{}, past: map[playwright.Page]string{}, closed: map[string]time.Time{},
		found: map[playwright.BrowserContext]bool{}, changed: make(chan struct{})}
}

// activate makes a page the active one; with instead also if there is one.
func (t *table) activate(p *Page, instead bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	open := t.byPW[p.PW] == p
	if !instead && (t.active != "" || !open) {
		return
	}
	t.active = p.Name
	if open {
		t.pages.Use(p.Name)
	}
}

// dropped is the error of a page that is no longer in the table, nil for another.
func (t *table) dropped(pw playwright.Page) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if name := t.past[pw]; name != "" && t.byPW[pw] == nil {
		return t.missingPage(name)
	}
	return nil
}

// latest is the active page, else the context used last; nil for none.
func (t *table) latest() (*Page, playwright.BrowserContext) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.pages.Live[t.active]; p != nil {
		t.pages.Use(t.active)
		return p, nil
	}
	return nil, t.contexts.Live[t.contexts.Newest()]
}

// lookUp is the open page of a handle. changed is set if the handle is the next one,
// and is closed when it may have been given.
func (t *table) lookUp(handle string) (p *Page, changed chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	handle = t.pages.Resolve(handle)
	if p := t.pages.Live[handle]; p != nil {
		t.pages.Use(handle)
		return p, nil, nil
	}
	if t.pages.Last > 0 && t.pages.Number(handle) == t.pages.Last+1 {
		changed = t.changed
	}
	return nil, changed, t.missingPage(handle)
}

// popupWait is how long a request for the very next handle waits for a pop-up
// that is on its way.
const popupWait = 2 * time.Second

// named finds an open page. The next handle to be given may belong to a pop-up
// that the last click opened, so it is waited for.
func (t *table) named(ctx context.Context, handle string) (*Page, error) {
	deadline := time.NewTimer(popupWait)
	defer deadline.Stop()
	for {
		p, changed, err := t.lookUp(handle)
		if changed == nil {
			return p, err
		}
		select {
		case <-changed:
		case <-deadline.C:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Active is the handle of the active page, "" before the first:
// wire.Pages.
func (t *table) Active() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.active
}

// Known reports whether a handle was ever given to a page: wire.Pages.
func (t *table) Known(handle string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pages.Known(handle)
}

// Current is the engine that the session's live handles belong to, nil before
// the first.
func (t *table) Current() *Engine {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.engine
}

// moveTo makes e the engine that the live handles belong to. What the handles of an
// older one had is lost, which life has to report. So is what closed in the last moments
// of that one: a browser that dies may close its pages first.
func (t *table) moveTo(e *Engine, life *life) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if old := t.engine; old != nil && old != e {
		lost := len(t.pages.Live)+len(t.contexts.Live) > 0
		for _, p := range t.pages.Live {
			t.removePage(p, old.Reason)
		}
		for _, c := range t.contexts.Live {
			t.removeContext(c, old.Reason)
		}
		for name, at := range t.closed {
			if old.LostAt.Sub(at) < dying {
				lost = true
				t.pages.Fate[name], t.contexts.Fate[name] = old.Reason, old.Reason
			}
		}
		clear(t.closed)
		clear(t.found)
		if lost {
			life.lose(old)
		}
	}
	t.engine = e
}

// HandlesOf are the handles of a page and of its context, "" for one that is
// gone, and whether requests that name no page work on it.
func (t *table) HandlesOf(p *Page) (name, context string, active bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name = t.pages.Of[p]
	return name, t.contexts.Of[p.Context], name == t.active
}

// Find returns the page behind one of Playwright's, nil if it is not known.
func (t *table) Find(pw playwright.Page) *Page {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byPW[pw]
}

// add gives a page its handle, and has it watched unless refuses says that it is one too
// many. A page that is there already is not fresh. The lock is held all along: nobody sees
// a page that is not watched yet.
func (t *table) add(p *Page, refuses func(*Page) bool) (_ *Page, fresh bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if old := t.byPW[p.PW]; old != nil {
		return old, false
	}
	t.byPW[p.PW] = p
	p.Name = t.pages.Add(p)
	close(t.changed)
	t.changed = make(chan struct{})
	if refuses(p) {
		return p, false
	}
	p.watch()
	return p, true
}

// dropClosedPage takes a page out of the table that closed, by itself perhaps.
func (t *table) dropClosedPage(p *Page) {
	p.Engine.targets.Closed(p.Target()) // a page that is opened next finds the place
	t.mu.Lock()
	defer t.mu.Unlock()
	if name := t.removePage(p, p.fate()); !p.asked.Load() {
		t.noteClosed(name)
	}
}

// pageName is the handle of a page, open or dropped; "" for one that the table does not
// know.
func (t *table) pageName(pw playwright.Page) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.byPW[pw]; p != nil {
		return p.Name
	}
	return t.past[pw]
}

// OpenPages are the open pages in the order of their handles.
func (t *table) OpenPages() []*Page {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pages.All()
}

// DropPage takes a page out of the table.
func (t *table) DropPage(p *Page, fate string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.removePage(p, fate)
}

// dropFlooded is DropPage of a page that made the browser send too much. The next request that names
// no page hears of it.
func (t *table) dropFlooded(p *Page) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.active == p.Name {
		t.flooded = p.Name
	}
	t.removePage(p, FateFlooded)
}

// takeFlooded is the error of a request that would have worked on such a page, unless another has
// told it.
func (t *table) takeFlooded() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.flooded == "" {
		return nil
	}
	return t.missingPage(t.flooded)
}

// noteClosed remembers a page or context that closed by itself, in case it
// turns out to have been the browser's end. The lock is held.
func (t *table) noteClosed(name string) {
	if name == "" {
		return
	}
	for old, at := range t.closed {
		if time.Since(at) > dying {
			delete(t.closed, old)
		}
	}
	t.closed[name] = time.Now()
}

// removePage is DropPage with the lock held. When the active page goes, the
// one used last takes its place.
func (t *table) removePage(p *Page, fate string) string {
	name := t.pages.Remove(p, fate)
	delete(t.byPW, p.PW)
	t.limits.room.Leave(p)
	if len(t.past) >= handles.MaxFates {
		clear(t.past)
	}
	t.past[p.PW] = p.Name // for events that are still on their way
	if name != "" {
		close(p.Gone)
	}
	if name != "" && name == t.active {
		t.active = t.pages.Newest()
	}
	return name
}

// missingPage is the error of a handle that no open page has. The lock is held.
func (t *table) missingPage(handle string) error {
	if t.flooded == handle {
		t.flooded = ""
	}
	text := t.pages.Missing("page", handle)
	if t.pages.Fate[handle] == ClosedTooMany {
		return t.limits.room.OverLimit(text + "; ")
	}
	return provider.Errorf(provider.KindNoTarget, "%s", text)
}

// goneError is missingPage for a page that is gone.
func (t *table) goneError(handle string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.missingPage(handle)
}

// LabelPage gives a page a label, which names it in requests as its handle does. "" takes
// its label away.
func LabelPage(s *Session, p *Page, label string) error {
	t := &s.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pages.Of[p] == "" {
		return t.missingPage(p.Name)
	}
	if other := t.pages.Label(p.Name, label); other != "" {
		return provider.Errorf(provider.KindArgs, "label: %s is %s already", label, other).
			WithHint("label-page with another label for %s, or none, frees it", other)
	}
	return nil
}

// LabelOf is a page's label, "" for none.
func LabelOf(s *Session, p *Page) string {
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	return s.pages.LabelOf(p.Name)
}
