// Package browser owns the driver and the browser, sessions, contexts and pages;
// `hooks.go` says what features are called for, `health.go` asks late pages
// whether they still answer. It knows no tool. A feature keeps its data with one
// of them in a [State], and sees all of them by [Hooks].
package browser

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/launch"
	"pwpipe/handlers/quota"
	"pwpipe/handlers/targetlist"
	"pwpipe/internal/policy"
	"pwpipe/internal/policy/guardproxy"
	"pwpipe/provider"
)

// Config says which browser to drive and how.
type Config struct {
	// Log may be nil. Proxy, Before and Up are set where the browser starts.
	launch.StartOptions
	// Upstream is the proxy that all requests go to, those of scripts too; nil for none. Its
	// login stays in this process.
	Upstream *guardproxy.Upstream
	// ClientCertificates are for origins that ask for one. They never leave this process and the driver.
	ClientCertificates []playwright.ClientCertificate

	Lang string // language of what playwright_browser writes: en (also ""), zh
	// InitScripts run in each document before its own.
	InitScripts []string

	OutlineTokens  int    // that an outline of a page aims at, 0 for the usual number
	ActOutline     string // what acts over MCP answer of the outline: diff, or none (also "")
	MaxImage       int    // longest side of pictures in answers, in pixels, 0 for any
	MaxContexts    int    // browser contexts at once, 0 for any number
	MaxPages       int    // pages of a session at once, 0 for any number
	Scripts        launch.Scripts
	TraceOnFailure string // folder for traces of sessions whose calls failed, "" for none
	// Policy decides where the browser may go; nil refuses local files and the
	// browser's own pages only.
	Policy *policy.Policy
	// Mask hides secrets in what is cut, recorded or written of pages; nil for none.
	// Unresolve does so in requests, where a name in braces stands for a value.
	Mask, Unresolve func(string) string
	settings        map[any]any // of features: [Setting]
}

// Browser is a browser that is started when first needed and replaced when it
// is gone.
type Browser struct {
	Config Config
	Log    *slog.Logger

	mu       sync.Mutex
	engine   *Engine
	starting chan struct{} // closed when the start under way has ended
	startErr error
	closed   bool

	starts  atomic.Int64
	places  *quota.Contexts
	proxy   atomic.Pointer[guardproxy.Proxy] // nil until a browser needs it
	hooks   []Hooks
	closing Callbacks[context.Context]
	actor   atomic.Pointer[playwright.BrowserContext] // the context that acted last
	keep
}

// Engine is one run of driver and browser, with what the sessions keep of it.
type Engine struct {
	*launch.Run
	Headed  bool             // it shows a window
	targets *targetlist.List // nil where the browser does not tell
	lent    lent             // who has its open tabs

	Releases Callbacks[*Engine] // before anything is closed: what records can't be while a page is paused
	Records  Callbacks[*Engine] // before the browser is closed: what records is written then
}

// New makes a browser that has not started, with features that see what
// comes and goes in it.
func New(cfg Config, hooks ...Hooks) *Browser {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Browser{Config: cfg, Log: cfg.Log, places: &quota.Contexts{}, hooks: hooks}
}

// Beside makes a browser that has its places among those of b, its features,
// and is closed with it. nil: b is being closed.
func (b *Browser) Beside(cfg Config) *Browser {
	own := New(cfg, b.hooks...)
	own.places = b.places
	remove := b.OnClose(own.Close)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	own.OnClose(func(context.Context) { remove() })
	return own
}

// OnClose has fn called while the browser is being closed, beside others.
func (b *Browser) OnClose(fn func(context.Context)) (remove func()) { return b.closing.Add(fn) }

// Acted notes that a tool acts in a context.
func (b *Browser) Acted(c playwright.BrowserContext) { b.actor.Store(&c) }

// LastActor is the context that a tool acted in last, nil if none did.
func (b *Browser) LastActor() playwright.BrowserContext {
	if c := b.actor.Load(); c != nil {
		return *c
	}
	return nil
}

// notStarted is why who has waited for a browser waits no more.
func notStarted(ctx context.Context) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	return &provider.Error{Kind: provider.KindTimeout, Msg: "the browser has not started yet", Hint: "it goes on starting, for the next request", Err: ctx.Err()}
}

