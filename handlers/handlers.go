package handlers

import (
	"log/slog"
	"slices"

	"pwpipe/handlers/act"
	"pwpipe/handlers/agent"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/check"
	"pwpipe/handlers/emulate"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/fetch"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/navigate"
	"pwpipe/handlers/network"
	"pwpipe/handlers/pages"
	"pwpipe/handlers/pool"
	"pwpipe/handlers/reach"
	"pwpipe/handlers/read"
	"pwpipe/handlers/record"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/sockets"
	"pwpipe/handlers/state"
	"pwpipe/handlers/tool"
	"pwpipe/handlers/workarounds"
	"pwpipe/provider"
)

// Part is what a feature adds to the tools and to the browser.
type Part struct {
	Tools     map[Place]func() []*provider.Tool
	Hooks     map[Stage][]browser.Hooks
	Steps     tool.Steps
	Configure func(*Config)        // has the last word on a browser's configuration; nil: none
	Prepare   func(*Session) error // prepares a session of a pool before its owner does; nil: none
}

// Place is where a feature's tools stand in lists: after the tools of the core that it names.
type Place int

// The places, in the order of lists.
const (
	AfterCore    Place = iota // profile core
	AfterFind                 // click-at
	AfterBatch                // batch
	AfterTrace                // trace-stop
	AfterStorage              // load-state
	AfterState                // geolocation
	AfterNet                  // throttle
	AfterSockets              // ws-messages
	AfterSearch               // search
	Last
)

// coreTools are the tools of the core, up to each place.
func coreTools() map[Place][][]*provider.Tool {
	return map[Place][][]*provider.Tool{
		AfterCore: {navigate.Tools(), act.Tools(), read.Tools(), check.WaitTools(), record.Tools(), read.EvalTools(),
			pages.Tools(), network.Tools()},
		AfterFind: {reach.Tools()},
		AfterBatch: {reach.WaitTools(), act.ElementTools(), act.KeyboardTools(), act.MouseTools(), act.UploadTools(),
			act.DownloadTools(), act.DialogTools(), act.FrameTools(), navigate.HistoryTools(), pages.TabTools(),
			read.ContentTools(), read.LocatorTools(), read.StateOfTools(), read.MarkdownTools(),
			fetch.Tools(), read.DocumentTools(), tool.BatchTools()},
		AfterTrace:   {check.Tools(), record.TraceTools()},
		AfterStorage: {record.LogTools(), state.Tools()},
		AfterState:   {state.PermissionTools()},
		AfterNet:     {emulate.Tools(), emulate.ClockTools(), emulate.ContextTools(), network.NetTools()},
		AfterSockets: {sockets.Tools()},
		AfterSearch:  {agent.Tools()},
		Last:         {agent.ResetTools()},
	}
}

// Stage is when a feature's hooks are called: between the hooks of the core that its constant
// names. Within a stage the order is that of the features.
type Stage int

// The stages, in their order. It decides who sees a page first and who answers a dialog.
const (
	// BeforeRecord comes when a page has its refs, its events and its load states.
	BeforeRecord Stage = iota
	// BeforeGuard comes when traces have begun. The guard comes later than all that may
	// answer a request, because the route that is added last is asked first.
	BeforeGuard
	// BeforeEmulate comes when a context has its policy and its state. Who answers a dialog
	// in the place of a tool does it here.
	BeforeEmulate
	// BeforeAct comes when the context is emulated, and before a dialog is left to the tool
	// dialog, and so to whoever asks next.
	BeforeAct
)

// coreHooks are the hooks of the core, up to each stage. The last of them come after all.
func coreHooks(s Stage) []browser.Hooks {
	switch s {
	case BeforeRecord:
		return []browser.Hooks{refs.Hooks, fastpath.Hooks, events.Hooks, loadstate.Hooks, read.Hooks, sockets.Hooks}
	case BeforeGuard:
		return []browser.Hooks{record.Hooks}
	case BeforeEmulate:
		return []browser.Hooks{guard.Hooks, state.KeptHooks}
	case BeforeAct:
		return []browser.Hooks{emulate.Hooks}
	}
	return []browser.Hooks{act.Hooks, workarounds.Hooks}
}

// Tools declares the tools of the core and of features, in the order in which lists show them.
// It needs no browser: a table for documents and completions is made the same way. A second
// name of a tool that is not there is left out, and so is what calls such a tool.
func Tools(parts ...Part) []*provider.Tool {
	var all []*provider.Tool
	core := coreTools()
	for place := AfterCore; place <= Last; place++ {
		all = append(all, slices.Concat(core[place]...)...)
		for _, p := range parts {
			if tools := p.Tools[place]; tools != nil {
				all = append(all, tools()...)
			}
		}
	}
	named := map[string]bool{}
	for _, t := range all {
		named[t.Name] = true
	}
	lacks := func(name string) bool { return name != "" && !named[name] }
	all = slices.DeleteFunc(all, func(t *provider.Tool) bool { return lacks(t.Alias.Of) || lacks(t.Calls) })
	provider.Link(all)
	return all
}

// Hooks are the hooks of the core and of features, in their order.
func Hooks(parts ...Part) (all []browser.Hooks) {
	for stage := BeforeRecord; stage <= BeforeAct; stage++ {
		all = append(all, coreHooks(stage)...)
		for _, p := range parts {
			all = append(all, p.Hooks[stage]...)
		}
	}
	return append(all, coreHooks(BeforeAct+1)...)
}

// NewBrowser makes a browser that has not started.
func NewBrowser(cfg Config, parts ...Part) *Browser {
	return browser.New(Configured(cfg, parts...), Hooks(parts...)...)
}

// Configured is a browser's configuration with what the core's tools and features add to it.
func Configured(cfg Config, parts ...Part) Config {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	steps := tool.Steps{Witness: agent.Witness, Meanwhile: agent.Meanwhile, Logging: record.Logging, Log: record.LogCall}
	for _, p := range parts {
		steps = together(steps, p.Steps)
		if p.Configure != nil {
			p.Configure(&cfg)
		}
	}
	tool.Taken.Set(&cfg, steps)
	return cfg
}

// together has the steps of both. Where both take a step, the first one takes it.
func together(steps, more tool.Steps) tool.Steps {
	if steps.Gate == nil {
		steps.Gate = more.Gate
	}
	if steps.Witness == nil {
		steps.Witness, steps.Meanwhile = more.Witness, more.Meanwhile
	}
	if steps.Logging == nil {
		steps.Logging, steps.Log = more.Logging, more.Log
	}
	return steps
}

// NewPool makes a pool over a browser and starts its janitor.
func NewPool(b *Browser, o PoolOptions, parts ...Part) *Pool {
	own := o.Prepare
	o.Prepare = func(s *Session) error {
		if err := Prepare(s, parts...); err != nil || own == nil {
			return err
		}
		return own(s)
	}
	return pool.New(b, o)
}

// Prepare prepares a session of a pool as features do.
func Prepare(s *Session, parts ...Part) error {
	for _, p := range parts {
		if p.Prepare == nil {
			continue
		}
		if err := p.Prepare(s); err != nil {
			return err
		}
	}
	return nil
}
