// Package handlers holds the tools of pwpipe: what each does with Playwright.
//
// [Browser] is the driver and the browser process, started when first needed
// and replaced after a crash. A [Session] is one client's contexts and pages
// behind handles. A tool is one provider.Define in the file of its topic.
package handlers

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/driver"
	"pwpipe/internal/guardproxy"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// Config says which browser to drive and how.
type Config struct {
	Browser     string       // what setup.Options.Browser takes
	Headed      bool         // show a window
	CDP         string       // attach to a Chromium at this address
	WS          string       // attach to a Playwright server at this address
	UserDataDir string       // profile folder; its one context is the first
	BaseURL     string       // what relative URLs are resolved against
	Lang        string       // language of what playwright_browser writes: en (also ""), zh
	Sandbox     string       // what setup.Options.Sandbox takes
	Log         *slog.Logger // nil for none

	MaxContexts    int    // browser contexts at once, 0 for any number
	MaxPages       int    // pages of a session at once, 0 for any number
	TraceOnFailure string // folder for traces of sessions whose calls failed, "" for none
	// Policy decides where the browser may go; nil refuses local files and the
	// browser's own pages only.
	Policy *policy.Policy
	// Mask hides secrets in what is cut, recorded or written of pages; nil for
	// none. Unresolve does so in requests, where a name in braces stands for a
	// value.
	Mask, Unresolve func(string) string

	proxy   string // the filtering proxy that enforces Policy, "" for none
	sandbox bool   // Chromium's own is on
}

// launchTimeout bounds the start of a browser, without the time that setup
// takes to fetch one.
const launchTimeout = 60 * time.Second

// Browser is a browser that is started when first needed and replaced when it
// is gone.
type Browser struct {
	cfg Config
	log *slog.Logger

	mu       sync.Mutex
	engine   *engine
	starting chan struct{} // closed when the start under way has ended
	startErr error
	closed   bool
	starts   int
	places   *places
	proxy    *guardproxy.Proxy // nil until a browser needs it
	clips    clipboards
	children map[*Browser]bool // launched by the tool playwright_browser
	parent   *Browser          // of a child
}

// engine is one run of driver and browser.
type engine struct {
	driver  *driver.Driver
	browser playwright.Browser
	first   playwright.BrowserContext // of a persistent profile, else nil
	kind    playwright.BrowserType
	targets *targets // nil where the browser does not tell

	chromium bool                        // it has DevTools
	found    []playwright.BrowserContext // in a browser that was attached to
	attached string                      // its address, if it is not ours
	lent     lent                        // who has its open tabs

	recordingMu sync.Mutex
	recording   []func()          // ends what records, before the browser is closed
	hars        map[string]string // where each HAR in the run's folder goes to

	once   sync.Once
	gone   chan struct{} // closed when driver or browser is gone
	reason string        // set before gone is closed
	lostAt time.Time     // likewise
}

// NewBrowser makes a browser that has not started.
func NewBrowser(cfg Config) *Browser {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Browser{cfg: cfg, log: cfg.Log, places: &places{}}
}

// ensure returns a running engine and starts one if there is none. When ctx
// ends first, the start goes on for the next caller.
func (b *Browser) ensure(ctx context.Context) (*engine, error) {
	for {
		b.mu.Lock()
		if b.closed {
			b.mu.Unlock()
			return nil, provider.Errorf(provider.KindUnavailable, "pwpipe is shutting down")
		}
		if e := b.engine; e != nil && e.alive() {
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
			return nil, ctx.Err()
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
		b.starts++
	}
	b.starting = nil
	close(done)
}

// alive reports whether the engine can take calls.
func (e *engine) alive() bool {
	select {
	case <-e.gone:
		return false
	case <-e.driver.Gone():
		e.lost("the Playwright driver died")
		return false
	default:
		return true
	}
}

// lost marks the engine as gone, once, with what happened to it.
func (e *engine) lost(reason string) {
	e.once.Do(func() {
		e.reason, e.lostAt = reason, time.Now()
		close(e.gone)
		go e.driver.Kill()
	})
}

// stop closes the browser and the driver, by force when ctx ends.
func (e *engine) stop(ctx context.Context) {
	e.once.Do(func() {
		e.reason = "the browser was shut down"
		saved := make(chan struct{})
		go func() { e.closeRecording(); close(saved) }()
		select {
		case <-saved:
		case <-ctx.Done():
		}
		close(e.gone)
		_ = e.driver.Stop(ctx)
	})
}

// farewell says what a lost connection means.
func (e *engine) farewell() string {
	if e.attached != "" {
		return "the browser at " + e.attached + " went away"
	}
	return "the browser died or was closed"
}

func (e *engine) version() string {
	if e.browser == nil {
		return ""
	}
	return e.browser.Version()
}

// Close shuts the browser down, by force when ctx ends. It can't be used
// afterwards.
func (b *Browser) Close(ctx context.Context) {
	b.mu.Lock()
	b.closed = true
	e, starting := b.engine, b.starting
	children := b.children
	b.children = nil
	b.mu.Unlock()
	var wait sync.WaitGroup
	for c := range children {
		wait.Go(func() { c.Close(ctx) })
	}
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
	if b.proxy != nil {
		b.proxy.Close()
	}
}

// Starts counts how often a browser was started.
func (b *Browser) Starts() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.starts
}

// logWriter turns what the driver says into log lines.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		w.log.Debug("driver", "says", strings.TrimSpace(line))
	}
	return len(p), nil
}
