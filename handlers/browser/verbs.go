package browser

import (
	"context"

	"pwpipe/provider"
)

// What tools do with a session's contexts and pages by their handles.

// Use makes a page the one that requests without one work on.
func (s *Session) Use(ctx context.Context, handle string) error {
	p, err := s.named(ctx, handle)
	if err == nil {
		s.activate(p, true)
	}
	return err
}

// ClosePage is page.close.
func (s *Session) ClosePage(ctx context.Context, handle string) error {
	p, err := s.named(ctx, handle)
	if err != nil {
		return err
	}
	p.asked.Store(true)
	err = AwaitDo(ctx, p.Engine, nil, func() error {
		p.LetGo()
		return p.PW.Close()
	})
	if err == nil {
		s.DropPage(p, "it was closed")
	}
	return err
}

// CloseNamed is context.close, with all its pages.
func (s *Session) CloseNamed(ctx context.Context, handle string) error {
	c, err := s.ContextNamed(handle)
	if err != nil {
		return err
	}
	lost, err := Await(ctx, s.Current(), nil, func() (lost error, err error) {
		s.letAllGo(c)
		return s.closeContext(c)
	})
	if err != nil {
		return err
	}
	s.dropContext(c, "its context was closed", "it was closed")
	return lost
}

// MayOpen refuses a context or a page that would be one too many, before
// anything is started for it.
func (s *Session) MayOpen() error {
	if s.room.Full() {
		return s.room.OverLimit("")
	}
	return s.Browser.places.MayTake(s.Browser.Config.MaxContexts)
}

// Hold keeps the session from being closed for being idle.
func (s *Session) Hold() (release func()) {
	if s.Options.Keep == nil {
		return func() {}
	}
	return s.Options.Keep()
}

// Answered tells the features that a call in the session has ended.
func (s *Session) Answered(err *provider.Error) {
	for _, h := range s.Browser.hooks {
		if h.Answered != nil {
			h.Answered(s, err)
		}
	}
}

// Beside makes a session in a browser beside this one's, whose pages count as
// this one's. nil: pwpipe is shutting down.
func (s *Session) Beside(cfg Config) *Session {
	b := s.Browser.Beside(cfg)
	if b == nil {
		return nil
	}
	own := b.NewSession(SessionOptions{Shared: s.Options.Shared})
	own.room = s.room
	own.ownPages()
	return own
}
