package handlers

import (
	"context"
	"log/slog"
	"sync"

	"pwpipe/handlers/act"
	"pwpipe/handlers/agent"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/check"
	"pwpipe/handlers/clipboard"
	"pwpipe/handlers/emulate"
	"pwpipe/handlers/endpoint"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/fetch"
	"pwpipe/handlers/grids"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/har"
	"pwpipe/handlers/inspect"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/login"
	"pwpipe/handlers/namedbrowser"
	"pwpipe/handlers/navigate"
	"pwpipe/handlers/network"
	"pwpipe/handlers/owntabs"
	"pwpipe/handlers/pages"
	"pwpipe/handlers/playwrightmcp"
	"pwpipe/handlers/pool"
	"pwpipe/handlers/reach"
	"pwpipe/handlers/read"
	"pwpipe/handlers/record"
	"pwpipe/handlers/recorder"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/rpc"
	"pwpipe/handlers/scripts"
	"pwpipe/handlers/sockets"
	"pwpipe/handlers/state"
	"pwpipe/handlers/tool"
	"pwpipe/handlers/watch"
	"pwpipe/handlers/webmcp"
	"pwpipe/handlers/workarounds"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/provider"
)

// Tools declares every tool, in the order in which lists show them. It needs
// no browser: a table for documents and completions is made the same way.
func Tools() []*provider.Tool {
	setHooks()
	var all []*provider.Tool
	for _, topic := range [][]*provider.Tool{
		navigate.Tools(), act.Tools(), read.Tools(), check.WaitTools(), record.Tools(), read.EvalTools(), pages.Tools(), network.Tools(),
		rpc.Tools(), rpc.PageTools(), rpc.SignalTools(), rpc.FindTools(), endpoint.Tools(),
		clipboard.Tools(), reach.Tools(), clipboard.PasteTools(), reach.WaitTools(),
		act.ElementTools(), act.KeyboardTools(), act.MouseTools(), act.UploadTools(), act.DownloadTools(), act.DialogTools(), act.FrameTools(), navigate.HistoryTools(), pages.TabTools(),
		read.ContentTools(), read.LocatorTools(), read.StateOfTools(), read.MarkdownTools(),
		fetch.Tools(), read.DocumentTools(),
		tool.BatchTools(), namedbrowser.Tools(), check.Tools(), record.RecordTools(),
		state.Tools(), login.Tools(),
		emulate.Tools(), emulate.ClockTools(), emulate.ContextTools(),
		network.NetTools(), har.Tools(), sockets.Tools(),
		agent.Tools(),
		inspect.Tools(), webmcp.Tools(), watch.Tools(), playwrightmcp.Tools(),
	} {
		all = append(all, topic...)
	}
	provider.Link(all)
	return all
}

// setHooks gives the road its steps that are done above it: road.go says when.
var setHooks = sync.OnceFunc(func() {
	tool.SetHooks(tool.Hooks{Witness: agent.Witness, Meanwhile: agent.Meanwhile, Gate: watch.Gate,
		Logging: record.Logging, Log: record.LogCall})
})

// features are what sees every browser, context and page, in the order in which
// it does.
var features = []browser.Hooks{refs.Hooks, fastpath.Hooks, events.Hooks, loadstate.Hooks, read.Hooks, sockets.Hooks, clipboard.Hooks, record.Hooks, har.Hooks, guard.Hooks,
	state.KeptHooks, login.Hooks, agent.Hooks, recorder.Hooks, scripts.Hooks, endpoint.Hooks, emulate.Hooks, playwrightmcp.Hooks, act.Hooks,
	workarounds.Hooks}

// NewBrowser makes a browser that has not started.
func NewBrowser(cfg browser.Config) *browser.Browser {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Source == nil {
		cfg.Source, _ = owntabs.Named(cfg.CDP, cfg.Log)
	}
	cfg.Left = grids.EndLeft
	return browser.New(cfg, features...)
}

// NewPool makes a pool over a browser and starts its janitor.
func NewPool(b *browser.Browser, o pool.Options) *pool.Pool {
	own := o.Prepare
	o.Prepare = func(s *Session) error {
		if err := rpc.PlainSession(s); err != nil || own == nil {
			return err
		}
		return own(s)
	}
	return pool.New(b, o)
}

// Begins is what a session begins with, and where it is kept.
type Begins struct {
	Store *storagestate.Store
	State string // a name in the store, "" for none
	Path  string // the file that keeps the session, "" for none
	Key   *storagestate.Key
}

// OpenKept opens a session with a context of its own that begins with a state, or keeps its
// own, or both.
func OpenKept(ctx context.Context, p *pool.Pool, with Begins) (id string, err error) {
	return p.CreateWith(ctx, browser.SessionOptions{Tabs: browser.TabsNever}, func(s *browser.Session) error {
		if err := rpc.PlainSession(s); err != nil {
			return err
		}
		if with.State != "" {
			if err := state.Begin(s, with.Store, with.State); err != nil {
				return err
			}
		}
		if with.Path == "" {
			return nil
		}
		return state.Keep(s, with.Path, with.Key)
	})
}

// SaveKept saves the state of the session that ctx is bound to, if it keeps one.
func SaveKept(ctx context.Context) error { return state.SaveKept(ctx, browser.SessionOf(ctx)) }

// RecordPerson writes what a person does in a session as requests: [recorder.Start].
func RecordPerson(ctx context.Context, s *browser.Session, emit func(Line)) (stop func(), err error) {
	return recorder.Start(ctx, s, true, emit)
}
