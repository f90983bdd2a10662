package lend

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// A tab that goes to a file, or to a page of the browser's own, belongs to the person from the
// start of that navigation: an agent's code there would have the rights of that page. pwpipe has a
// session of its own with each tab. It hears of each event before the agent's sessions do, and it
// holds files until the agent's sessions have ended. Chromium does not hold its own pages.
//
// If a session ends while a request is on its way to it, the request waits for ever. So on the way
// to a file the agent's sessions only fall silent. They end when the request has reached ours.

// guard is that session.
type guard struct {
	*cdp.Session
	b   *borrower
	tab string
}

// whose says who has a tab.
type whose struct {
	has  bool // it is the agent's
	made bool // and closed at its end
	away bool // it is not, while the person has it at a page of the browser's own

	guard *guard // for as long as one of them is so; nil before it is there
	going bool   // it is on its way to a page of the browser's own
	turns string // and the loader that takes it elsewhere, "" for none
}

// browsersOwn are the schemes at which a navigation makes a tab the person's at once. A navigation
// to another scheme that is no site's (mailto) starts another program, and the tab stays where it
// is. Where a tab is at last, and where scripts run, lists of what is allowed decide: see atSite
// and barred.
var browsersOwn = strings.Fields(`file chrome chrome-untrusted chrome-extension chrome-search chrome-native
	isolated-app devtools view-source filesystem content edge brave`)

func isBrowsersOwn(address string) bool {
	u, err := url.Parse(address)
	return err != nil || slices.Contains(browsersOwn, strings.ToLower(u.Scheme))
}

// attach opens a session of ours with a target. then gets it, or nil.
func (b *borrower) attach(target string, then func(*cdp.Session)) {
	to := map[string]any{"targetId": target, "flatten": true}
	b.watch.Send("Target.attachToTarget", to, func(result json.RawMessage, err error) {
		var got struct {
			Session string `json:"sessionId"`
		}
		if err != nil || json.Unmarshal(result, &got) != nil {
			then(nil)
			return
		}
		then(b.watch.Adopt(got.Session))
	})
}

// guards attaches a guard to a tab.
func (b *borrower) guards(id string) {
	b.attach(id, func(own *cdp.Session) {
		if own == nil {
			return
		}
		g := &guard{own, b, id}
		b.mu.Lock()
		t := b.targets[id]
		personal := t != nil && !b.made[t.info.Context]
		needed := t != nil && (t.has || t.away) && t.guard == nil
		if needed {
			t.guard = g
		}
		b.mu.Unlock()
		if !needed {
			g.Drop()
			return
		}
		g.On("Page.frameStartedNavigating", g.starts)
		g.On("Page.frameNavigated", g.navigated)
		g.On("Fetch.requestPaused", g.paused)
		g.Send("Page.enable", nil, nil)
		files := map[string]any{"urlPattern": "file:*"}
		g.Send("Fetch.enable", map[string]any{"patterns": []any{files}}, nil)
		if personal {
			g.On("Security.certificateError", g.warns)
			g.Send("Security.enable", nil, nil)
			g.Send("Security.setOverrideCertificateErrors", map[string]any{"override": true}, nil)
		}
	})
}

// warns has a navigation fail where Chromium would show a warning about a certificate: an agent would
// click it away, for the whole profile and for days.
func (g *guard) warns(params json.RawMessage) {
	var e struct {
		ID int64 `json:"eventId"`
	}
	if json.Unmarshal(params, &e) == nil {
		cancel := map[string]any{"eventId": e.ID, "action": "cancel"}
		g.Send("Security.handleCertificateError", cancel, nil)
	}
}

// unguard ends the guard of a tab.
func (b *borrower) unguard(id string) {
	b.mu.Lock()
	var g *guard
	if t := b.targets[id]; t != nil {
		g, t.guard = t.guard, nil
	}
	b.mu.Unlock()
	if g != nil {
		g.Drop()
	}
}

// starts takes the tab from the agent when it starts for a page of the browser's own.
func (g *guard) starts(params json.RawMessage) {
	var e struct {
		Frame  string `json:"frameId"`
		URL    string `json:"url"`
		Loader string `json:"loaderId"`
	}
	if json.Unmarshal(params, &e) != nil || e.Frame != g.tab {
		return
	}
	if isBrowsersOwn(e.URL) {
		g.leaves()
		if !strings.HasPrefix(e.URL, "file:") {
			g.b.release(g.tab)
		}
		return
	}
	g.b.mu.Lock()
	defer g.b.mu.Unlock()
	if t := g.b.targets[g.tab]; t != nil && t.going {
		t.turns = e.Loader
	}
}

// paused lets a file go on, behind the end of the agent's sessions: Chromium does one after the
// other.
func (g *guard) paused(params json.RawMessage) {
	p, ok := pausedOf(params)
	if !ok {
		return
	}
	if p.Frame == g.tab && p.Type == "Document" {
		g.leaves()
		g.b.release(g.tab)
	}
	g.Send("Fetch.continueRequest", map[string]any{"requestId": p.ID}, nil)
}

// leaves gives the tab to the person, for as long as it is there or on its way.
func (g *guard) leaves() {
	b := g.b
	b.mu.Lock()
	t := b.targets[g.tab]
	if t != nil && (t.has || t.away) {
		t.away, t.going, t.turns = true, true, ""
	}
	b.mu.Unlock()
	b.lose(g.tab)
}

// navigated gives the tab to the agent again that has gone elsewhere instead.
func (g *guard) navigated(params json.RawMessage) {
	var e struct {
		Frame struct {
			ID     string `json:"id"`
			Loader string `json:"loaderId"`
		} `json:"frame"`
	}
	if json.Unmarshal(params, &e) != nil || e.Frame.ID != g.tab {
		return
	}
	b := g.b
	b.mu.Lock()
	t := b.targets[g.tab]
	lost := t != nil && !t.has
	if t == nil || !t.going || t.turns == "" || t.turns != e.Frame.Loader {
		b.mu.Unlock()
		if lost {
			b.release(g.tab) // a file that was kept is not fetched
		}
		return
	}
	t.going, t.turns = false, ""
	returns, made := t.returns(), t.made
	if returns {
		t.away = false
	}
	b.mu.Unlock()
	b.release(g.tab)
	if returns {
		b.give(g.tab, made)
	}
}

// returns reports whether a tab is the agent's again. A page without an address may be a file's.
func (t *target) returns() bool {
	return t.away && !t.going && t.atSite() && !strings.HasPrefix(t.info.URL, "about:")
}
