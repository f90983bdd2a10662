package devtools

import (
	"context"
	"errors"
	"fmt"
)

// Debugger stops the page's scripts and looks into them: CDP's Debugger. Its parts have
// their own locks; none is held while another part, or the page, is called.
type Debugger struct {
	page    *Page
	scripts scripts
	pauses  pauses
	maps    *sourceMaps
}

type callFrame struct {
	CallFrameID  string
	FunctionName string
	Location     scriptLocation
	URL          string
	This         remoteObject
	ScopeChain   []struct {
		Type   string
		Name   string
		Object remoteObject
	}
	ReturnValue *remoteObject
}

type scriptLocation struct {
	ScriptID                 string
	LineNumber, ColumnNumber int
}

// ErrRunning: the page is not paused.
var ErrRunning = errors.New("the page is not paused")

// Debugger is the page's debugger: Debugger.enable, the first time. It knows everything
// that happened before.
func (p *Page) Debugger(ctx context.Context) (*Debugger, error) {
	if err := p.enableRuntime(ctx); err != nil {
		return nil, err
	}
	p.opening.Lock()
	defer p.opening.Unlock()
	if p.debugger != nil {
		p.Settle(ctx)
		return p.debugger, nil
	}
	d := &Debugger{page: p, maps: p.sourceMaps(), pauses: pauses{changed: make(chan struct{})},
		scripts: scripts{list: map[string]*Script{}, sources: map[string]string{}, early: map[string][]scriptLocation{}}}
	d.listen()
	if err := p.call(ctx, "Debugger.enable", nil, nil); err != nil {
		return nil, err
	}
	p.debugger = d
	return d, d.Blackbox(ctx, nil)
}

func (d *Debugger) listen() {
	s := d.page.session
	s.On("Debugger.scriptParsed", func(e map[string]any) {
		d.page.heard.Add(1)
		d.scripts.add(e)
	})
	d.page.on("Debugger.breakpointResolved", &d.scripts.mu, d.scripts.resolve)
	s.On("Debugger.paused", func(e map[string]any) {
		p := &pause{}
		if decode(e, p) == nil && len(p.CallFrames) > 0 {
			d.set(p)
		}
	})
	s.On("Debugger.resumed", func(map[string]any) { d.set(nil) })
	s.On("Runtime.executionContextDestroyed", func(e map[string]any) { d.scripts.drop(num(e, "executionContextId")) })
	s.On("Runtime.executionContextsCleared", func(map[string]any) {
		d.scripts.drop(0)
		go d.maps.forget() // it may be loading, and events must not wait
		d.set(nil)         // a document that is gone is not paused
	})
}

// set notes that the page paused, or goes on with nil, and reports it.
func (d *Debugger) set(p *pause) {
	switch {
	case !d.pauses.set(p):
	case p == nil:
		d.page.onPause(nil)
	default:
		d.page.onPause(d.where(p))
	}
}

// Paused reports whether the page is paused.
func (d *Debugger) Paused() bool { p, _, _ := d.pauses.state(); return p != nil }

// WaitPaused waits until the page is paused, or ctx ends.
func (d *Debugger) WaitPaused(ctx context.Context) error { return d.pauses.wait(ctx) }

// PauseOnExceptions makes the page pause where an exception is thrown: none, uncaught
// or all.
func (d *Debugger) PauseOnExceptions(ctx context.Context, state string) error {
	switch state {
	case "none", "uncaught", "all":
		return d.page.call(ctx, "Debugger.setPauseOnExceptions", map[string]any{"state": state}, nil)
	}
	return fmt.Errorf("state: expected none, uncaught or all, got %q", state)
}

// Blackbox makes steps and exceptions skip scripts whose URL matches one of the
// patterns (JavaScript regular expressions). It replaces earlier patterns. Scripts
// without a URL, such as a driver's own, are always skipped.
func (d *Debugger) Blackbox(ctx context.Context, patterns []string) error {
	return d.page.call(ctx, "Debugger.setBlackboxPatterns",
		map[string]any{"patterns": append([]string{}, patterns...), "skipAnonymous": true}, nil)
}

// Close resumes the page and turns the debugger off: Debugger.disable.
func (p *Page) Close(ctx context.Context) error {
	err := p.call(ctx, "Debugger.disable", nil, nil)
	p.opening.Lock()
	d := p.debugger
	p.opening.Unlock()
	if d != nil {
		d.set(nil)
	}
	return err
}

// compile finds a syntax error in a script without running it, nil if there is none:
// Runtime.compileScript.
func (d *Debugger) compile(ctx context.Context, script string) (*exceptionDetails, error) {
	var reply struct{ ExceptionDetails *exceptionDetails }
	err := d.page.call(ctx, "Runtime.compileScript",
		map[string]any{"expression": script, "sourceURL": "", "persistScript": false}, &reply)
	return reply.ExceptionDetails, err
}
