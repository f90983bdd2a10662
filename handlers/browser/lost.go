package browser

import (
	"context"

	"pwpipe/provider"
)

// One fault of a browser is one error to each session that had something in it: to the
// call that ran, or else to the first that comes. What a fresh page says is never
// taken for what the old one would have said.

// ToldLost is the error of a browser that was lost while a call ran.
func ToldLost(ctx context.Context, e *Engine) error {
	if s, ok := SessionFrom(ctx); ok {
		s.report(e)
	}
	return e.LostError()
}

// Told looks whether the error of a call on a page is that its browser was lost.
func (p *Page) Told(err error) {
	if err != nil && provider.AsError(err).Kind == provider.KindUnavailable && !p.Engine.Alive() {
		p.Session.report(p.Engine)
	}
}
