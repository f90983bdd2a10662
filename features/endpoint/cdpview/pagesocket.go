package cdpview

import (
	"context"
	"encoding/json"

	"pwpipe/internal/browser/cdp"
)

// A client's connection may be a single page's ([Options.Page]), as at Chromium's
// /devtools/page/ID: messages without a session are for the page.

// sessionName is how results and events name a session.
type sessionName struct {
	Session string `json:"sessionId"`
}

// joinPage opens the session of a page whose own connection this is. It reports whether the
// client stays: without a session, there is no such page.
func (b *browser) joinPage(ctx context.Context) bool {
	if b.o.Page == "" {
		return true
	}
	// Only a target that is listed is known, and may be attached to.
	_, err := b.listed(ctx, cdp.UsualTargets)
	if err != nil || !b.targets.known.contains(b.o.Page) || b.targets.full(b.o.Page) != nil {
		return false
	}
	joined := make(chan bool, 1)
	attach := map[string]any{"targetId": b.o.Page, "flatten": true}
	b.root.Send("Target.attachToTarget", attach, func(result json.RawMessage, err error) {
		var got sessionName
		if err == nil && json.Unmarshal(result, &got) == nil {
			b.targets.own.Store(got.Session)
		}
		joined <- b.targets.ownSession() != ""
	})
	select {
	case ok := <-joined:
		return ok
	case <-ctx.Done():
		return false
	}
}

// ownSession is the session that is meant where a message names none, "" for the browser's.
func (t *targets) ownSession() string {
	own, _ := t.own.Load().(string)
	return own
}

// ofPage reports whether a client with a page's own connection gets a message, and leaves out
// the name of the page's session.
func (b *browser) ofPage(m *message) bool {
	switch own := b.targets.ownSession(); {
	case own == "": // it has not come yet
		return false
	case m.Session == own:
		m.Session = ""
	case m.Session == "" && m.Method == "Target.detachedFromTarget":
		var gone sessionName
		if json.Unmarshal(m.Params, &gone) == nil && gone.Session == own {
			b.out.close()
		}
		return false
	case m.Session == "":
		return m.ID != nil // an event of the browser is not the page's
	}
	return true
}
