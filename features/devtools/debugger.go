// Package devtools declares the tools of profile `devtools`: debugger, editor,
// styles, React.
package devtools

import (
	"context"
	"errors"
	"time"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/devtools"
	"pwpipe/provider"
)

// Tools are those of profile devtools, in the order of the files.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		onDebugger(tool.DevTools.Acts("debug-break", "Set breakpoint",
			"Pause the page where it reaches a line; later scripts count too"), setBreak),
		onDebugger(tool.DevTools.Reads("debug-breaks", "List breakpoints", "List the breakpoints"), listBreaks),
		onDebugger(tool.DevTools.Acts("debug-unbreak", "Delete breakpoint",
			"Delete a breakpoint, or all; how many"), unbreak),
		onDebugger(tool.DevTools.Acts("debug-exceptions", "Pause on exceptions",
			"Pause the page where an exception is thrown"), silent(onExceptions)),
		onDebugger(tool.DevTools.Acts("debug-blackbox", "Blackbox scripts",
			"Skip scripts in steps and exceptions; replaces earlier patterns"), silent(blackbox)),
		onDebugger(tool.DevTools.Acts("debug-pause", "Pause",
			"Pause the page at the next statement that it runs; where it is"), pausePage),
		onDebugger(tool.DevTools.Waits("debug-wait", "Wait for a pause",
			"Wait until the page is paused; where").Within(30*time.Second), waitPaused),
		onDebugger(tool.DevTools.Reads("debug-where", "Where it is paused",
			"Tell where the page is paused, with source and stack"), whereIs),
		onDebugger(tool.DevTools.Reads("debug-locals", "Local variables",
			"Get the variables of a paused call, by scope"), locals),
		onDebugger(tool.DevTools.Acts("debug-eval", "Evaluate in a call",
			"Evaluate an expression in a paused call, or globally; its JSON value"), debugEval),
		onDebugger(tool.DevTools.Acts("debug-step", "Step", "Run a paused page by one step; where it is then"), step),
		onDebugger(tool.DevTools.Acts("debug-resume", "Resume", "Let a paused page go on; where it is then"), resume),
		onDebugger(tool.DevTools.Reads("debug-scripts", "List scripts", "List the page's scripts"), listScripts),
		onEditor(tool.DevTools.Reads("code-list", "List code", "List the page's scripts and stylesheets"), listCode),
		onEditor(tool.DevTools.Reads("code-search", "Search code",
			"Find lines in the page's scripts and stylesheets").Within(30*time.Second), searchCode),
		onEditor(tool.DevTools.Reads("code-read", "Read code", "Read lines of a script or stylesheet, numbered"), readCode),
		onEditor(tool.DevTools.Acts("code-edit", "Edit code",
			"Change a script or stylesheet of the live page; the reply says whether it takes effect now or after a reload").
			Within(30*time.Second), editCode),
		tool.OnPage(tool.DevTools.Reads("styles", "Styles",
			"Show which CSS rules set an element's styles, where they were written, and the result"), showStyles),
		tool.OnPage(tool.DevTools.Reads("react-source", "React source",
			"Find the React component, file and line that an element was written in; a development build must run").
			Within(30*time.Second), showReactSource),
		tool.OnPage(tool.DevTools.Reads("vitals", "Web vitals",
			"Measure the page so far: LCP, CLS, INP, TTFB, FCP and long tasks, with the elements behind them"), showVitals),
		tool.OnPage(tool.DevTools.Acts("heap", "Heap snapshot",
			"Write a heap snapshot for DevTools, and tell which classes and detached nodes keep most memory").
			Within(2*time.Minute), takeHeap),
		tool.OnSession(tool.DevTools.Reads("heap-diff", "Compare heap snapshots",
			"Compare two heap snapshots: which classes grew").Within(time.Minute), compareHeaps),
		tool.OnPageDo(tool.DevTools.Acts("perf-trace-start", "Start performance trace",
			"Record the page's performance, until perf-trace-stop or for two minutes").OwnAnswers(), startPerf),
		tool.OnPage(tool.DevTools.Acts("perf-trace-stop", "Stop performance trace",
			"Write the recording for DevTools' Performance panel, and tell what took the time: "+
				"LCP and its phases, long tasks, scripts, layout, blocking requests").
			Within(time.Minute), stopPerf),
	}
}

// debugging is a call with the page's debugger.
type debugging struct {
	ctx context.Context
	*devtools.Debugger
}

func debuggerOf(c *tool.Call) (debugging, error) {
	tools, err := Inspector(c.Page)
	if err != nil {
		return debugging{}, err
	}
	d, err := tools.Debugger(c.Ctx)
	return debugging{c.Ctx, d}, err
}

// over turns a function on a page's debugger or editor into a function on a call, which
// opens it.
func over[T, In, Out any](open func(*tool.Call) (T, error), fn func(T, In) (Out, error)) func(*tool.Call, In) (Out, error) {
	return func(c *tool.Call, in In) (out Out, err error) {
		t, err := open(c)
		if err == nil {
			out, err = fn(t, in)
		}
		return out, debugError(c, err)
	}
}

