// Package scripts runs the scripts of sessions on Playwright's own code, each
// session's in a process of its own.
package scripts

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/endpoint"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/cell"
	"pwpipe/internal/playscript"
	"pwpipe/internal/setup"
	"pwpipe/provider"
)

// Helper is a function of a page that scripts can call, with an object of
// options: numbers, texts, *regexp.Regexp, playwright.Locator, lists and objects
// of such. A picture is a []byte in its answer, by the name of image.
type Helper func(c *tool.Call, options map[string]any) (any, error)

// Helpers are those that scripts have, by name; Plain answer at once.
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

// process is a session's, or none.
type process struct {
	starting sync.Mutex // held while one is started

	mu      sync.Mutex
	runtime *playscript.Runtime
	engine  *browser.Engine // whose pages it knows
	over    bool            // there are to be no more
	after   bool            // it stands in the place of one that ended by itself, and nobody was told
}

// Run runs a script on the page of a call.
func Run(ctx context.Context, c *tool.Call, h Helpers, code string) (playscript.Result, error) {
	if err := Can(c.Page); err != nil {
		return playscript.Result{}, err
	}
	r, err := processes.Of(c.Session).take(ctx, c.Page, h)
	if err != nil {
		return playscript.Result{}, err
	}
	page := playscript.Page{Target: c.Page.Target()}
	if size := c.PW.ViewportSize(); size != nil {
		page.Width, page.Height = size.Width, size.Height
	}
	res, err := r.Run(ctx, page, code)
	if processes.Of(c.Session).replaced(r) {
		res.Console = append([]playscript.Line{{Level: "warn", Text: "state is empty: the process of the scripts before had to be ended"}}, res.Console...)
	}
	return res, reworded(c, err)
}

// Prepare starts the process of a session's scripts, that the first does not have
// to wait for it.
func Prepare(p *browser.Page, h Helpers) {
	if p.Engine.DevTools == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), prepareTime)
	defer cancel()
	if _, err := processes.Of(p.Session).take(ctx, p, h); err != nil {
		p.Session.Browser.Log.Warn("the process of scripts could not be started", "why", err)
	}
}

// prepareTime bounds what is fetched for it.
const prepareTime = 5 * time.Minute

// Can is the error of a page that no script can run on.
func Can(p *browser.Page) error {
	b := p.Session.Browser
	if b.Policy().Guards() && !b.Config.Scripts.Weak && !cell.NetworkClosed() {
		return provider.Errorf(provider.KindBlocked, "blocked: scripts don't run here where hosts are restricted: nothing closes the network to their process").
			WithHint("pwpipe doctor says why; --weak-scripts runs them all the same")
	}
	if p.Engine.DevTools == nil || p.Attached() != nil || p.Target() == "" {
		return provider.Errorf(provider.KindFailed, "scripts can't run here: pwpipe has no line of its own to this browser").
			WithHint("it has one to a Chromium that it starts itself, not to an attached browser, Firefox or WebKit")
	}
	return nil
}

// take returns the process, another one where it has ended or is of a browser
// that is gone.
func (o *process) take(ctx context.Context, p *browser.Page, h Helpers) (*playscript.Runtime, error) {
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
	ended := r != nil && same
	if r != nil {
		r.Close()
	}
	programs, err := programsOf(ctx, p)
	if err != nil {
		return nil, err
	}
	go func() { _ = programs.Compile(context.WithoutCancel(ctx)) }()
	if r, err = playscript.Start(host(p, h), programs); err != nil {
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

// programsOf says what a process runs.
func programsOf(ctx context.Context, p *browser.Page) (playscript.Programs, error) {
	test, err := setup.Expect(ctx, setup.Options{})
	if err != nil {
		return playscript.Programs{}, provider.Errorf(provider.KindUnavailable, "%w", err)
	}
	run := p.Engine.Run
	return playscript.Programs{Node: run.Node, Core: run.DriverDir + "/package", Test: test, Temp: run.Driver.Temp, Memory: cmp.Or(p.Session.Browser.Config.Scripts.Memory, memory),
		Cache:  filepath.Join(run.DriverDir, "scripts.cache"),
		Engine: map[string]string{"ref": refs.Engine(), "names": refs.NameEngine()}}, nil
}

// memory is what a process may hold.
const memory = 512 << 20

// drop ends the process and with it the state; over says that it was the last.
func (o *process) drop(over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = o.over || over
	if o.runtime != nil {
		o.runtime.Close()
		o.runtime = nil
	}
}

// replaced reports, once, whether a process stands in the place of one that ended
// by itself.
func (o *process) replaced(r *playscript.Runtime) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	after := o.after && o.runtime == r
	o.after = false
	return after
}

// current is the process, nil if there is none.
func (o *process) current() *playscript.Runtime {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.runtime
}

// dialogTime is how long a process has to say whether it wants a dialog.
const dialogTime = time.Second

// Hooks tells scripts of contexts and downloads, and gives them the dialogs that
// they listen to.
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
	ctx, cancel := context.WithTimeout(context.Background(), dialogTime)
	defer cancel()
	if !r.TakesDialog(ctx, p.Target(), d.Message()) || !endpoint.LeftToClient(p) {
		return false
	}
	act.LeftTo("a script", p, d)
	return true
}}

// reworded words errors of the process.
func reworded(c *tool.Call, err error) error {
	switch {
	case errors.Is(err, playscript.ErrMemory):
		return provider.Errorf(provider.KindLimit, "%w", err).WithHint("keep less: files (require('fs')) hold what is large")
	}
	return err
}
