package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/cdp"
)

// errNoDevTools: the browser is no Chromium, or the session is not open yet.
var errNoDevTools = errors.New("the page has no DevTools session")

// devtools is a page's DevTools session, by the driver, and those that are opened beside it.
type devtools struct {
	open   func() (playwright.CDPSession, error) // browserContext.newCDPSession
	opened func()                                // runs once, when the page's session is there

	opening  sync.Mutex // held while the page's session is opened
	session  atomic.Pointer[playwright.CDPSession]
	attaches Callbacks[playwright.CDPSession]
	all      Callbacks[playwright.CDPSession]
}

// Attached waits until there is a session, and opens it if need be: once, as
// what is set through a session ends with it.
func (d *devtools) Attached() error {
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.HasDevTools() {
		return nil
	}
	s, err := d.OpenDevTools()
	if err != nil {
		return err
	}
	d.session.Store(&s)
	d.opened()
	d.attaches.Call(s)
	return nil
}

// HasDevTools reports whether the page's DevTools session is there.
func (d *devtools) HasDevTools() bool { return d.session.Load() != nil }

// OnAttach has fn called when the page's DevTools session is there, before
// anybody else uses it. It is for a Page hook, and may block.
func (d *devtools) OnAttach(fn func(playwright.CDPSession)) { d.attaches.Add(fn) }

// OnSession has fn called with each DevTools session that is opened for the
// page, before it is used. It may block.
func (d *devtools) OnSession(fn func(playwright.CDPSession)) { d.all.Add(fn) }

// DevToolsSession is the page's DevTools session: the one that was opened with
// the page, or a new one.
func (d *devtools) DevToolsSession() (playwright.CDPSession, error) {
	if s := d.session.Load(); s != nil {
		return *s, nil
	}
	return d.OpenDevTools()
}

// OpenDevTools opens a DevTools session of its own.
func (d *devtools) OpenDevTools() (playwright.CDPSession, error) {
	s, err := d.open()
	if err == nil {
		d.all.Call(s)
	}
	return s, err
}

// DevTools sends a command to the page's DevTools session.
func (d *devtools) DevTools(method string, params map[string]any) (map[string]any, error) {
	s := d.session.Load()
	if s == nil {
		return nil, errNoDevTools
	}
	reply, err := (*s).Send(method, params)
	result, _ := reply.(map[string]any)
	return result, err
}

// DevToolsBy is [devtools.DevTools] on a session of ours, without the driver; nil is the driver's.
func (d *devtools) DevToolsBy(s *cdp.Session, method string, params map[string]any) (result map[string]any, err error) {
	if s == nil {
		return d.DevTools(method, params)
	}
	err = s.Call(context.Background(), method, params, &result) // it ends with the session, also where the page hangs
	return result, err
}

// Isolated evaluates an expression in the main frame, in an isolated world of that name: the
// page can't see it, nor have replaced built-ins there.
func (d *devtools) Isolated(world, expression string) (any, error) {
	tree, err := d.DevTools("Page.getFrameTree", nil)
	if err != nil {
		return nil, err
	}
	top, _ := tree["frameTree"].(map[string]any)
	frame, _ := top["frame"].(map[string]any)
	return d.IsolatedIn(nil, frame["id"], world, expression)
}

// IsolatedIn is [devtools.Isolated] in a frame, by its DevTools id, on a session of ours, if there is one.
func (d *devtools) IsolatedIn(s *cdp.Session, frame any, world, expression string) (any, error) {
	made, err := d.DevToolsBy(s, "Page.createIsolatedWorld", map[string]any{"frameId": frame, "worldName": world})
	if err != nil {
		return nil, err
	}
	reply, err := d.DevToolsBy(s, "Runtime.evaluate", map[string]any{"expression": expression,
		"contextId": made["executionContextId"], "returnByValue": true})
	if err != nil {
		return nil, err
	}
	return RemoteValue(reply)
}

// RemoteValue reads the value off a reply of Runtime.evaluate or
// Runtime.callFunctionOn. Its error is what the script threw, as the console would show it: a
// stack, or a value.
func RemoteValue(reply map[string]any) (any, error) {
	if details, ok := reply["exceptionDetails"].(map[string]any); ok {
		exception, _ := details["exception"].(map[string]any)
		text, ok := exception["description"].(string)
		if !ok {
			text = fmt.Sprint(exception["value"])
		}
		return nil, errors.New(text)
	}
	result, _ := reply["result"].(map[string]any)
	return result["value"], nil
}

// NotRun tells the errors of DevTools which mean that the script did not run:
// what it was to run in is gone.
func NotRun(err error) bool {
	return errors.Is(err, errNoDevTools) || pwerrors.IsGone(err)
}
