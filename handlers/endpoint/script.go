package endpoint

import (
	"context"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/driver"
	"pwpipe/internal/script/cdpview"
)

// ServeScript lets the process of a session's scripts use the session as its
// browser, until it leaves. It is none of the clients that dialogs wait for: it
// is asked first. owns tells the session's contexts that have no page yet.
func ServeScript(ctx context.Context, s *browser.Session, e *browser.Engine, client cdpview.Client, owns func(context string) bool) error {
	devtools, home, err := e.Line(ctx)
	if err != nil {
		_ = client.Close()
		return err
	}
	o := optionsOf(s, e, home)
	o.First, o.Downloads, o.Sole, o.Refused = true, nil, nil, nil
	o.World, o.Worlds = "", []string{driver.UtilityWorld} // refs are known there
	session := o.Owns
	o.Owns = func(context string) bool { return session(context) || owns(context) }
	settled := o.Settled
	o.Settled = func(context, target string) {
		if owns(context) { // its first page counts before the next is asked for
			Identified(s, target)
			return
		}
		settled(context, target)
	}
	return cdpview.Serve(ctx, devtools, client, o)
}
