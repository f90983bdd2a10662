package endpoint

import (
	"context"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/driver"
	"pwpipe/internal/script/cdpview"
)

// ServeScript serves the session as a browser to its script process, until the process
// leaves. Dialogs don't wait for it as for other clients: it is asked first. owns
// reports the session's contexts without pages.
func ServeScript(ctx context.Context, s *browser.Session, e *browser.Engine, client cdpview.Client, owns func(context string) bool) error {
	devtools, home, err := e.Line()
	if err != nil {
		_ = client.Close()
		return err
	}
	o := optionsOf(s, e, home)
	o.First, o.Downloads, o.Refused = true, nil, nil
	o.Sole = func() (int64, bool) { return 0, false }
	o.World, o.Worlds = "", []string{driver.UtilityWorld} // refs are known there
	session := o.Owns
	o.Owns = func(context string) bool { return session(context) || owns(context) }
	settled := o.Settled
	o.Settled = func(context, target string) {
		if owns(context) { // its first page counts before the next is requested
			Identified(s, target)
			return
		}
		settled(context, target)
	}
	return cdpview.Serve(ctx, devtools, client, o)
}
