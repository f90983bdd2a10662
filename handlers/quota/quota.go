// Package quota limits how many browser contexts and pages are open.
package quota

import (
	"cmp"
	"math"
	"sync"

	"pwpipe/provider"
)

// Contexts counts the browser contexts that are open, or being opened, in a
// browser and in those launched beside it.
type Contexts struct {
	mu    sync.Mutex
	open  map[any]int // by the run of a browser
	freed []func()    // called when there may be one less
}

// OnLeave registers fn, which is called when there may be one less.
func (c *Contexts) OnLeave(fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.freed = append(c.freed, fn)
}

// Take counts one more context in a run of a browser, until gone is closed. limit
// is how many there may be, 0 for any number.
func (c *Contexts) Take(run any, gone <-chan struct{}, limit int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if limit != 0 && c.count() >= limit {
		return NoContext(limit)
	}
	if c.open == nil {
		c.open = map[any]int{}
	}
	if _, known := c.open[run]; !known {
		go func() { <-gone; c.free(func() { delete(c.open, run) }) }()
	}
	c.open[run]++
	return nil
}

// Count is how many there are.
func (c *Contexts) Count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count()
}

// MayTake is the error of one too many, nil if another is allowed.
func (c *Contexts) MayTake(limit int) error {
	if limit != 0 && c.Count() >= limit {
		return NoContext(limit)
	}
	return nil
}

// NoContext is the error of one too many.
func NoContext(limit int) *provider.Error {
	return provider.Errorf(provider.KindLimit, "over a limit: all %d browser contexts are in use", limit).
		WithHint("close one (close-ctx, session.close), or wait until an idle session is closed")
}

// Leave counts one less.
func (c *Contexts) Leave(run any) {
	c.free(func() {
		if c.open[run] > 0 {
			c.open[run]--
		}
	})
}

// free changes the count, then calls what waits for that.
func (c *Contexts) free(change func()) {
	c.mu.Lock()
	change()
	freed := c.freed
	c.mu.Unlock()
	for _, fn := range freed {
		fn()
	}
}

// count is Count with the lock held.
func (c *Contexts) count() (n int) {
	for _, k := range c.open {
		n += k
	}
	return n
}

// Pages counts the pages of a session, also in browsers that it launched. The key
// of a page differs from browser to browser.
type Pages struct {
	mu    sync.Mutex
	limit int
	open  map[any]bool
}

// NewPages allows n pages, 0 for any number.
func NewPages(n int) *Pages { return &Pages{limit: cmp.Or(n, math.MaxInt), open: map[any]bool{}} }

// Enter counts a page. It reports false if that would be one too many.
func (p *Pages) Enter(page any) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.remaining() == 0 && !p.open[page] {
		return false
	}
	p.open[page] = true
	return true
}

// Leave no longer counts a page.
func (p *Pages) Leave(page any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, page)
}

// Left is how many more there may be.
func (p *Pages) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.remaining()
}

// remaining is Left with the lock held.
func (p *Pages) remaining() int { return max(0, p.limit-len(p.open)) }

// Full reports whether another page would be one too many.
func (p *Pages) Full() bool { return p.Left() == 0 }

// OverLimit is the error of one page too many; before stands before its reason.
func (p *Pages) OverLimit(before string) *provider.Error {
	return provider.Errorf(provider.KindLimit,
		"over a limit: %sthe session has %d pages, as many as it may", before, p.limit).
		WithHint("close some with close-page (pages lists them); --max-pages allows more")
}
