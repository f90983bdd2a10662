// Package devtools does what the panels of Chromium's DevTools do: debugger,
// live editor, styles, and where a React component was written.
//
// Everything of one page hangs on one [Page], over a [Session] of its own.
// Lines and columns count from 1, as editors do; the protocol counts from 0.
// What belongs to one topic is enabled when it is first asked for, as a page
// whose debugger is on runs slower.
package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pwpipe/internal/text/secrets"
)

// Session is a DevTools session of a page.
type Session interface {
	// Send sends a command, waits for its reply and returns it as decoded JSON.
	Send(method string, params map[string]any) (any, error)
	// On calls fn with each event of a name, in order. fn must not block, nor call
	// Send.
	On(event string, fn func(params map[string]any))
}

// Page is the state of a page's DevTools.
type Page struct {
	// MayLoad refuses addresses that must not be loaded; nil refuses none. A script's
	// source map is loaded past the page's own network.
	MayLoad func(address string) error
	// Mask hides secrets in texts that will be shortened; nil for none.
	Mask func(string) string

	session Session
	heard   atomic.Int64 // scripts that were reported

	mu       sync.Mutex
	runtime  bool           // Runtime is enabled
	contexts map[int]string // the unique ids of those in which the page's own scripts run, by their ids
	opening  sync.Mutex     // held while the runtime or the debugger is enabled
	styling  sync.Mutex     // held while the stylesheets are
	locating sync.Mutex     // held while ids of nodes are used
	debugger *Debugger
	sheets   *sheets

	overrides overrides
	onPause   func(*Where)
}

// Open prepares the tools of a page and enables nothing yet. onPause is called with the
// place where the page paused, and with nil when it resumes. It must not block, nor call
// into the session.
func Open(s Session, onPause func(*Where)) *Page {
	p := &Page{session: s, contexts: map[int]string{}, onPause: onPause}
	p.overrides.page = p
	return p
}

// call sends a command and decodes its reply into out, unless that is nil. It returns
// when ctx ends, though the command may still be running.
func (p *Page) call(ctx context.Context, method string, params map[string]any, out any) error {
	type outcome struct {
		reply any
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		reply, err := p.session.Send(method, params)
		done <- outcome{reply, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return protocolError(o.err)
		}
		return decode(o.reply, out)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// decode turns what was decoded from JSON into a struct.
func decode(reply, out any) error {
	if out == nil {
		return nil
	}
	raw, err := json.Marshal(reply)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// protocolError keeps only the browser's own message.
func protocolError(err error) error {
	if _, rest, ok := strings.Cut(err.Error(), "Protocol error ("); ok {
		if _, msg, ok := strings.Cut(rest, "): "); ok {
			return &ProtocolError{strings.TrimSpace(msg), err}
		}
	}
	return err
}

// ProtocolError: the browser refused a command.
type ProtocolError struct {
	Msg string
	err error
}

func (e *ProtocolError) Error() string { return e.Msg }

// Unwrap is the session's own error.
func (e *ProtocolError) Unwrap() error { return e.err }

// release sends a command that lets something go, and does not wait for it.
func (p *Page) release(method string, params map[string]any) {
	go func() { _, _ = p.session.Send(method, params) }()
}

// on calls fn with each event of a name, while it holds a lock.
func (p *Page) on(event string, lock *sync.Mutex, fn func(e map[string]any)) {
	p.session.On(event, func(e map[string]any) {
		lock.Lock()
		defer lock.Unlock()
		fn(e)
	})
}

// enableRuntime gets the execution contexts of the page's frames: Runtime.enable, the first time.
func (p *Page) enableRuntime(ctx context.Context) error {
	p.opening.Lock()
	defer p.opening.Unlock()
	if p.runtime {
		return nil
	}
	p.on("Runtime.executionContextCreated", &p.mu, func(e map[string]any) {
		c := sub(e, "context")
		if unique := str(c, "uniqueId"); unique != "" && yes(sub(c, "auxData"), "isDefault") {
			p.contexts[num(c, "id")] = unique
		}
	})
	p.on("Runtime.executionContextDestroyed", &p.mu, func(e map[string]any) {
		delete(p.contexts, num(e, "executionContextId"))
	})
	p.on("Runtime.executionContextsCleared", &p.mu, func(map[string]any) { clear(p.contexts) })
	if err := p.call(ctx, "Runtime.enable", nil, nil); err != nil {
		return err
	}
	p.runtime = true
	return nil
}

// worlds are the execution contexts of the page's own scripts.
func (p *Page) worlds() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Values(p.contexts))
}

// Find returns the object id of an element that a script stored in a property of its
// window, and removes the property: Runtime.evaluate in each frame.
func (p *Page) Find(ctx context.Context, property string) (string, error) {
	if err := p.enableRuntime(ctx); err != nil {
		return "", err
	}
	key, _ := json.Marshal(property)
	for _, world := range p.worlds() {
		var reply evaluation
		err := p.call(ctx, "Runtime.evaluate", map[string]any{"uniqueContextId": world, "objectGroup": "element",
			"expression": fmt.Sprintf("(() => { const e = globalThis[%s]; delete globalThis[%s]; return e })()", key, key)}, &reply)
		if err == nil && reply.Result.ObjectID != "" {
			return reply.Result.ObjectID, nil
		}
	}
	return "", errors.New("the element is gone; the page may have navigated")
}

// sub, str, yes and num read events, which come as decoded JSON.
func sub(m map[string]any, key string) map[string]any { v, _ := m[key].(map[string]any); return v }
func str(m map[string]any, key string) string         { v, _ := m[key].(string); return v }
func yes(m map[string]any, key string) bool           { v, _ := m[key].(bool); return v }
func num(m map[string]any, key string) int {
	switch v := m[key].(type) {
	case float64:
		return int(v)
	case int:
		return v
	}
	return 0
}

// hide masks the secrets in a text before it is shortened.
func (p *Page) hide(s string) string {
	if p.Mask == nil {
		return s
	}
	return p.Mask(s)
}

// cut shortens a text to n characters.
func (p *Page) cut(s string, n int) string { return secrets.Shorten(p.hide(s), n+1) }
