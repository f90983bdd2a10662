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
	c, err := s.contextNamed(in.Ctx)
	if err != nil {
		return "", provider.AsError(err).WithHint("new-ctx opens one")
	}
	p, err := s.newPage(ctx, e, c)
	if err != nil {
		return "", err
	}
	if in.Use {
		err = s.use(ctx, p.name)
	}
	return p.name, err
}

type pidParams struct {
	PID string `json:"pid" secrets:"no" doc:"page handle"`
}

// usePage chooses the page that requests without one work on.
func usePage(ctx context.Context, s *Session, in pidParams) error { return s.use(ctx, in.PID) }

// closeOne is page.close.
func closeOne(ctx context.Context, s *Session, in pidParams) error { return s.closePage(ctx, in.PID) }
