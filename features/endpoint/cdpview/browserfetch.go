package cdpview

import (
	"encoding/json"
	"errors"
)

// Fetch on a session with the browser holds the requests of all its pages. Like a trace, it
// is offered if the browser has one session only. When another comes, it is switched off,
// and the requests that were held go on.

var errFetchOff = errors.New("'Fetch.enable' holds the requests of the whole browser here: " +
	"it is offered where that has one session only; send it to the session of each page")

// enableFetch is the rule of Fetch.enable.
func enableFetch(c *command) error {
	if !c.session.root {
		return nil
	}
	since, sole := c.o.Sole()
	if !sole {
		return errFetchOff
	}
	c.session.fetches.Store(since) // its first event may come before its answer
	return nil
}

// fetchEvent reports whether the client may answer a request that waits in a session with
// the browser. A request that another session may have made goes on. It runs where the
// connection is read.
func (b *browser) fetchEvent(s *session, method string, params json.RawMessage) bool {
	since, sole := b.o.Sole()
	r, ok := requestOf(params)
	if ok && sole && since == s.fetches.Load() {
		s.held.addBounded(r.ID, maxCalls) // requests that were given up end without an event
		return true
	}
	if method == "Fetch.authRequired" {
		usual := map[string]any{"response": "Default"}
		s.Send("Fetch.continueWithAuth", map[string]any{"requestId": r.ID, "authChallengeResponse": usual}, nil)
	} else {
		s.Send("Fetch.continueRequest", map[string]any{"requestId": r.ID}, nil)
	}
	s.Send("Fetch.disable", nil, nil)
	return false
}
