package cdpview

import (
	"encoding/json"
	"errors"
)

// Fetch on a session with the browser holds the requests of all its pages. Like a trace
// it is offered where the browser has one session only. Once another comes, it is
// switched off, and what was held until then goes on.

var errFetchOff = errors.New("'Fetch.enable' holds the requests of the whole browser here: it is offered where that has one session only; send it to the session of each page")

// enableFetch judges Fetch.enable.
func enableFetch(c *command) error {
	if !c.session.root {
		return nil
	}
	since, sole := c.o.sole()
	if !sole {
		return errFetchOff
	}
	c.session.fetches.Store(since) // its first event may come before its answer
	return nil
}

// fetchEvent says whether a session with the browser tells the client of a request. One
// that another session may have made goes on. It runs where the connection is read.
func (b *browser) fetchEvent(s *session, method string, params json.RawMessage) bool {
	since, sole := b.o.sole()
	r, ok := pausedOf(params)
	if ok && sole && since == s.fetches.Load() {
		s.held.addBounded(r.ID, maxCalls) // requests that were given up end without an event
		return true
	}
	if method == "Fetch.authRequired" {
		s.Send("Fetch.continueWithAuth", map[string]any{"requestId": r.ID, "authChallengeResponse": map[string]any{"response": "Default"}}, nil)
	} else {
		s.Send("Fetch.continueRequest", map[string]any{"requestId": r.ID}, nil)
	}
	s.Send("Fetch.disable", nil, nil)
	return false
}
