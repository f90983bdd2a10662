package agent

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/script"
	"pwpipe/provider"
)

// scripted is a session's script engine, made when it is first needed.
var scripted = browser.State[*browser.Session, scripts]{New: func(s *browser.Session) *scripts {
	own := &scripts{}
	s.OnClose(func(e browser.Ending) { own.drop(e.Last) })
	if s.Ended() {
		own.drop(true)
	}
	return own
}}

// Hooks gives scripts the dialogs that they listen to.
var Hooks = browser.Hooks{Dialog: func(s *browser.Session, _ *browser.Page, d playwright.Dialog) bool {
	return scripted.Of(s).takesDialog(d)
}}

type scripts struct {
	mu      sync.Mutex
	runtime *script.Runtime
	engine  *browser.Engine   // whose objects the engine's state holds
	stuck   []<-chan struct{} // closed once those that were given up have ended
	why     error             // why the last one was given up between calls
	over    bool              // there are to be no more
}

// maxStuck is how many engines of one session may be in a step that can't be
// interrupted while it gets another one.
const maxStuck = 2

// take returns the runtime, a fresh one for a fresh browser.
func (s *scripts) take(c *tool.Call) (*script.Runtime, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return nil, provider.Errorf(provider.KindNoTarget, "the session was closed")
	}
	if why := s.why; why != nil {
		s.why = nil
		return nil, why
	}
	if s.runtime != nil && s.engine == c.Engine && !s.runtime.Stuck() {
		return s.runtime, nil
	}
	s.close()
	s.stuck = slices.DeleteFunc(s.stuck, ended)
	if len(s.stuck) >= maxStuck {
		return nil, provider.Errorf(provider.KindLimit, "%d scripts of this session are still in steps that can't be interrupted", len(s.stuck)).
			WithHint("scripts run again once one of them has ended")
	}
	r, err := script.New(scriptHost(c.Session))
	if err != nil {
		return nil, provider.Errorf(provider.KindInternal, "%w", err)
	}
	s.runtime, s.engine = r, c.Engine
	return r, nil
}

// close ends the runtime. One that is stuck goes on until it gets to its end.
func (s *scripts) close() {
	if s.runtime == nil {
		return
	}
	s.runtime.Close()
	s.stuck = append(s.stuck, s.runtime.Ended())
	s.runtime = nil
}

func ended(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// spent is told that the engine was given up between calls. The next call is
// told why.
func (s *scripts) spent(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.close()
	s.why = why
}

// forget ends an engine that is of no more use.
func (s *scripts) forget(r *script.Runtime) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why = nil; s.runtime == r {
		s.close()
	}
}

// takesDialog reports whether a script answers a dialog.
func (s *scripts) takesDialog(d playwright.Dialog) bool {
	s.mu.Lock()
	r := s.runtime
	s.mu.Unlock()
	return r != nil && r.TakesDialog(d)
}

// drop ends the runtime and with it the state; over says that it was the last.
func (s *scripts) drop(over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = s.over || over
	s.close()
	s.why = nil
}

// runScript runs a script in the session's engine, or in a fresh one where that
// is stuck.
func runScript(ctx context.Context, c *tool.Call, code string) (res script.Result, err error) {
	if c.Session.Browser.Config.Scripts.Node {
		return playScript(ctx, c, code)
	}
	s := scripted.Of(c.Session)
	for range 3 {
		r, err := s.take(c)
		if err != nil {
			return res, err
		}
		freshBrowser(c.Session)
		res, err = r.Run(ctx, c.PW, code)
		if errors.Is(err, script.ErrSpent) {
			s.forget(r)
		}
		if !errors.Is(err, script.ErrStuck) {
			return res, err
		}
	}
	return res, script.ErrStuck
}
