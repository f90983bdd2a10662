package browser

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/targetlist"
	"pwpipe/provider"
)

// addContext gives a context its handle, unless the session may not have it: open is
// asked while the table is locked, so that no closing comes in between. taken reports
// that it had a handle.
func (t *table) addContext(c playwright.BrowserContext, open func() bool) (name string, taken, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !open() {
		return "", false, false
	}
	_, taken = t.contexts.Of[c]
	return t.contexts.Add(c), taken, true
}

// addFound gives a handle to a context that the browser had before.
func (t *table) addFound(c playwright.BrowserContext) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.contexts.Add(c)
	t.found[c] = true
}

// removeContext takes a context out of the table. The lock is held.
func (t *table) removeContext(c playwright.BrowserContext, fate string) string {
	if id := t.limits.forget(c); id != "" && t.engine != nil {
		t.engine.targets.Forget(id)
	}
	return t.contexts.Remove(c, fate)
}

// dropClosed takes a context out of the table that closed, by itself perhaps.
func (t *table) dropClosed(c playwright.BrowserContext) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noteClosed(t.removeContext(c, "it was closed"))
}

// ownContexts are the engine and the open contexts that the session opened itself.
// closing is called while the table is locked: no context comes in between.
func (t *table) ownContexts(closing func()) (*Engine, map[playwright.BrowserContext]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	closing()
	names := map[playwright.BrowserContext]string{}
	for name, c := range t.contexts.Live {
		if !t.found[c] {
			names[c] = name
		}
	}
	return t.engine, names
}

// dropContext takes a context and its pages out of the table.
func (t *table) dropContext(c playwright.BrowserContext, ofPages, fate string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.pages.All() {
		if p.Context == c {
			t.removePage(p, ofPages)
		}
	}
	t.removeContext(c, fate)
}

// countIn notes that Chromium counts the pages of a context of the session's own, by its
// id there: "" for one that is not known, as the page that was asked may be gone. owner is
// who the pages belong to, nil for those of another context.
func (t *table) countIn(c playwright.BrowserContext, id string) (owner *targetlist.Owner) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.found[c] || t.contexts.Of[c] == "" {
		return nil
	}
	if id != "" {
		t.limits.count(c, id)
	}
	return t.limits.owner
}

// ContextNamed is the open context of a handle, which counts as used.
func (t *table) ContextNamed(handle string) (playwright.BrowserContext, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.contexts.Live[handle]
	if c == nil {
		return nil, provider.Errorf(provider.KindNoTarget, "%s", t.contexts.Missing("context", handle))
	}
	t.contexts.Use(handle)
	return c, nil
}

// OpenContexts are the open contexts in the order of their handles.
func (t *table) OpenContexts() []playwright.BrowserContext {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.contexts.All()
}

// Borrows reports whether the session is lent tabs that were open before.
func (t *table) Borrows() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.found) > 0
}

// IsTheirs says whether a context is one that an attached browser had before.
func (t *table) IsTheirs(c playwright.BrowserContext) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.found[c]
}
