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
	"pwpipe/handlers/pwerrors"
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
