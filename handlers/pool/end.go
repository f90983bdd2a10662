package pool

import (
	"context"
	"fmt"
	"time"

	"pwpipe/handlers/browser"

	"pwpipe/internal/text/routedid"
	"pwpipe/provider"
)

// finish ends a session that is marked as closing, and forgets it. It has its
// place until its contexts are gone.
func (p *Pool) finish(ctx context.Context, s *pooled) error {
	err := p.end(ctx, s)
	p.sessions.forget(s.Options.ID)
	p.room.leave()
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
	p.browsers.leave(s.home)
	if p.opts.Browsers.Isolate {
		p.browsers.sweep(time.Time{})
	}
	if err := ctx.Err(); err != nil {
		p.opts.Log.Error("a session's contexts did not close in time", "session", routedid.Short(s.Options.ID))
		return provider.Errorf(provider.KindTimeout, "the session's contexts did not close within %s", browser.CloseTime)
	}
	return nil
}

// janitor closes sessions that nobody has used for the TTL.
func (p *Pool) janitor(running context.Context) {
	defer close(p.swept)
	if p.opts.TTL <= 0 {
		return
	}
	tick := time.NewTicker(max(10*time.Millisecond, min(p.opts.TTL/4, 10*time.Second)))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			since := time.Now().Add(-p.opts.TTL)
			p.sweep(since)
			p.browsers.sweep(since)
		case <-running.Done():
			return
		}
	}
}

// sweep closes the sessions not used since a time; never one in use.
func (p *Pool) sweep(since time.Time) {
	for _, s := range p.sessions.claimIdle(since, fmt.Sprintf("it was idle for %s", p.opts.TTL)) {
		p.opts.Log.Info("session closed", "session", routedid.Short(s.Options.ID), "reason", "idle", "ttl", p.opts.TTL)
		_ = p.finish(context.Background(), s)
	}
}

// Drain opens no sessions any more; those that are open go on.
func (p *Pool) Drain() { p.room.end(errStopping()) }

// Shutdown closes every session, at once, as far as ctx allows.
func (p *Pool) Shutdown(ctx context.Context) {
	p.stop()
	p.room.end(errStopping())
	own, waits := p.sessions.claimAll("the service stopped")
	for _, s := range own {
		go func() { _ = p.finish(ctx, s) }()
	}
	for _, w := range append(waits, p.swept) {
		select {
		case <-w:
		case <-ctx.Done():
			return
		}
	}
}
