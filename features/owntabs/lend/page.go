package lend

import (
	"encoding/json"
	"maps"
	"strings"

	"pwpipe/features/owntabs/tabwall"
	"pwpipe/internal/browser/cdp"
)

// pageRules are the commands of sessions with pages that need more than a list.
var pageRules = map[string]rule{
	"Browser.getVersion":                       browserRules["Browser.getVersion"],
	"Browser.getWindowBounds":                  with(ownWindow),
	"Browser.getWindowForTarget":               with(windowOf),
	"Browser.setContentsSize":                  with(ownWindow),
	"Browser.setWindowBounds":                  with(ownWindow),
	"Fetch.continueRequest":                    with(answers),
	"Fetch.continueResponse":                   with(answers),
	"Fetch.continueWithAuth":                   with(answers),
	"Fetch.disable":                            holdsAnew,
	"Fetch.enable":                             holdsAnew,
	"Fetch.failRequest":                        with(answers),
	"Fetch.fulfillRequest":                     with(answers),
	"Fetch.getResponseBody":                    with(answers),
	"Fetch.takeResponseBodyAsStream":           with(answers),
	"Network.clearBrowserCache":                ofProfile,
	"Network.clearBrowserCookies":              ofProfile,
	"Network.deleteCookies":                    with(deleteCookies),
	"Network.getAllCookies":                    pageCookies,
	"Network.getCookies":                       pageCookies,
	"Network.setCookie":                        with(setCookie),
	"Network.setCookies":                       with(setCookies),
	"Page.addScriptToEvaluateOnLoad":           with(onLoad),
	newDocument:                                with(inNewDocuments),
	"Page.bringToFront":                        quietly,
	"Page.close":                               with(closePage),
	"Page.crash":                               inProcess,
	"Page.getFrameTree":                        frameTree,
	"Page.getNavigationHistory":                with(history),
	"Page.navigate":                            with(navigate),
	"Page.navigateToHistoryEntry":              with(toEntry),
	"Page.reload":                              with(reload),
	"Page.removeScriptToEvaluateOnLoad":        with(removeScript),
	"Page.removeScriptToEvaluateOnNewDocument": with(removeScript),
	"Storage.clearCookies":                     with(clearCookies),
	"Storage.getCookies":                       with(getCookies),
	"Storage.getUsageAndQuota":                 with(usage),
	"Storage.setCookies":                       with(setCookies),
	"Target.detachFromTarget":                  with(detach),
	"Target.getTargetInfo":                     with(targetInfo),
	"Target.setAutoAttach":                     with(partsOf),
}

// pageRule is the rule of a command of a session with a page, nil if it is refused.
func (c *command) pageRule() rule {
	if own, listed := pageRules[c.method]; listed {
		return own
	}
	judges := tabwall.Of(c.method, c.own)
	if judges == nil {
		if domain, _, _ := strings.Cut(c.method, "."); domain == "HeapProfiler" || domain == "Profiler" {
			return inProcess
		}
		return nil
	}
	return func(c *command) error {
		v, err := judges(c.raw)
		switch {
		case err != nil:
			return err
		case v.Done:
			return quietly(c)
		case v.Params != nil:
			c.params = v.Params
		}
		return nil
	}
}

// inProcess is for commands that show a whole renderer process. Other tabs of its context may share
// it. ofProfile is for commands that change all that a context keeps.
var (
	inProcess = reaches("other tabs that share the page's process")
	ofProfile = reaches("what the person's browser keeps of all sites")
)

// reaches is the rule of commands that only contexts of the agent may get.
func reaches(what string) rule {
	return func(c *command) error {
		if c.own {
			return nil
		}
		return tabwall.ErrOfAll(what)
	}
}

// partsOf attaches a session to the frames and workers of its page.
func partsOf(c *command, p *struct {
	On     bool             `json:"autoAttach"`
	Waits  bool             `json:"waitForDebuggerOnStart"`
	Flat   bool             `json:"flatten"`
	Filter cdp.TargetFilter `json:"filter,omitempty"`
}) error {
	p.Flat = true
	return nil
}

// lent reports whether a target is a tab that was there before the agent.
func (b *borrower) lent(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.targets[id]
	return t != nil && t.has && !t.made && !b.made[t.info.Context]
}

