package agent

import (
	"context"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// secondNames are what the agent tools are called in the design that they follow. Lists leave them out; their
// timeout is in milliseconds.
func secondNames() []*provider.Tool {
	second := func(name, title, doc, of string, params ...provider.As) *provider.Tool {
		spec := provider.Spec(tool.Agent.Second(name, title, doc))
		spec.TimeoutUnit = time.Millisecond
		return provider.AliasOf(spec, provider.Alias{Of: of, Params: params, Deprecated: true})
	}
	return []*provider.Tool{
		second("browser_execute", "Execute", "Run Playwright JavaScript, by another name", "execute",
			provider.As{Param: "code"}),
		second("browser_search_snapshot", "Search", "Find lines of the snapshot, by another name", "search",
			provider.As{Param: "pattern"}, provider.As{Param: "ignoreCase"}, provider.As{Param: "lineLimit"}),
	}
}

// resetSession closes the contexts, forgets the script state and opens a
// clean page.
func resetSession(ctx context.Context, s *browser.Session, _ tool.NoParams) (string, error) {
	s.Reset(ctx)
	e, err := s.Running(ctx)
	if err != nil {
		return "", err
	}
	if s.Borrows() { // those tabs are there still, and not clean
		c, _, err := s.NewContext(ctx, e)
		if err != nil {
			return "", err
		}
		p, err := s.NewPage(ctx, e, c)
		if err != nil {
			return "", err
		}
		err = s.Use(ctx, p.Name)
		return p.Name, err
	}
	p, err := s.Page(ctx, "")
	if err != nil {
		return "", err
	}
	return p.Where().Page, nil
}
