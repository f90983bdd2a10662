package devtools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Debugger pauses the page's scripts and inspects them: CDP's Debugger.
type Debugger struct {
	page *Page

	mu      sync.Mutex
	scripts map[string]*Script
	sources map[string]string
	maps    *sourceMaps
	breaks  []*Breakpoint
	early   map[string][]scriptLocation // places of breakpoints that are still being set, by the browser's id
	last    int                         // number of the newest breakpoint
	pause   *pause                      // nil while the page runs
	changed chan struct{}               // closed and replaced when that changes

	armed    bool // it will pause at the next statement
	stepping bool // a step is running
}

// pause is a paused page.
type pause struct {
	Reason         string
	HitBreakpoints []string
	CallFrames     []callFrame
	Data           remoteObject

	asked, stepped bool // by Pause, by Step
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
	p.opening.Lock()
	defer p.opening.Unlock()
	if p.debugger != nil {
		p.Settle(ctx)
		return p.debugger, nil
	}
	d := &Debugger{page: p, scripts: map[string]*Script{}, sources: map[string]string{}, maps: p.sourceMaps(),
		early: map[string][]scriptLocation{}, changed: make(chan struct{})}
	d.listen()
	if err := p.enableRuntime(ctx); err != nil {
		return nil, err
	}
	if err := p.call(ctx, "Debugger.enable", nil, nil); err != nil {
		return nil, err
	}
	p.debugger = d
	return d, d.Blackbox(ctx, nil)
}

func (d *Debugger) listen() {
	s := d.page.session
	s.On("Debugger.scriptParsed", d.addScript)
	s.On("Debugger.breakpointResolved", func(e map[string]any) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.resolve(e)
	})
	s.On("Debugger.paused", func(e map[string]any) {
		p := &pause{}
		if decode(e, p) == nil && len(p.CallFrames) > 0 {
			d.set(p)
		}
	})
	s.On("Debugger.resumed", func(map[string]any) { d.set(nil) })
	s.On("Runtime.executionContextDestroyed", func(e map[string]any) { d.dropScripts(num(e, "executionContextId")) })
	s.On("Runtime.executionContextsCleared", func(map[string]any) {
		d.dropScripts(0)
		go d.maps.forget() // it may be loading, and events must not wait
		d.set(nil)         // a document that is gone is not paused
	})
}

// set records that the page paused or resumed, and wakes waiters.
func (d *Debugger) set(p *pause) {
	d.mu.Lock()
	if p == nil && d.pause == nil {
		d.mu.Unlock()
		return
	}
	if p != nil {
		p.asked, p.stepped = d.armed, d.stepping
	}
	d.pause, d.armed = p, false
	close(d.changed)
	d.changed = make(chan struct{})
	var w *Where
	if p != nil {
		w = d.where(p)
	}
	d.mu.Unlock()
	d.page.onPause(w)
}

// state is the pause, nil while the page runs, and a channel that is closed when that
// changes.
func (d *Debugger) state() (*pause, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pause, d.changed
}

// Paused reports whether the page is paused.
func (d *Debugger) Paused() bool { p, _ := d.state(); return p != nil }

// WaitPaused waits until the page is paused, or ctx ends.
func (d *Debugger) WaitPaused(ctx context.Context) error {
	for {
		p, changed := d.state()
		if p != nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

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
	if patterns == nil {
		patterns = []string{}
	}
	return d.page.call(ctx, "Debugger.setBlackboxPatterns", map[string]any{"patterns": patterns, "skipAnonymous": true}, nil)
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

// compiles finds a syntax error in an expression without running it:
// Runtime.compileScript.
func (d *Debugger) compiles(ctx context.Context, expression string) error {
	var reply struct{ ExceptionDetails *exceptionDetails }
	err := d.page.call(ctx, "Runtime.compileScript", map[string]any{"expression": "(" + expression + "\n)", "sourceURL": "", "persistScript": false}, &reply)
	if err == nil && reply.ExceptionDetails != nil {
		err = fmt.Errorf("%q does not compile: %s", strings.TrimSpace(expression), reply.ExceptionDetails.Error())
	}
	return err
}
