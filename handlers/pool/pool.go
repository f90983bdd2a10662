// Package pool opens, finds, limits and ends the sessions of clients that name
// one with each request.
package pool

import (
	"context"
	"log/slog"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/internal/policy"
	"pwpipe/internal/text/routedid"
	"pwpipe/provider"
)

// Options bound the sessions of a pool.
type Options struct {
	Name string        // of the service, which the ids of its sessions hold; "" for none
	Max  int           // sessions open at once, 0 for any number
	TTL  time.Duration // idle time after which a session is closed, 0 for never
	// Wait is how long who opens a session waits where there is no room for it.
	Wait time.Duration
	// Tabs is for sessions that are opened without options, as those of MCP are.
	Tabs browser.Tabs
	// Prepare sees those sessions before their first context is opened; nil for
	// nothing.
	Prepare  func(*browser.Session) error
	Browsers Browsers
	// Allow is the policy of sessions whose team may reach these hosts only.
	Allow func(hosts []string) (*policy.Policy, error)
	Log   *slog.Logger
}

// Pool holds the sessions of clients that name one with each request, each
// with browser contexts of its own, over one browser or several. It is the service's
// provider.Sessions.
type Pool struct {
	Browser *browser.Browser
	opts    Options

	sessions sessions
	room     room
	browsers *browsers
	swept    chan struct{} // closed when the janitor has ended
	stop     context.CancelFunc
}

// wasClosed is the fate of a session that its client closed.
const wasClosed = "it was closed"

// New makes a pool over a browser and starts its janitor.
func New(b *browser.Browser, o Options) *Pool {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if b.Config.Source.Lends() && len(o.Browsers.Others) == 0 {
		o.Browsers.Isolate = true // each has a connection, in which there are only its own tabs
	}
	running, stop := context.WithCancel(context.Background())
	p := &Pool{Browser: b, opts: o, browsers: newBrowsers(b, o.Browsers, o.Log), swept: make(chan struct{}), stop: stop}
	p.sessions = sessions{byID: map[string]*pooled{}, fate: map[string]string{}, opens: map[string]int{}}
	p.room = room{most: o.Max, patience: o.Wait, ttl: o.TTL,
		contexts: func() (open, most int) { return b.Places().Count(), b.Config.MaxContexts },
		soonest:  func() time.Duration { return p.sessions.soonest(o.TTL) }}
	b.Places().OnLeave(p.room.admit)
	go p.janitor(running)
	return p
}

type poolKey struct{}

// WithPool lets the tools called under ctx open and close sessions.
func WithPool(ctx context.Context, p *Pool) context.Context {
	return context.WithValue(ctx, poolKey{}, p)
}

// PoolOf is the pool that a call belongs to.
func PoolOf(ctx context.Context) (*Pool, error) {
	p, ok := ctx.Value(poolKey{}).(*Pool)
	if !ok {
		return nil, provider.Errorf(provider.KindFailed, "there are no sessions here")
	}
	return p, nil
}

// Open counts the open sessions: provider.Sessions.
func (p *Pool) Open() int { return p.sessions.count() }

// Create opens a session with one context and one page: provider.Sessions.
func (p *Pool) Create(ctx context.Context) (string, error) {
	return p.CreateWith(ctx, browser.SessionOptions{Tabs: p.opts.Tabs}, p.opts.Prepare)
}

// CreateWith opens a session that prepare has seen before its first context is
// opened.
func (p *Pool) CreateWith(ctx context.Context, o browser.SessionOptions, prepare func(*browser.Session) error) (string, error) {
	team := provider.TeamFrom(ctx)
	pol, err := p.PolicyOf(ctx)
	if err == nil && !p.sessions.enter(team) {
		err = provider.Errorf(provider.KindLimit,
			"%s has %d sessions, and may have no more", team.Name, team.MaxSessions).
			WithHint("session.close closes one")
	}
	if err != nil {
		return "", err
	}
	defer p.sessions.entered(team)
	if err := p.room.take(ctx); err != nil {
		return "", err
	}
	id, own := routedid.New("s", p.opts.Name), &pooled{team: team.Name}
	o.Policy, o.Team = pol, team.Name
	o.ID, o.Shared, o.Owner = id, true, provider.CallerFrom(ctx)
	o.Keep = func() func() { return p.sessions.hold(own) }
	again, err := p.begin(ctx, own, o, prepare)
	if again {
		_ = p.end(context.WithoutCancel(ctx), own)
		_, err = p.begin(ctx, own, o, prepare)
	}
	if err == nil && !p.sessions.add(id, own) {
		err = errStopping()
	}
	if err != nil {
		_ = p.end(context.WithoutCancel(ctx), own)
		id = ""
	}
	p.room.settled(err == nil)
	return id, err
}

