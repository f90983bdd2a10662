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

// Course is what is known of where a page is about to go; the zero value knows
// nothing. Before it acts the driver waits for a navigation that has begun: what acts
// beside it has to know that there is none.
type Course struct {
	watching sync.Mutex // held while the browser is asked to tell

	mu      sync.Mutex
	session *cdp.Session  // that tells, nil before
	main    string        // DevTools id of the main frame, "" if it could not be had
	known   bool          // whether one had begun before it told
	going   bool          // one has begun
	came    chan struct{} // closed when it has come or ended, nil where nobody waits
	started bool          // it is more than asked for
	loader  string        // of what it will show, "" while that is not known
	begun   int           // so many have
}

// Still reports that the page is going nowhere.
func (c *Course) Still(s *cdp.Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session == s && c.main != "" && c.known && !c.going
}

// watch has the browser report navigations, and returns how many have begun.
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

// listen follows what a session tells.
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
		if c.known = true; c.started { // else it is the document before that has stopped
			c.ends()
		}
	})
}

// follow has fn change the course with each event of that name.
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

// begins notes a navigation. The lock is held.
func (c *Course) begins(loader string) {
	c.going, c.started, c.loader = true, loader != "", loader
	c.begun++
}

// ends notes that it has come, or will not. The lock is held.
func (c *Course) ends() {
	c.going = false
	if c.came != nil {
		close(c.came)
		c.came = nil
	}
}

// Arrived waits until the page goes nowhere any more, and reports whether it does in
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

// Driven has the driver act, unless nobody waits for it any more, and learns from
// that where the page is.
func (c *Course) Driven(ctx context.Context, s *cdp.Session, byDriver func() error) error {
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

// settled notes that the driver has acted: it waited for what had begun by then,
// unless there were others since.
func (c *Course) settled(begun int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun == begun {
		c.known = true
		c.ends()
	}
}
