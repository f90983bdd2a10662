// Package navwatch tracks navigations that a page has begun, from its browser's
// events.
package navwatch

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"pwpipe/internal/browser/cdp"
)

// Course tracks where a page is about to navigate; the zero value knows nothing. Before
// the driver acts it waits for a navigation that has begun. Code that acts past the
// driver must know that there is none.
type Course struct {
	watching sync.Mutex // held while the browser is asked for reports

	mu      sync.Mutex
	session *cdp.Session  // that reports, nil before
	main    string        // DevTools id of the main frame, "" if it could not be had
	known   bool          // whether a navigation had begun before the reports
	going   bool          // one has begun
	came    chan struct{} // closed when it has come or ended, nil if nobody waits
	started bool          // it is more than a request
	loader  string        // of the new document, "" while unknown
	begun   int           // the number that have begun
	asks    bool          // a dialog asks whether the page may be left
}

// Still reports that the page is not navigating.
func (c *Course) Still(s *cdp.Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session == s && c.main != "" && c.known && !c.going
}

// watch makes the browser report navigations, and returns how many have begun.
func (c *Course) watch(ctx context.Context, s *cdp.Session) (begun int) {
	c.watching.Lock()
	defer c.watching.Unlock()
	c.mu.Lock()
	watched := c.session == s
	if !watched {
		c.session, c.main, c.known, c.going = s, "", false, false
	}
	begun = c.begun
	c.mu.Unlock()
	if watched {
		return begun
	}
	c.listen(s)
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	err := s.Call(ctx, "Page.getFrameTree", nil, &tree)
	if err == nil {
		err = s.Call(ctx, "Page.enable", nil, nil)
	}
	if err == nil {
		c.mu.Lock()
		c.main = tree.FrameTree.Frame.ID
		c.mu.Unlock()
	}
	return begun
}

// listen follows the events of a session.
func (c *Course) listen(s *cdp.Session) {
	follow(c, s, "Page.frameRequestedNavigation", func(e *struct{ FrameID, Disposition string }) {
		if e.FrameID == c.main && e.Disposition == "currentTab" {
			c.begins("")
		}
	})
	follow(c, s, "Page.frameStartedNavigating", func(e *struct{ FrameID, LoaderID, NavigationType string }) {
		if e.FrameID == c.main && !strings.HasSuffix(strings.ToLower(e.NavigationType), "samedocument") {
			c.begins(e.LoaderID)
		}
	})
	follow(c, s, "Page.frameNavigated", func(e *struct {
		Frame struct{ ID, ParentID, LoaderID string }
	}) {
		if e.Frame.ParentID != "" {
			return
		}
		if c.main = e.Frame.ID; c.loader == "" || c.loader == e.Frame.LoaderID {
			c.ends()
		}
	})
	follow(c, s, "Page.navigatedWithinDocument", func(e *struct{ FrameID string }) {
		if e.FrameID == c.main && c.loader == "" {
			c.ends()
		}
	})
	follow(c, s, "Page.frameStartedLoading", func(e *struct{ FrameID string }) {
		c.started = c.started || e.FrameID == c.main
	})
	follow(c, s, "Page.frameStoppedLoading", func(e *struct{ FrameID string }) {
		if e.FrameID != c.main {
			return
		}
		if c.known = true; c.started { // otherwise it is the earlier document that has stopped
			c.ends()
		}
	})
	follow(c, s, "Page.javascriptDialogOpening", func(e *struct{ Type string }) { c.asks = e.Type == "beforeunload" })
	follow(c, s, "Page.javascriptDialogClosed", func(e *struct{ Result bool }) {
		if c.asks && !e.Result && !c.started { // the page stays
			c.ends()
		}
	})
}

// follow makes fn change the course with each event of that name.
func follow[E any](c *Course, s *cdp.Session, event string, fn func(*E)) {
	s.On(event, func(params json.RawMessage) {
		var e E
		if json.Unmarshal(params, &e) != nil {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.session == s {
			fn(&e)
		}
	})
}

// begins records a navigation. The lock is held.
func (c *Course) begins(loader string) {
	c.going, c.started, c.loader = true, loader != "", loader
	c.begun++
}

// ends records that it has come, or will not. The lock is held.
func (c *Course) ends() {
	c.going = false
	if c.came != nil {
		close(c.came)
		c.came = nil
	}
}

// Arrived waits until the page is not navigating, and reports whether that happens in
// time.
func (c *Course) Arrived(ctx context.Context, s *cdp.Session) bool {
	c.mu.Lock()
	if !c.going || c.session != s {
		c.mu.Unlock()
		return true
	}
	if c.came == nil {
		c.came = make(chan struct{})
	}
	came := c.came
	c.mu.Unlock()
	select {
	case <-came:
	case <-s.Gone():
	case <-ctx.Done():
		return false
	}
	return true
}

// ByDriver lets the driver act, unless nobody waits for it any more, and learns from that
// where the page is.
func (c *Course) ByDriver(ctx context.Context, s *cdp.Session, byDriver func() error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	begun := c.watch(ctx, s)
	err := byDriver()
	if err == nil {
		c.settled(begun)
	}
	return err
}

// settled records that the driver has acted: it waited for navigations that had begun
// by then, unless there were others since.
func (c *Course) settled(begun int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun == begun {
		c.known = true
		c.ends()
	}
}
