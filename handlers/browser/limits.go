package browser

import (
	"sync"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/quota"
	"pwpipe/handlers/targetlist"
)

// limits bounds a session's pages: how many there are, and how many pixels they have
// together. Chromium counts the pages of most contexts, by ids of its own.
type limits struct {
	room  *quota.Pages
	owner *targetlist.Owner // of the session's pages, in the browser's list

	surplus atomic.Int64 // pages that were one too many, and have not closed yet
	wide    atomic.Bool  // the last of those had too many pixels

	mu       sync.Mutex
	contexts map[playwright.BrowserContext]known
}

// known is what is known of a context: what its pages are drawn as, and Chromium's id if
// their pages are counted by it.
type known struct {
	shape
	id string
}

func newLimits(limit int) limits {
	return limits{room: quota.NewPages(limit), contexts: map[playwright.BrowserContext]known{}}
}

func (l *limits) noteShape(c playwright.BrowserContext, h shape) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.contexts[c] = known{shape: h}
}

func (l *limits) knownOf(c playwright.BrowserContext) known {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.contexts[c]
}

// forget drops a context, and returns Chromium's id if its pages were counted.
func (l *limits) forget(c playwright.BrowserContext) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer delete(l.contexts, c)
	return l.contexts[c].id
}

// count notes that Chromium counts a context's pages, by its id.
func (l *limits) count(c playwright.BrowserContext, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.contexts[c] = known{l.contexts[c].shape, id}
}

// OwnsContext reports whether a context, by Chromium's id, is the session's.
func (l *limits) OwnsContext(id string) bool { return l.ContextBy(id) != nil }

// ContextBy is the session's own context by Chromium's id, nil where that is not known. It
// may have no page.
func (l *limits) ContextBy(id string) playwright.BrowserContext {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c, k := range l.contexts {
		if id != "" && k.id == id {
			return c
		}
	}
	return nil
}

func (l *limits) shapeOf(p *Page) shape {
	h := l.knownOf(p.Context).shape
	if size := p.view.size.Load(); size != nil {
		h.width, h.height = float64(size.Width), float64(size.Height)
	}
	if scale := p.view.scale.load(); scale > 0 {
		h.scale = scale
	}
	h.scale = max(h.scale, 1)
	return h
}

// MaxScale is the largest scale of the session's contexts.
func (l *limits) MaxScale() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	most := 1.0
	for _, k := range l.contexts {
		most = max(most, k.scale)
	}
	return most
}

// pixelsIn is how many pixels a new page of a context has, by Chromium's id. While the
// id of a context is not known, it is as many as any of the session's may have.
func (l *limits) pixelsIn(id string) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	most := 1.0
	for _, k := range l.contexts {
		switch k.id {
		case id:
			return k.pixels()
		case "":
			most = max(most, k.pixels())
		}
	}
	return most
}
