// Package scripts runs scripts (`execute`) on Playwright's own code, in one
// sandboxed process a session.
package scripts

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/features/endpoint"
	"pwpipe/features/scripts/nodesandbox"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Helper is a function of a page that scripts can call with an object of options: JSON
// values, playwright.Locator, lists and objects of these. A picture in its answer is a
// []byte named image.
type Helper func(c *tool.Call, options map[string]any) (any, error)

// Helpers are the helpers of scripts, by name; Plain answer at once.
type Helpers struct {
	Named map[string]Helper
	Plain func(s *browser.Session) map[string]func([]any) (any, error)
}

// processes are the sessions' processes, each started when it is first needed.
var processes = browser.State[*browser.Session, process]{New: func(s *browser.Session) *process {
	own := &process{}
	s.OnClose(func(e browser.Ending) { own.drop(e.Last) })
	if s.Ended() {
		own.drop(true)
	}
	return own
}}

// process is a session's script process, or none.
type process struct {
	used     atomic.Bool // a script has run
	starting sync.Mutex  // held while one is started

	mu      sync.Mutex
	runtime *scripthost.Runtime
	engine  *browser.Engine // whose pages it knows
	over    bool            // no further process starts
	after   bool            // it replaces one that ended by itself, and no error has said so
}

// Run runs a script on the page of a call.
func Run(ctx context.Context, c *tool.Call, h Helpers, code string) (scripthost.Result, error) {
	if err := Can(ctx, c.Page); err != nil {
		return scripthost.Result{}, err
	}
	processes.Of(c.Session).used.Store(true)
	res, err := run(ctx, c, h, code)
	if errors.Is(err, scripthost.ErrNotBegun) { // an earlier script made the process end
		res, err = run(ctx, c, h, code)
	}
	return res, reworded(c, err)
}

func run(ctx context.Context, c *tool.Call, h Helpers, code string) (scripthost.Result, error) {
	r, err := processes.Of(c.Session).take(ctx, c.Page, h)
	if err != nil {
		return scripthost.Result{}, err
	}
	page := scripthost.Page{Target: c.Page.Target(), Contexts: contexts{c.Session, c.Page.Engine}.pageless(ctx)}
	if size := c.Page.ViewportSize(); size != nil {
		page.Width, page.Height = size.Width, size.Height
	}
	line, _, err := c.Page.Engine.Line()
	if err != nil {
		return scripthost.Result{}, err
	}
	res, err := r.Run(ctx, page, code)
	heardOf(ctx, c.Session, line)
	if errors.Is(err, scripthost.ErrLost) && !errors.Is(err, scripthost.ErrNotBegun) {
		processes.Of(c.Session).dropEnded(r)
	}
	if processes.Of(c.Session).replaced(r) {
		res.Console = append([]scripthost.Line{{Level: "warn", Text: "state is empty: the process of the scripts before had to be ended"}}, res.Console...)
	}
	if err != nil {
		select {
		case <-line.Gone():
			err = lost(c.Page.Engine)
		default:
		}
	}
	return res, err
}

// lost is the error of a script whose connection to the browser ended: with the
// browser, which the driver notices a little later, or alone.
func lost(e *browser.Engine) error {
	select {
	case <-e.Gone:
		return e.LostError()
	case <-time.After(lostTime):
		return provider.Errorf(provider.KindUnavailable, "the connection to the browser ended while the script ran").WithHint("the next script connects again")
	}
}

// lostTime is more than the driver needs to notice.
const lostTime = 2 * time.Second

// Prepare starts the process of a session's scripts, so that the first script does not
// wait for it.
func Prepare(p *browser.Page, h Helpers) {
	if !p.Engine.HasLine() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), prepareTime)
	defer cancel()
	if _, err := processes.Of(p.Session).take(ctx, p, h); err != nil {
		p.Session.Browser.Log.Warn("the script process could not be started", "why", err)
	}
}

// HasRun reports whether a script has run in a session.
func HasRun(s *browser.Session) bool { return processes.Of(s).used.Load() }

// prepareTime bounds the downloads for it.
const prepareTime = 5 * time.Minute

// Can is the error of a page on which no script can run.
func Can(ctx context.Context, p *browser.Page) error {
	b := p.Session.Browser
	if b.Policy().Guards() && !b.Config.Scripts.Weak && !nodesandbox.NetworkClosed() {
		return provider.Errorf(provider.KindBlocked, "blocked: scripts don't run while hosts are restricted: this system can't keep their process off the network").
			WithHint("`pwpipe doctor` says why; --weak-scripts runs them without that protection")
	}
	_, _, err := p.Offered(ctx, "scripts can't run here")
	return err
}

// take returns the process. It starts another if that has ended or belongs to a browser
// that is gone.
func (o *process) take(ctx context.Context, p *browser.Page, h Helpers) (*scripthost.Runtime, error) {
	o.starting.Lock()
	defer o.starting.Unlock()
	o.mu.Lock()
	r, same, over := o.runtime, o.engine == p.Engine, o.over
	o.mu.Unlock()
	if over {
		return nil, errClosed()
	}
	if r != nil && same {
		select {
		case <-r.Gone():
		default:
			return r, nil
		}
	}
	ended := r != nil && same && r.Began()
	if r != nil {
		r.Close()
	}
	programs, err := programsOf(ctx, p)
	if err != nil {
		return nil, err
	}
	if r, err = scripthost.Start(host(p, h), programs); err != nil {
		return nil, provider.Errorf(provider.KindInternal, "%w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		r.Close()
		return nil, errClosed()
	}
	o.runtime, o.engine, o.after = r, p.Engine, ended
	return r, nil
}

func errClosed() error { return provider.Errorf(provider.KindNoTarget, "the session was closed") }

// drop ends the process and with it the state. over: no other may start.
func (o *process) drop(over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = o.over || over
	if o.runtime != nil {
		o.runtime.Close()
		o.runtime = nil
	}
}

// replaced reports, once, whether a process replaces one that ended by itself.
func (o *process) replaced(r *scripthost.Runtime) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	after := o.after && o.runtime == r
	o.after = false
	return after
}

// dropEnded drops a process whose end a script's error reports.
func (o *process) dropEnded(r *scripthost.Runtime) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.runtime == r {
		o.runtime = nil
	}
}

func (o *process) current() *scripthost.Runtime {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.runtime
}

// dialogTime is how long a process has to say whether it wants a dialog.
const dialogTime = time.Second

// Hooks reports contexts and downloads to scripts, and gives them the dialogs to which
// they listen.
var Hooks = browser.Hooks{Page: watchDownloads, Context: func(s *browser.Session, o *browser.Opened) error {
	openedBy.Of(s).note(o, func(id string) {
		if r := processes.Of(s).current(); r != nil {
			r.ContextClosed(id)
		}
	})
	return nil
}, Dialog: func(s *browser.Session, p *browser.Page, d playwright.Dialog) bool {
	r := processes.Of(s).current()
	if r == nil || p == nil {
		return false
	}
	if !r.TakesDialog(dialogTime, endpoint.ClientTime, endpoint.TargetOf(p), d.Message()) {
		return false
	}
	act.LeftTo("a script", p, d)
	return true
}}

// reworded changes errors of the process into errors for callers.
func reworded(c *tool.Call, err error) error {
	switch {
	case errors.Is(err, scripthost.ErrMemory):
		return provider.Errorf(provider.KindLimit, "%w", err).
			WithHint("keep less in variables; write large values to files (require('fs'))")
	case err != nil && strings.Contains(err.Error(), "No target with given id found"):
		return vanished(c.Page, err)
	}
	return err
}