// closeTarget closes a page that the agent opened, and gives a lent one back.
func closeTarget(c *command, p *targetParams) error {
	if err := c.target(p.ID); err != nil {
		return err
	}
	if b := c.b; b.lent(p.ID) {
		c.do = func(answer reply) {
			b.returnTab(p.ID)
			answer(json.RawMessage(`{"success":true}`), nil)
		}
	}
	return nil
}

func closePage(c *command, _ *none) error {
	if b, of := c.b, c.of; b.lent(of) {
		c.do = func(answer reply) {
			answer(empty, nil)
			b.returnTab(of)
		}
	}
	return nil
}

// returnTab gives a lent tab back for good.
func (b *borrower) returnTab(id string) {
	b.giveBack(id)
	b.unguard(id)
}

// giveBack gives a lent tab back, still open. For the agent it is closed.
func (b *borrower) giveBack(id string) {
	b.lose(id)
	b.release(id)
}

// lose ends that a tab is the agent's. Its sessions neither say nor do anything from now on.
func (b *borrower) lose(id string) {
	b.mu.Lock()
	t := b.targets[id]
	if t == nil || !t.has {
		b.mu.Unlock()
		return
	}
	t.has = false
	maps.DeleteFunc(b.downloads.frames, func(_, page string) bool { return page == id })
	to := b.discovering(t)
	b.mu.Unlock()
	for _, s := range to {
		b.say(message{Method: "Target.targetDestroyed", Params: encoded(targetParams{id}), Session: s})
	}
	b.lender.release(id, b)
}

// release ends the sessions with a tab that is not the agent's any more.
func (b *borrower) release(id string) {
	dropSessions(b, id)
	b.dropHolders(func(h *holder) bool { return h.page == id })
}

// dropSessions ends the agent's sessions with a target. The browser tells the agent.
func dropSessions(b *borrower, id string) {
	b.mu.Lock()
	var with []*session
	for _, s := range b.sessions {
		if s.of == id {
			with = append(with, s)
		}
	}
	b.mu.Unlock()
	for _, s := range with {
		s.Drop()
	}
}

// frameTree notes the frames of a page.
func frameTree(c *command) error {
	type tree struct {
		Frame struct {
			ID string `json:"id"`
		} `json:"frame"`
		Below []json.RawMessage `json:"childFrames"`
	}
	c.then = func(result json.RawMessage) json.RawMessage {
		var got struct {
			Tree json.RawMessage `json:"frameTree"`
		}
		if json.Unmarshal(result, &got) != nil {
			return result
		}
		for list := []json.RawMessage{got.Tree}; len(list) > 0; list = list[1:] {
			var t tree
			if json.Unmarshal(list[0], &t) == nil {
				c.b.noteFrame(t.Frame.ID, c.page)
				list = append(list, t.Below...)
			}
		}
		return result
	}
	return nil
}

// windowOf notes the windows of pages in contexts that the agent made: no tab of the
// person's is in them.
func windowOf(c *command, p *targetParams) error {
	if err := c.target(p.ID); err != nil {
		return err
	}
	c.then = func(result json.RawMessage) json.RawMessage {
		var got struct {
			Window int64 `json:"windowId"`
		}
		c.b.mu.Lock()
		defer c.b.mu.Unlock()
		own := c.own && p.ID == ""
		if t := c.b.targets[p.ID]; t != nil {
			own = c.b.made[t.info.Context]
		}
		if own && json.Unmarshal(result, &got) == nil {
			c.b.windows[got.Window] = true
		}
		return result
	}
	return nil
}

// windowParams are those of commands for a window.
type windowParams struct {
	Window int64 `json:"windowId"`
	Width  *int  `json:"width,omitempty"`
	Height *int  `json:"height,omitempty"`
	Bounds *struct {
		Left   *int   `json:"left,omitempty"`
		Top    *int   `json:"top,omitempty"`
		Width  *int   `json:"width,omitempty"`
		Height *int   `json:"height,omitempty"`
		State  string `json:"windowState,omitempty"`
	} `json:"bounds,omitempty"`
}

// ownWindow is the rule of commands for a window: one of the agent's, and no other.
func ownWindow(c *command, p *windowParams) error {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	if !c.b.windows[p.Window] {
		return refused("Browser window not found")
	}
	return nil
}
