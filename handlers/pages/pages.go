// Package pages opens, chooses, closes and lists pages and contexts.
package pages

import (
	"context"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools are core's: contexts and pages by their handles.
func Tools() []*provider.Tool {
	closePage := tool.Core.Switches("close-page", "Close page", "Close a page").Within(5 * time.Second).OwnWords()
	closePage.Target = "pid"
	return []*provider.Tool{
		tool.OnSession(tool.Core.Switches("new-ctx", "New context",
			"Open a browser context with cookies of its own; its handle").OwnWords(), newCtx),
		tool.OnSession(tool.Core.Switches("new-page", "New page",
			"Open a page in a context, without making it active; its handle").OwnWords(), newPage),
		tool.OnSessionDo(tool.Core.Switches("use-page", "Use page",
			"Make a page the active one").Within(5*time.Second).OwnWords(), usePage),
		tool.OnSessionDo(closePage, closeOne),
	}
}

// newCtx is browser.newContext.
func newCtx(ctx context.Context, s *browser.Session, _ tool.NoParams) (string, error) {
	e, err := s.Running(ctx)
	if err != nil {
		return "", err
	}
	_, name, err := s.NewContext(ctx, e)
	return name, err
}

type newPageParams struct {
	Ctx string `json:"ctx" secrets:"no" doc:"context handle"`
	Use bool   `json:"use,omitempty" doc:"make it active"`
}

// newPage is context.newPage.
func newPage(ctx context.Context, s *browser.Session, in newPageParams) (string, error) {
	e, err := s.Running(ctx)
	if err != nil {
		return "", err
	}
	c, err := s.ContextNamed(in.Ctx)
	if err != nil {
		return "", provider.AsError(err).WithHint("new-ctx opens one")
	}
	p, err := s.NewPage(ctx, e, c)
	if err != nil {
		return "", err
	}
	if in.Use {
		err = s.Use(ctx, p.Name)
	}
	return p.Name, err
}

type pidParams struct {
	PID string `json:"pid" secrets:"no" doc:"page handle"`
}

// usePage chooses the page for requests that name none.
func usePage(ctx context.Context, s *browser.Session, in pidParams) error { return s.Use(ctx, in.PID) }

// closeOne is page.close.
func closeOne(ctx context.Context, s *browser.Session, in pidParams) error {
	return s.ClosePage(ctx, in.PID)
}
