package record

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// failed records whether a call of a session failed: then its traces are kept.
var failed browser.State[*browser.Session, atomic.Bool]

// Hooks keeps traces of sessions with failed calls.
var Hooks = browser.Hooks{
	Context: func(s *browser.Session, o *browser.Opened) error {
		if s.Browser.Config.TraceOnFailure == "" || !o.Own {
			return nil
		}
		fastpath.Avoid(s, o.BrowserContext, true)
		return o.Tracing().Start(playwright.TracingStartOptions{Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true)})
	},
	Answered: func(s *browser.Session, err *provider.Error) {
		if err != nil && slices.Contains(worthTracing, err.Kind) {
			failed.Of(s).Store(true)
		}
	},
	Closing: keepTrace,
}

// worthTracing are the failures that the page causes, and not the caller or a limit.
var worthTracing = []provider.Kind{provider.KindFailed, provider.KindTimeout, provider.KindInternal,
	provider.KindUnavailable}

// keepTrace ends the trace of a context: tracing.stop. It writes the trace if a call of
// the session failed.
func keepTrace(ctx context.Context, s *browser.Session, e *browser.Engine, c playwright.BrowserContext, name string) {
	dir := s.Browser.Config.TraceOnFailure
	if dir == "" || !failed.Of(s).Load() {
		return
	}
	id := s.Options.ID
	who := cmp.Or(id, "session")
	if id != "" && !s.Ended() {
		who = id[:10] // the whole id would be enough to use the session
	}
	path := filepath.Join(dir, time.Now().UTC().Format("20060102T150405Z")+"-"+who+"-"+name+".zip")
	err := browser.AwaitDo(ctx, e, nil, func() error { return c.Tracing().Stop(path) })
	if err != nil {
		_ = os.Remove(path) // half a trace shows nothing
		s.Browser.Log.Error("a trace could not be kept", "path", path, "error", pwerrors.FirstLine(pwerrors.CleanMessage(err)))
		return
	}
	s.Browser.Log.Info("trace kept", "path", path)
}

// TraceParams are the parameters of [TraceStart].
type TraceParams struct {
	Title string `json:"title,omitempty" secrets:"no" doc:"what the trace viewer calls it"`
}

// traceStart is tracing.start.
func traceStart(c *tool.Call, in TraceParams) error {
	o := playwright.TracingStartOptions{Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true)}
	if in.Title != "" {
		o.Title = &in.Title
	}
	err := c.Context.Tracing().Start(o)
	if pwerrors.IsTracing(err) {
		return provider.Errorf(provider.KindFailed, "a trace is being recorded already").WithHint("trace-stop ends it")
	}
	fastpath.Avoid(c.Session, c.Context, err == nil) // a trace does not show what bypasses the driver
	return c.Fail(err, "")
}

// TraceFile are the parameters of [TraceStop].
type TraceFile struct {
	Path tool.WritePath `json:"path" doc:".zip file"`
}

// traceStop is tracing.stop.
func traceStop(c *tool.Call, in TraceFile) (string, error) {
	path := string(in.Path)
	if err := files.CheckEnding("path", path, ".zip"); err != nil {
		return "", err
	}
	err := stopTrace(c, files.SavedPrivate(path, func(temp string) error { return c.Context.Tracing().Stop(temp) }))
	if err == nil {
		provider.Wrote(c.Ctx, path)
	}
	return path, err
}

// stopTrace allows the fast path again after a trace, and makes the error.
func stopTrace(c *tool.Call, err error) error {
	if err == nil {
		fastpath.Avoid(c.Session, c.Context, false)
	}
	if pwerrors.IsNotTracing(err) {
		return provider.Errorf(provider.KindFailed, "no trace is being recorded").WithHint("trace-start begins one")
	}
	return c.Wrote(err)
}

// BeginTrace and EndTrace are trace-start and trace-stop for viewers.
func BeginTrace(c *tool.Call, _ string) error { return traceStart(c, TraceParams{}) }

// EndTrace writes the trace to a file of pwpipe's own.
func EndTrace(c *tool.Call, path string) error { return stopTrace(c, c.Context.Tracing().Stop(path)) }
