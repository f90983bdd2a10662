package browser

import (
	"errors"
	"fmt"

	"pwpipe/handlers/pwerrors"

	"github.com/playwright-community/playwright-go"
)

// errNoDevTools: the browser is no Chromium, or the session is not open yet.
var errNoDevTools = errors.New("the page has no DevTools session")

// attach opens the page's DevTools session, where the browser has DevTools.
func (p *Page) attach() { _ = p.Attached() }

// Attached waits until there is a session, and opens it if need be: once, as
// what is set through a session ends with it.
func (p *Page) Attached() error {
	p.attaching.Lock()
	defer p.attaching.Unlock()
	if p.HasDevTools() {
		return nil
	}
	s, err := p.OpenDevTools()
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.cdp = s
	p.mu.Unlock()
	p.identify()
	p.attaches.Call(s)
	return nil
}

// HasDevTools reports whether the page's DevTools session is there.
func (p *Page) HasDevTools() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cdp != nil
}

// DevToolsSession is the page's DevTools session: the one that was opened with
// the page, or a new one.
func (p *Page) DevToolsSession() (playwright.CDPSession, error) {
	p.mu.Lock()
	s := p.cdp
	p.mu.Unlock()
	if s != nil {
		return s, nil
	}
	return p.OpenDevTools()
}

// OpenDevTools is a DevTools session of its own: browserContext.newCDPSession.
func (p *Page) OpenDevTools() (playwright.CDPSession, error) {
	s, err := p.Context.NewCDPSession(p.PW)
	if err == nil {
		p.sessions.Call(s)
	}
	return s, err
}

// DevTools sends a command to the page's DevTools session.
func (p *Page) DevTools(method string, params map[string]any) (map[string]any, error) {
	p.mu.Lock()
	s := p.cdp
	p.mu.Unlock()
	if s == nil {
		return nil, errNoDevTools
	}
	reply, err := s.Send(method, params)
	result, _ := reply.(map[string]any)
	return result, err
}

// thrown is what a script threw, as the console would show it: a stack, or a
// value.
type thrown struct{ text string }

// Error is what was thrown.
func (t *thrown) Error() string { return t.text }

// RemoteValue reads the value off a reply of Runtime.evaluate or
// Runtime.callFunctionOn; what the script threw is a *thrown.
func RemoteValue(reply map[string]any) (any, error) {
	if details, ok := reply["exceptionDetails"].(map[string]any); ok {
		exception, _ := details["exception"].(map[string]any)
		text, ok := exception["description"].(string)
		if !ok {
			text = fmt.Sprint(exception["value"])
		}
		return nil, &thrown{text}
	}
	result, _ := reply["result"].(map[string]any)
	return result["value"], nil
}

// NotRun tells the errors of DevTools which mean that the script did not run:
// what it was to run in is gone.
func NotRun(err error) bool {
	return errors.Is(err, errNoDevTools) || pwerrors.IsGone(err)
}
