package pool

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"pwpipe/handlers/browser"
)

// Browsers says in which browsers the sessions of a pool live.
type Browsers struct {
	// Most is how many there are at once; 0 and 1 are the pool's own only.
	Most int
	// Isolate has each session live in a browser of its own, that ends with it.
	Isolate bool
	// Others are where to attach to instead of starting another, as the pool's own is
	// attached: a configuration each. Then there are as many, and one.
	Others []browser.Config
}

// browsers are the browsers of a pool.
type browsers struct {
	Browsers
	log *slog.Logger
	own *browser.Browser // the pool's, which the others have their places with

	mu       sync.Mutex
	list     []*lived
	restarts int // of those that are gone
}

// lived is a browser and how many sessions live in it.
type lived struct {
	*browser.Browser
	sessions int
	left     time.Time // when it last had one
	as       int       // of Others, -1 for none
}

func newBrowsers(b *browser.Browser, o Browsers, log *slog.Logger) *browsers {
	own := &browsers{Browsers: o, own: b, log: log}
	if !o.Isolate {
		own.list = []*lived{{Browser: b, left: time.Now(), as: -1}}
	}
	if len(o.Others) > 0 {
		own.Most = len(o.Others) + 1
	}
	return own
}

// place is a browser for one more session: the one that has the fewest. Another is
// begun while all have some and there are to be more. nil: pwpipe is shutting down.
func (b *browsers) place() *lived {
	b.mu.Lock()
	defer b.mu.Unlock()
	var fewest *lived
	for _, l := range b.list {
		if !b.Isolate && (fewest == nil || l.sessions < fewest.sessions) {
			fewest = l
		}
	}
	if fewest == nil || fewest.sessions > 0 && len(b.list) < b.Most {
		cfg, as := b.next()
		another := b.own.Beside(cfg)
		if another == nil {
			return nil
		}
		fewest = &lived{Browser: another, as: as}
		b.list = append(b.list, fewest)
	}
	fewest.sessions++
	return fewest
}

// next is the configuration of another browser. The lock is held.
func (b *browsers) next() (cfg browser.Config, as int) {
	for i, cfg := range b.Others {
		if !slices.ContainsFunc(b.list, func(l *lived) bool { return l.as == i }) {
			return cfg, i
		}
	}
	return b.own.Config, -1
}

// leave notes that a session is gone from its browser.
func (b *browsers) leave(l *lived) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l.sessions--
	l.left = time.Now()
}

// idle takes those out that nobody has lived in since a time; those of isolated
// sessions at once. The pool's own stays.
func (b *browsers) idle(since time.Time) (idle []*lived) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var kept []*lived
	for _, l := range b.list {
		if l.Browser == b.own || l.sessions > 0 || !b.Isolate && l.left.After(since) {
			kept = append(kept, l)
			continue
		}
		idle = append(idle, l)
		b.restarts += max(0, l.Starts()-1)
	}
	b.list = kept
	return idle
}

// sweep ends the browsers that nobody has lived in since a time.
func (b *browsers) sweep(since time.Time) {
	for _, l := range b.idle(since) {
		ctx, cancel := context.WithTimeout(context.Background(), browser.CloseTime)
		l.Close(ctx)
		cancel()
		b.log.Info("browser closed", "reason", "no sessions")
	}
}

// Browsers counts the browsers that run, and those that were begun and do not: a
// session starts them again.
func (p *Pool) Browsers() (up, down int) {
	b := p.browsers
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.list {
		if l.Up() {
			up++
			continue
		}
		down++
	}
	return up, down
}

// Restarts counts the starts of browsers in the place of one that crashed, hung or
// was killed.
func (p *Pool) Restarts() int {
	b := p.browsers
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.restarts
	for _, l := range b.list {
		n += max(0, l.Starts()-1)
	}
	return n
}

// Contexts counts the contexts that the browsers have, by their own events.
func (p *Pool) Contexts() int {
	if up, _ := p.Browsers(); up == 0 {
		return 0
	}
	return p.Browser.Places().Count()
}
