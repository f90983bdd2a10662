package fastpath_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/pipetest/until"
	"pwpipe/provider"
)

// session is in this process, so that calls can go both ways on one page.
type session struct {
	*testing.T
	*browser.Session
	table *provider.Table
	ctx   context.Context
}

// shared is the browser of all tests. Each test has its own session: contexts
// and pages.
var shared = sync.OnceValue(func() *browser.Browser { return handlers.NewBrowser(browser.Config{}) })

func TestMain(m *testing.M) {
	reexec.Run()
	fastpath.MaxPatience = time.Minute // a slow machine's page gets the time that it needs
	status := m.Run()
	ending(shared().Close)
	os.Exit(status)
}

// ending closes something, with a time limit.
func ending(end func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	end(ctx)
}

func start(t *testing.T) *session {
	t.Helper()
	pipetest.SkipUnmarked(t)
	s := shared().NewSession(browser.SessionOptions{})
	t.Cleanup(func() { ending(s.Close) })
	return &session{t, s, provider.NewTable(handlers.Tools(), provider.TableOptions{}), browser.WithSession(context.Background(), s)}
}

// try calls a tool: its result as JSON, or "!" and its error.
func (s *session) try(ctx context.Context, tool string, params ...any) string {
	r, err := s.table.Call(ctx, provider.Request{Tool: tool, Params: encode(params)})
	if err != nil {
		return "!" + err.Error()
	}
	return string(r.JSON)
}

func (s *session) call(tool string, params ...any) string {
	s.Helper()
	got := s.try(s.ctx, tool, params...)
	if got[0] == '!' {
		s.Fatalf("%s %v: %s", tool, params, got)
	}
	return got
}

// page returns the active page once it has its own CDP session.
func (s *session) page() *browser.Page {
	s.Helper()
	p, err := s.Session.Page(s.ctx, "")
	if err != nil {
		s.Fatal(err)
	}
	until.Holds(s, "the page has a direct line", func() bool { return p.Direct() != nil })
	return p
}
