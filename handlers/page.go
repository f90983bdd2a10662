package handlers

import (
	"context"
	"time"

	"pwpipe/provider"
)

func pageTools() []*provider.Tool {
	closePage := Core.Switches("close-page", "Close page", "Close a page").Within(5 * time.Second).OwnWords()
	closePage.Target = "pid"
	return []*provider.Tool{
		onSession(Core.Switches("new-ctx", "New context", "Open a browser context with cookies of its own; its handle").OwnWords(), newCtx),
		onSession(Core.Switches("new-page", "New page", "Open a page in a context, without making it active; its handle").OwnWords(), newPage),
		onSessionDo(Core.Switches("use-page", "Use page", "Make a page the active one").Within(5*time.Second).OwnWords(), usePage),
		onSessionDo(closePage, closeOne),
	}
}

// newCtx is browser.newContext.
func newCtx(ctx context.Context, s *Session, _ noParams) (string, error) {
	e, err := s.running(ctx)
	if err != nil {
		return "", err
	}
	_, name, err := s.newContext(ctx, e)
	return name, err
}

type newPageParams struct {
	Ctx string `json:"ctx" secrets:"no" doc:"context handle"`
	Use bool   `json:"use,omitempty" doc:"make it active"`
}

// newPage is context.newPage.
func newPage(ctx context.Context, s *Session, in newPageParams) (string, error) {
	e, err := s.running(ctx)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	c := s.contexts.live[in.Ctx]
	missing := s.contexts.missing("context", in.Ctx)
	if c != nil {
		s.contexts.use(in.Ctx)
	}
	s.mu.Unlock()
	if c == nil {
		return "", provider.Errorf(provider.KindNoTarget, "%s", missing).WithHint("new-ctx opens one")
	}
	p, err := s.newPage(ctx, e, c)
	if err != nil {
		return "", err
	}
	if in.Use {
		s.mu.Lock()
		s.active = p.name
		s.mu.Unlock()
	}
	return p.name, nil
}

type pidParams struct {
	PID string `json:"pid" secrets:"no" doc:"page handle"`
}

// usePage chooses the page that requests without one work on.
func usePage(ctx context.Context, s *Session, in pidParams) error {
	if _, err := s.named(ctx, in.PID); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = in.PID
	return nil
}

// closeOne is page.close.
func closeOne(ctx context.Context, s *Session, in pidParams) error {
	p, err := s.named(ctx, in.PID)
	if err != nil {
		return err
	}
	s.mu.Lock()
	p.asked = true
	s.mu.Unlock()
	err = awaitDo(ctx, p.engine, nil, func() error {
		p.letGo()
		return p.pw.Close()
	})
	if err == nil {
		s.dropPage(p, "it was closed")
	}
	return err
}