// ensure returns a running engine and starts one if there is none. When ctx
// ends first, the start goes on for the next caller.
func (b *Browser) ensure(ctx context.Context) (*Engine, error) {
	for {
		b.mu.Lock()
		if b.closed {
			b.mu.Unlock()
			return nil, provider.Errorf(provider.KindUnavailable, "pwpipe is shutting down")
		}
		if e := b.engine; e != nil && e.Alive() {
			b.mu.Unlock()
			return e, nil
		}
		if b.starting == nil {
			b.starting = make(chan struct{})
			go b.start(b.starting)
		}
		starting := b.starting
		b.mu.Unlock()
		select {
		case <-starting:
		case <-ctx.Done():
			return nil, notStarted(ctx)
		}
		b.mu.Lock()
		err := b.startErr
		b.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
}

// start runs one start and tells who waits.
func (b *Browser) start(done chan struct{}) {
	e, err := b.launch()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.startErr = nil
	switch {
	case err != nil:
		b.startErr = provider.Errorf(provider.KindUnavailable, "%w", err)
	case b.closed:
		go e.stop(context.Background())
	default:
		b.engine = e
		b.starts.Add(1)
	}
	b.starting = nil
	close(done)
}

// noPolicy is in force where none was configured: local files and the
// browser's own pages are refused, nothing else.
var noPolicy, _ = policy.New(policy.Options{})

// Policy says where the browser may go.
func (b *Browser) Policy() *policy.Policy {
	if b.Config.Policy == nil {
		return noPolicy
	}
	return b.Config.Policy
}

// Filtered reports whether requests go through a proxy of ours.
func (c Config) Filtered() bool {
	return c.Policy != nil && c.Policy.Guards() || c.Upstream != nil || len(c.ClientCertificates) > 0
}

// Attached reports whether the browser is one that pwpipe did not start.
func (c Config) Attached() bool { return c.CDP != "" || c.WS != "" || c.Source != nil }

// Lends reports whether it may have had tabs before, which sessions can be lent: one
// that is begun for us had none.
func (c Config) Lends() bool { return c.CDP != "" || c.WS != "" }

// guardProxy starts the filtering proxy where the policy or another proxy needs one, once
// a Browser: its starts follow each other. "" is none.
func (b *Browser) guardProxy() (string, error) {
	switch {
	case !b.Config.Filtered():
		return "", nil
	case b.Config.Source != nil && b.Config.Source.Unguarded != "":
		b.Log.Warn(b.Config.Source.Unguarded)
		return "", nil
	case b.Config.Attached():
		b.Log.Warn("attached to a browser that pwpipe did not start: interception and checks enforce its policy, and no proxy does; see docs/guard.md")
		return "", nil
	case b.Filter() != nil:
		return b.Filter().URL(), nil
	}
	p, err := guardproxy.Start(guardproxy.Options{Policy: b.Policy(), Log: b.Log, Upstream: b.Config.Upstream})
	if err != nil {
		return "", err
	}
	b.proxy.Store(p)
	return p.URL(), nil
}

// Filter is the filtering proxy that the browser is behind, nil for none.
func (b *Browser) Filter() *guardproxy.Proxy { return b.proxy.Load() }

func (b *Browser) launch() (*Engine, error) {
	e := &Engine{Headed: b.Config.Headed}
	proxy, err := b.guardProxy()
	if err != nil {
		return nil, err
	}
	o := b.Config.StartOptions
	o.Proxy = proxy
	o.Before = func(pw *playwright.Playwright) (err error) {
		for _, h := range b.hooks {
			if h.Engine != nil && err == nil {
				err = h.Engine(pw)
			}
		}
		return err
	}
	o.Up = func(r *launch.Run) {
		e.Run = r
		for _, h := range b.hooks {
			if h.Started != nil {
				h.Started(b, e)
			}
		}
		e.watchTargets()
		r.OnFlood(e.flooded)
	}
	_, err = launch.Start(o)
	return e, err
}

// stop closes the browser and the driver, by force when ctx ends.
func (e *Engine) stop(ctx context.Context) {
	e.Run.Stop(ctx, func() { e.Releases.drain(e); e.Records.drain(e) })
}

// Close shuts the browser down, by force when ctx ends. It can't be used
// afterwards.
func (b *Browser) Close(ctx context.Context) {
	b.mu.Lock()
	b.closed = true
	e, starting := b.engine, b.starting
	b.mu.Unlock()
	var wait sync.WaitGroup
	wait.Go(func() { b.closing.together(ctx) })
	defer wait.Wait()
	if starting != nil {
		select {
		case <-starting:
		case <-ctx.Done():
			return // the driver dies with this process
		}
		b.mu.Lock()
		e = b.engine
		b.mu.Unlock()
	}
	if e != nil {
		e.stop(ctx)
	}
	if p := b.Filter(); p != nil {
		p.Close()
	}
}

// Starts counts how often a browser was started.
func (b *Browser) Starts() int { return int(b.starts.Load()) }

// Up reports whether the browser runs.
func (b *Browser) Up() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.engine != nil && b.engine.Alive()
}

// Places are those of its contexts, and of those of browsers beside it.
func (b *Browser) Places() *quota.Contexts { return b.places }
