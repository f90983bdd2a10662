package pool

import (
	"context"
	"fmt"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/handles"

	"pwpipe/internal/text/routedid"
	"pwpipe/provider"
)

// finish ends a session that is marked as closing, and forgets it. It has its
// place until its contexts are gone.
func (p *Pool) finish(ctx context.Context, s *pooled, fate string) error {
	err := p.end(ctx, s)
	defer p.admit()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, s.Options.ID)
	if len(p.fate) >= handles.MaxFates {
		clear(p.fate)
	}
	p.fate[s.Options.ID] = fate
	close(s.closing)
	return err
}

// end closes a session's contexts, and what there is of its browser that nobody
// lives in now.
func (p *Pool) end(ctx context.Context, s *pooled) error {
	if s.home == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), browser.CloseTime)
	defer cancel()
	s.Session.Close(ctx)
	p.mu.Lock()
	p.browsers.leave(s.home)
	p.mu.Unlock()
	if p.opts.Browsers.Isolate {
		p.sweepBrowsers()
	}
	if err := ctx.Err(); err != nil {
		p.opts.Log.Error("a session's contexts did not close in time", "session", routedid.Short(s.Options.ID))
		return provider.Errorf(provider.KindTimeout, "the session's contexts did not close within %s", browser.CloseTime)
	}
	return nil
}

// janitor closes sessions that nobody has used for the TTL.
func (p *Pool) janitor() {
	defer close(p.swept)
	if p.opts.TTL <= 0 {
		return
	}
	tick := time.NewTicker(max(10*time.Millisecond, min(p.opts.TTL/4, 10*time.Second)))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.sweep(time.Now().Add(-p.opts.TTL))
			p.sweepBrowsers()
		case <-p.stop:
			return
		}
	}
}

// sweep closes the sessions not used since a time; never one in use.
func (p *Pool) sweep(since time.Time) {
	p.mu.Lock()
	var idle []*pooled
	for _, s := range p.sessions {
		if s.users == 0 && s.closing == nil && s.used.Before(since) {
			s.closing = make(chan struct{})
			idle = append(idle, s)
		}
	}
	p.mu.Unlock()
	for _, s := range idle {
		p.opts.Log.Info("session closed", "session", routedid.Short(s.Options.ID), "reason", "idle", "ttl", p.opts.TTL)
		_ = p.finish(context.Background(), s, fmt.Sprintf("it was idle for %s", p.opts.TTL))
	}
}

// Shutdown closes every session, at once, as far as ctx allows.
func (p *Pool) Shutdown(ctx context.Context) {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.stop)
		p.refuse(errStopping())
	}
	var own []*pooled
	var waits []chan struct{}
	for _, s := range p.sessions {
		if s.closing == nil {
			s.closing = make(chan struct{})
			own = append(own, s)
		}
		waits = append(waits, s.closing)
	}
	p.mu.Unlock()
	for _, s := range own {
		go func() { _ = p.finish(ctx, s, "the service stopped") }()
	}
	for _, w := range append(waits, p.swept) {
		select {
		case <-w:
		case <-ctx.Done():
			return
		}
	}
}
