package direct_test

import (
	"context"
	"testing"
	"time"

	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// session is one in this process, so that calls can go both ways on one page.
type session struct {
	*testing.T
	*browser.Session
	table *provider.Table
	ctx   context.Context
}

func start(t *testing.T) *session {
	t.Helper()
	b := handlers.NewBrowser(browser.Config{})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		b.Close(ctx)
	})
	s := b.NewSession(browser.SessionOptions{})
	return &session{t, s, provider.NewTable(handlers.Tools(), provider.TableOptions{}), browser.WithSession(context.Background(), s)}
}

// try calls a tool: its result as JSON, or its error behind a "!".
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

// page is the active page, once it has its own line to the browser.
func (s *session) page() *browser.Page {
	s.Helper()
	p, err := s.Session.Page(s.ctx, "")
	if err != nil {
		s.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); p.Direct() == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatal("the page has no direct line")
		}
	}
	return p
}
