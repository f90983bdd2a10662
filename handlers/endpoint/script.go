package endpoint

import (
	"context"

	"pwpipe/handlers/browser"
	"pwpipe/internal/virtual"
)

// ServeScript lets the process of a session's scripts use the session as its
// browser, until it leaves. It is none of the clients that dialogs wait for: it
// is asked first.
func ServeScript(ctx context.Context, s *browser.Session, e *browser.Engine, client virtual.Client) error {
	return virtual.Serve(ctx, e.DevTools, client, optionsOf(s, e, ""))
}

// LeftToClient waits until a client has answered the page's dialog. It reports
// whether one did.
func LeftToClient(p *browser.Page) bool { return present.Of(p.Session).wait(p, false) }
