package lend

import (
	"encoding/json"
	"maps"
	"strings"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/tabwall"
)

// pageRules are the commands of sessions with pages that need more than a list.
var pageRules = map[string]rule{
	"Browser.getVersion":                       browserRules["Browser.getVersion"],
	"Browser.getWindowBounds":                  ownWindow,
	"Browser.getWindowForTarget":               windowOf,
	"Browser.setContentsSize":                  ownWindow,
	"Browser.setWindowBounds":                  ownWindow,
	"Fetch.continueRequest":                    answers,
	"Fetch.continueResponse":                   answers,
	"Fetch.continueWithAuth":                   answers,
	"Fetch.disable":                            holdsAnew,
	"Fetch.enable":                             holdsAnew,
	"Fetch.failRequest":                        answers,
	"Fetch.fulfillRequest":                     answers,
	"Fetch.getResponseBody":                    answers,
	"Fetch.takeResponseBodyAsStream":           answers,
	"Network.clearBrowserCache":                ofProfile,
	"Network.clearBrowserCookies":              ofProfile,
	"Network.deleteCookies":                    deleteCookies,
	"Network.getAllCookies":                    pageCookies,
	"Network.getCookies":                       pageCookies,
	"Network.setCookie":                        setCookie,
	"Network.setCookies":                       setCookies,
	"Page.addScriptToEvaluateOnLoad":           onLoad,
	newDocument:                                inNewDocuments,
	"Page.bringToFront":                        quietly,
	"Page.close":                               closePage,
	"Page.crash":                               inProcess,
	"Page.getFrameTree":                        frameTree,
	"Page.getNavigationHistory":                history,
	"Page.navigate":                            navigate,
	"Page.navigateToHistoryEntry":              toEntry,
	"Page.reload":                              reload,
	"Page.removeScriptToEvaluateOnLoad":        removeScript,
	"Page.removeScriptToEvaluateOnNewDocument": removeScript,
	"Storage.clearCookies":                     clearCookies,
	"Storage.getCookies":                       getCookies,
	"Storage.getUsageAndQuota":                 usage,
	"Storage.setCookies":                       setCookies,
	"Target.detachFromTarget":                  detach,
	"Target.getTargetInfo":                     targetInfo,
	"Target.setAutoAttach":                     partsOf,
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

// inProcess is the rule of what shows all that a renderer process holds: other tabs may
// share it, unless they are of another context.
func inProcess(c *command) error {
	if c.own {
		return nil
	}
	return errOfAll("other tabs that share the page's process")
}

// ofProfile is the rule of what is done to all that a context keeps.
func ofProfile(c *command) error {
	if c.own {
		return nil
	}
	return errOfAll("what the person's browser keeps of all sites")
}

// partsOf attaches a session to the frames and workers of its page.
func partsOf(c *command) error {
	p := &struct {
		On     bool             `json:"autoAttach"`
		Waits  bool             `json:"waitForDebuggerOnStart"`
		Flat   bool             `json:"flatten"`
		Filter cdp.TargetFilter `json:"filter,omitempty"`
	}{}
	if err := c.read(p); err != nil {
		return err
	}
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
func closeTarget(c *command) error {
	if err := ofTarget(true)(c); err != nil {
		return err
	}
	if p, _ := c.params.(*targetParams); c.b.lent(p.ID) {
		b := c.b
		c.do = func(answer func(any, error)) {
			b.returnTab(p.ID)
			answer(map[string]any{"success": true}, nil)
		}
	}
	return nil
}

func closePage(c *command) error {
	if c.b.lent(c.of) {
		b, of := c.b, c.of
		c.do = func(answer func(any, error)) {
			answer(none{}, nil)
			b.returnTab(of)
		}
		return nil
	}
	return c.read(&none{})
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
	b.mu.Lock()
	var held []*holder
	maps.DeleteFunc(b.holders, func(_ string, h *holder) bool {
		if h.page == id {
			held = append(held, h)
		}
		return h.page == id
	})
	b.mu.Unlock()
	dropSessions(b, id)
	for _, h := range held {
		h.Drop()
	}
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
func windowOf(c *command) error {
	if err := ofTarget(false)(c); err != nil {
		return err
	}
	p, _ := c.params.(*targetParams)
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
func ownWindow(c *command) error {
	p := &windowParams{}
	if err := c.read(p); err != nil {
		return err
	}
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	if !c.b.windows[p.Window] {
		return refused("Browser window not found")
	}
	return nil
}
