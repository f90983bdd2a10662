package lend

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// A page of the browser's own, or a file, is the person's before it is there: code of an agent in
// it would have what it may do. A session of ours with each tab, which hears of everything before
// the agent's do, says where it goes.

// sitesOnly begins each script that an agent has run in new documents: it ends the script in one
// that is no site's, or that is a part of such a one. What follows can't change what it asks.
const sitesOnly = `switch (location.protocol) { case "http:": case "https:": case "data:": case "blob:":` +
	` case "about:": case "chrome-error:": break; default: throw "" } ` +
	`if (!/^(https?:|null$)/.test(origin) ||` +
	` ![].every.call(location.ancestorOrigins, (o) => /^(https?:|null$)/.test(o))) throw ""; `

// inNewDocuments is the rule of scripts that run in each document before its own.
func inNewDocuments(c *command) error {
	p := &struct {
		Source string `json:"source"`
		World  string `json:"worldName,omitempty"`
		Line   bool   `json:"includeCommandLineAPI,omitempty"`
		Now    bool   `json:"runImmediately,omitempty"`
	}{}
	if err := c.read(p); err != nil {
		return err
	}
	p.Source = sitesOnly + p.Source
	return nil
}

// browsersOwn are the schemes of pages that are the person's. A page at another one (mailto) is
// none.
var browsersOwn = strings.Fields(`file chrome chrome-untrusted chrome-extension chrome-search devtools view-source
	edge brave`)

// guard hears where a tab of an agent's goes, for as long as it has it.
func guard(b *borrower, id string) {
	to := map[string]any{"targetId": id, "flatten": true}
	b.watch.Send("Target.attachToTarget", to, func(result json.RawMessage, err error) {
		var got struct {
			Session string `json:"sessionId"`
		}
		if err != nil || json.Unmarshal(result, &got) != nil {
			return
		}
		s := b.watch.Adopt(got.Session)
		s.On("Page.frameStartedNavigating", func(params json.RawMessage) {
			var e struct{ FrameID, URL string }
			if json.Unmarshal(params, &e) != nil || e.FrameID != id {
				return
			}
			if u, err := url.Parse(e.URL); err == nil && slices.Contains(browsersOwn, u.Scheme) {
				leaves(b, id)
			}
		})
		s.On("Page.frameStoppedLoading", func(params json.RawMessage) {
			var e struct{ FrameID string }
			if json.Unmarshal(params, &e) == nil && e.FrameID == id {
				arrives(b, id)
			}
		})
		if guardedBy(b, id, s) {
			s.Send("Page.enable", nil, nil)
		}
	})
}

// guardedBy notes a guard. It reports whether it is needed still.
func guardedBy(b *borrower, id string, s *cdp.Session) bool {
	b.mu.Lock()
	t := b.targets[id]
	on := t != nil && t.has && t.guard == nil
	if on {
		t.guard = s
	}
	b.mu.Unlock()
	if !on {
		s.Drop()
	}
	return on
}

// leaves takes a tab away from the agent, for as long as it is on its way to what is the person's.
func leaves(b *borrower, id string) {
	b.mu.Lock()
	t := b.targets[id]
	has := t != nil && t.has
	if has {
		t.away, t.going = true, true
	}
	b.mu.Unlock()
	if has {
		b.giveBack(id)
	}
}

// arrives gives a tab to the agent again that has not gone there.
func arrives(b *borrower, id string) {
	b.mu.Lock()
	t := b.targets[id]
	back := t != nil && t.going && t.atSite()
	made := back && t.made
	if back {
		t.going, t.away = false, false
	}
	b.mu.Unlock()
	if back {
		unguard(b, id)
		b.give(id, made)
	}
}

// unguard ends the guard of a tab that the agent has no more.
func unguard(b *borrower, id string) {
	b.mu.Lock()
	var s *cdp.Session
	if t := b.targets[id]; t != nil && !t.going {
		s, t.guard = t.guard, nil
	}
	b.mu.Unlock()
	if s != nil {
		s.Drop()
	}
}

// away reports whether a session is with a tab that the agent has no more, or with a part of it.
func (s *session) away() bool {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	t := s.b.targets[s.page]
	return !s.browser && t != nil && !t.has
}
