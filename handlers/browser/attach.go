package browser

import (
	"context"
	"sync"

	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// A browser that pwpipe attached to is somebody's: its contexts and open tabs
// get handles, and are left as they are when pwpipe goes.

// Tabs says whether a session is lent the open tabs of an attached browser.
type Tabs int

// Who gets the tabs: one session at a time.
const (
	TabsIfFree Tabs = iota // unless another session has them
	TabsNever              // the session has contexts of its own only
	TabsMust               // or the session can't be opened
)

// lent is who has the open tabs of an attached browser.
type lent struct {
	lending sync.Mutex // held while they get their handles, too
	to      *Session   // nil for nobody
}

// adopt gives handles to what is open in a browser whose tabs are lent, if they are
// this session's to have.
func (s *Session) adopt(ctx context.Context, e *Engine) error {
	if s.Options.Tabs == TabsNever {
		return nil
	}
	e.lent.lending.Lock()
	defer e.lent.lending.Unlock()
	switch {
	case e.lent.to != nil && e.lent.to != s && s.Options.Tabs == TabsMust:
		return provider.Errorf(provider.KindLimit, "another session has the open tabs").WithHint("close it, or open a session without tabs")
	case e.lent.to != nil:
		return nil
	}
	e.lent.to = s
	e.AwaitLent(ctx)
	for _, c := range e.Found {
		s.addFound(c)
		err := s.watchContext(ctx, &Opened{BrowserContext: c, Engine: e})
		for _, pw := range c.Pages() { // the first of them becomes the active page
			if p := s.Find(pw); p != nil {
				s.activate(p, false)
				url := pw.URL()
				p.foundAt.Store(&url)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Address is a URL by the base URL, which contexts that were there before
// pwpipe do not know.
func (p *Page) Address(raw string) string {
	s := p.Session
	if !s.IsTheirs(p.Context) {
		return raw
	}
	return policy.Resolve(raw, s.Browser.Config.BaseURL)
}