// silent turns a function without an answer into one that answers null.
func silent[T, In any](fn func(T, In) error) func(T, In) (provider.None, error) {
	return func(t T, in In) (provider.None, error) { return provider.None{}, fn(t, in) }
}

// onDebugger declares a tool that works on the page's debugger.
func onDebugger[In, Out any](spec tool.Spec, fn func(debugging, In) (Out, error)) *provider.Tool {
	spec.WhilePaused = true
	return tool.OnPage(spec, over(debuggerOf, fn))
}

// debugError makes an error of the debugger name this call's page.
func debugError(c *tool.Call, err error) error {
	if err == nil || pwerrors.IsClosed(err) || c.Ctx.Err() != nil && !errors.Is(err, errNoPause) {
		return err
	}
	var own *provider.Error
	if errors.As(err, &own) {
		return err
	}
	at := c.Where()
	e := &provider.Error{Kind: provider.KindFailed, Msg: err.Error(), Page: at.Page, URL: at.URL, Err: err}
	switch {
	case errors.Is(err, devtools.ErrRunning):
		e.Msg = at.Page + " is not paused"
		e.Hint = "debug-break or debug-pause, then do what runs the script"
	case errors.Is(err, devtools.ErrPausedMeanwhile):
		e.Hint = "debug-where says where; debug-resume lets it go on"
	case errors.Is(err, errNoPause):
		e.Kind = provider.KindTimeout
		e.Msg = at.Page + " did not pause in time"
		e.Hint = "debug-breaks lists the breakpoints; one that is pending met no script"
	}
	return e
}

type breakParams struct {
	File      string `json:"file" secrets:"no" doc:"part of the script's URL, or /regular expression/"`
	Line      int    `json:"line" doc:"from 1" min:"1"`
	Condition string `json:"condition,omitempty" doc:"pause only where this expression is true"`
	Column    int    `json:"column,omitempty" doc:"from 1" min:"1"`
}

func setBreak(d debugging, in breakParams) (*devtools.Breakpoint, error) {
	return d.SetBreakpoint(d.ctx, in.File, in.Line, in.Column, in.Condition)
}

func listBreaks(d debugging, _ tool.NoParams) ([]devtools.Breakpoint, error) {
	return d.Breakpoints(), nil
}

type breakIDParams struct {
	ID string `json:"id,omitempty" doc:"breakpoint; default: all"`
}

func unbreak(d debugging, in breakIDParams) (int, error) { return d.DeleteBreakpoint(d.ctx, in.ID) }

type exceptionsParams struct {
	State string `json:"state" secrets:"no" doc:"which exceptions" enum:"none,uncaught,all"`
}

func onExceptions(d debugging, in exceptionsParams) error {
	return d.PauseOnExceptions(d.ctx, in.State)
}

type blackboxParams struct {
	Patterns []string `json:"patterns" doc:"regular expressions of URLs; none: skip nothing"`
}

func blackbox(d debugging, in blackboxParams) error {
	return d.Blackbox(d.ctx, in.Patterns)
}

func pausePage(d debugging, _ tool.NoParams) (*devtools.Where, error) { return d.Pause(d.ctx) }

// errNoPause: a wait ended without a pause.
var errNoPause = errors.New("it did not pause")

func waitPaused(d debugging, _ tool.NoParams) (*devtools.Where, error) {
	if err := d.WaitPaused(d.ctx); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = errNoPause
		}
		return nil, err
	}
	return d.Location(d.ctx)
}

func whereIs(d debugging, _ tool.NoParams) (*devtools.Where, error) { return d.Location(d.ctx) }

type callParams struct {
	Frame int `json:"frame,omitempty" doc:"call of the stack, 0 is the innermost" min:"0"`
}

func locals(d debugging, in callParams) (*devtools.Locals, error) { return d.Locals(d.ctx, in.Frame) }

type debugEvalParams struct {
	Code  string `json:"code" doc:"expression"`
	Frame int    `json:"frame,omitempty" doc:"call of the stack, 0 is the innermost" min:"0"`
}

func debugEval(d debugging, in debugEvalParams) (any, error) {
	return d.Evaluate(d.ctx, in.Code, in.Frame)
}

type stepParams struct {
	Kind string `json:"kind" doc:"over a call, into it, or out of the function" enum:"over,into,out"`
}

func step(d debugging, in stepParams) (*devtools.Where, error) { return d.Step(d.ctx, in.Kind) }

func resume(d debugging, _ tool.NoParams) (*devtools.Where, error) { return d.Resume(d.ctx) }

type searchURLParams struct {
	Search string `json:"search,omitempty" doc:"part of the URL; default: all"`
}

func listScripts(d debugging, in searchURLParams) ([]devtools.Script, error) {
	return d.Scripts(in.Search), nil
}