// PolicyOf is the policy of the sessions that are opened under ctx, nil for the browser's.
func (p *Pool) PolicyOf(ctx context.Context) (*policy.Policy, error) {
	hosts := provider.TeamFrom(ctx).Hosts
	if hosts == nil {
		return nil, nil
	}
	if p.opts.Allow == nil {
		return nil, provider.Errorf(provider.KindBlocked, "the hosts of a team can't be enforced here")
	}
	return p.opts.Allow(hosts)
}

// TeamOf is the team of the open session of an id, "" for none.
func (p *Pool) TeamOf(id string) string {
	if s := p.Find(id); s != nil {
		return s.Options.Team
	}
	return ""
}

// openSoon is how long the first page of a session may take in a browser that runs
// before the browser is asked whether it answers at all.
const openSoon = 2 * time.Second

// begin gives a session its browser and its first page. again: the browser was lost
// over it, and another may do.
func (p *Pool) begin(ctx context.Context, s *pooled, o browser.SessionOptions, prepare func(*browser.Session) error) (again bool, err error) {
	if s.home = p.browsers.place(); s.home == nil {
		return false, errStopping()
	}
	s.Session = s.home.NewSession(o)
	if prepare != nil {
		if err := prepare(s.Session); err != nil {
			return false, err
		}
	}
	ran := s.home.Up()
	if ran {
		asked := time.AfterFunc(openSoon, func() { _ = s.home.Check(ctx) }) // ends one that does not
		defer asked.Stop()
	}
	_, err = s.Page(ctx, "")
	return ran && err != nil && provider.AsError(err).Kind == provider.KindUnavailable, err
}

func errStopping() error {
	return provider.Errorf(provider.KindUnavailable, "the service is stopping")
}

// Bind binds ctx to a session and keeps the janitor away from it until
// release: provider.Sessions.
func (p *Pool) Bind(ctx context.Context, id string) (context.Context, func(*provider.Error), error) {
	s, fate := p.sessions.use(provider.TeamFrom(ctx).Name, id)
	if s == nil {
		return ctx, nil, p.missing(id, fate)
	}
	release := func(err *provider.Error) {
		s.Answered(err)
		p.sessions.leave(s)
	}
	return browser.WithSession(ctx, s.Session), release, nil
}

// Gone reports whether a session was there and is closed. One that is being
// closed is waited for.
func (p *Pool) Gone(ctx context.Context, id string) bool {
	return p.sessions.gone(ctx, provider.TeamFrom(ctx).Name, id)
}

// Living are the open sessions, the oldest first.
func (p *Pool) Living() []Lives { return p.sessions.living() }

// Find is the open session of an id, nil for none.
func (p *Pool) Find(id string) *browser.Session {
	return p.sessions.find(id)
}

// missing says why a session can't be used.
func (p *Pool) missing(id, fate string) error {
	e := provider.Errorf(provider.KindNoTarget, "no session %s", p.Browser.Short(id, 60))
	if fate != "" {
		e = provider.Errorf(provider.KindNoTarget, "session %s is gone: %s", id, fate)
	} else if of := routedid.Of(id); p.opts.Name != "" && of != "" && of != p.opts.Name {
		return provider.Errorf(provider.KindNoTarget, "session %s does not belong to this service, %s, but to %s", routedid.Short(id), p.opts.Name, of).
			WithHint("if %s is gone, session.create opens another session; otherwise the balancer can't see the session id: send it in the header x-session-id", of)
	}
	return e.WithHint("session.create opens one")
}

// Close closes a session; it ends the calls that still run in it:
// provider.Sessions.
func (p *Pool) Close(ctx context.Context, id string) error {
	return p.CloseWith(ctx, id, func(*browser.Session) {})
}

// CloseWith is Close, with a last look at the session while it is whole.
func (p *Pool) CloseWith(ctx context.Context, id string, look func(*browser.Session)) error {
	s, fate := p.sessions.claim(provider.TeamFrom(ctx).Name, id, wasClosed)
	if s == nil {
		return p.missing(id, fate)
	}
	look(s.Session)
	return p.finish(ctx, s)
}
