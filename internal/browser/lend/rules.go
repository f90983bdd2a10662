package lend

import (
	"encoding/json"
	"fmt"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/tabwall"
)

// judge says what is sent of a command, if anything. A session with the browser may send
// what browserRules lists; a session with a page, or with a part of it, what can't reach
// beyond the page.
func (c *command) judge() error {
	rule := browserRules[c.method]
	if !c.browser {
		rule = c.pageRule()
	}
	if rule == nil {
		return &cdp.Error{Code: codeNoMethod, Message: fmt.Sprintf("'%.80s' is refused: "+
			"in the browser that a person uses, pwpipe has only the tabs that it opened or was lent", c.method)}
	}
	return rule(c)
}

type rule func(*command) error

// none is what has no params, or no result.
type none struct{}

// browserRules are the commands of sessions with the browser.
var browserRules = map[string]rule{
	"Browser.getVersion":           func(c *command) error { return c.read(&none{}) },
	"Browser.setDownloadBehavior":  downloadBehavior,
	"Browser.cancelDownload":       cancelDownload,
	"Browser.grantPermissions":     grantPermissions,
	"Browser.setPermission":        setPermission,
	"Browser.resetPermissions":     ofContext,
	"Browser.getWindowForTarget":   windowOf,
	"Browser.getWindowBounds":      ownWindow,
	"Browser.setContentsSize":      ownWindow,
	"Browser.setWindowBounds":      ownWindow,
	"Fetch.enable":                 holdAll,
	"Fetch.disable":                holdNothing,
	"Fetch.continueRequest":        letGo,
	"Fetch.failRequest":            letGo,
	"Storage.getCookies":           getCookies,
	"Storage.setCookies":           setCookies,
	"Storage.clearCookies":         clearCookies,
	"Target.activateTarget":        quietly,
	"Target.attachToBrowserTarget": func(c *command) error { return c.read(&none{}) },
	"Target.attachToTarget":        attach,
	"Target.closeTarget":           closeTarget,
	"Target.createBrowserContext":  createContext,
	"Target.createTarget":          createTarget,
	"Target.detachFromTarget":      detach,
	"Target.disposeBrowserContext": disposeContext,
	"Target.getBrowserContexts":    listContexts,
	"Target.getTargetInfo":         targetInfo,
	"Target.getTargets":            listTargets,
	"Target.setAutoAttach":         autoAttach,
	"Target.setDiscoverTargets":    discover,
}

func refused(format string, a ...any) error {
	return &cdp.Error{Code: codeRefused, Message: fmt.Sprintf(format, a...)}
}

// errNoTarget is Chromium's own, so that nobody can tell a tab of the person's from none.
func errNoTarget() error { return refused("No target with given id found") }

// answer answers in place of the browser.
func (c *command) answer(v any) error {
	c.do = func(answer func(any, error)) { answer(v, nil) }
	return nil
}

// quietly is for what would take the person's focus.
func quietly(c *command) error { return c.answer(none{}) }

// has reports whether a target is the agent's.
func (b *borrower) has(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.targets[id]
	return t != nil && t.has
}

// allows reports whether the agent may name a context: none is the person's.
func (b *borrower) allows(context string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if context == "" || context == b.home || b.made[context] {
		return nil
	}
	return refused("Failed to find browser context with the given id")
}

type contextParams struct {
	Context string `json:"browserContextId,omitempty"`
}

// ofContext is the rule of a command that is for a context.
func ofContext(c *command) error {
	p := &contextParams{}
	if err := c.read(p); err != nil {
		return err
	}
	return c.place(&p.Context)
}

// place judges a context. Chromium takes no name for the person's.
func (c *command) place(context *string) error {
	if err := c.b.allows(*context); err != nil {
		return err
	}
	if *context == c.b.home {
		*context = ""
	}
	return nil
}

type targetParams struct {
	ID string `json:"targetId,omitempty"`
}

// ofTarget is the rule of a command for one of the agent's targets. Without a name it is
// for the session's own, unless one is needed.
func ofTarget(needed bool) rule {
	return func(c *command) error {
		p := &targetParams{}
		if err := c.read(p); err != nil {
			return err
		}
		if p.ID == "" && !needed && !c.browser {
			return nil
		}
		if !c.b.has(p.ID) {
			return errNoTarget()
		}
		return nil
	}
}

func attach(c *command) error {
	p := &struct {
		ID   string `json:"targetId"`
		Flat bool   `json:"flatten"`
	}{}
	if err := c.read(p); err != nil {
		return err
	}
	if !c.b.has(p.ID) {
		return errNoTarget()
	}
	p.Flat = true
	return nil
}

func detach(c *command) error {
	p := &struct {
		Session string `json:"sessionId"`
	}{}
	if err := c.read(p); err != nil {
		return err
	}
	c.b.mu.Lock()
	s := c.b.sessions[p.Session]
	c.b.mu.Unlock()
	if s == nil || p.Session == "" {
		return refused("No session with given id")
	}
	return nil
}

// createTarget opens a page without taking the person's focus.
func createTarget(c *command) error {
	p := &struct {
		URL        string `json:"url"`
		Width      int    `json:"width,omitempty"`
		Height     int    `json:"height,omitempty"`
		Context    string `json:"browserContextId,omitempty"`
		NewWindow  bool   `json:"newWindow,omitempty"`
		Background bool   `json:"background"`
	}{}
	if err := c.read(p); err != nil {
		return err
	}
	if err := mayOpen(p.URL); err != nil {
		return err
	}
	if err := c.place(&p.Context); err != nil {
		return err
	}
	p.Background, p.NewWindow = true, p.NewWindow || c.b.wants.OwnWindow
	made, to := p.Context == "", ""
	if made && p.URL != blank { // once the guard is there
		p.URL, to = blank, p.URL
	}
	c.do = func(answer func(any, error)) { c.session.open(p, made, to, answer) }
	return nil
}

const blank = "about:blank"

// navigate has a new tab go to an address, unless the agent has ended. The commands of its guard are before this one.
func (b *borrower) navigate(id, to string) {
	b.mu.Lock()
	ended := b.ended
	b.mu.Unlock()
	if to == "" || ended {
		return
	}
	at := map[string]any{"targetId": id, "flatten": true}
	b.watch.Send("Target.attachToTarget", at, func(result json.RawMessage, err error) {
		var got struct {
			Session string `json:"sessionId"`
		}
		if err != nil || json.Unmarshal(result, &got) != nil {
			return
		}
		s := b.watch.Adopt(got.Session)
		s.Send("Page.navigate", map[string]any{"url": to}, func(json.RawMessage, error) { s.Drop() })
	})
}

// open opens a page, which then goes to an address. Its answer comes after the session, if that
// attaches to all pages, has attached to it.
func (s *session) open(params any, made bool, to string, answer func(any, error)) {
	b := s.b
	b.mu.Lock()
	ended := b.ended
	if !ended {
		b.opening++
	}
	b.mu.Unlock()
	if ended {
		answer(nil, cdp.ErrGone)
		return
	}
	s.Send("Target.createTarget", params, func(result json.RawMessage, err error) {
		var got targetParams
		opened := err == nil && json.Unmarshal(result, &got) == nil && got.ID != ""
		if opened {
			b.give(got.ID, made)
			b.navigate(got.ID, to)
		}
		b.mu.Lock()
		b.opening--
		attaches := s.attaches && !b.ended
		b.mu.Unlock()
		if !opened || !attaches {
			answer(result, err)
			return
		}
		s.join(got.ID, func() { answer(result, nil) })
	})
}

func targetInfo(c *command) error {
	if err := ofTarget(false)(c); err != nil {
		p, named := c.params.(*targetParams)
		if !named || p.ID != "" || !c.browser {
			return err
		}
		return nil // of the browser itself
	}
	c.then = func(result json.RawMessage) json.RawMessage {
		t := targetOf(result)
		if t == nil {
			return encoded(none{})
		}
		c.b.mu.Lock()
		defer c.b.mu.Unlock()
		return encoded(map[string]any{"targetInfo": c.b.shown(t)})
	}
	return nil
}

type filterParams struct {
	Filter cdp.TargetFilter `json:"filter,omitempty"`
}

func listTargets(c *command) error {
	if err := c.read(&filterParams{}); err != nil {
		return err
	}
	c.then = func(result json.RawMessage) json.RawMessage {
		var got struct {
			Infos []json.RawMessage `json:"targetInfos"`
		}
		list := []json.RawMessage{}
		if json.Unmarshal(result, &got) != nil {
			return encoded(map[string]any{"targetInfos": list})
		}
		c.b.mu.Lock()
		defer c.b.mu.Unlock()
		for _, raw := range got.Infos {
			t := &target{}
			if !t.read(raw) {
				continue
			}
			if known := c.b.targets[t.info.ID]; known != nil && known.has || c.b.made[t.info.Context] {
				list = append(list, c.b.shown(t))
			}
		}
		return encoded(map[string]any{"targetInfos": list})
	}
	return nil
}

// autoAttach has a session with the browser attached to each page of the agent's. The
// browser itself would attach to all.
func autoAttach(c *command) error {
	p := &struct {
		On bool `json:"autoAttach"`
	}{}
	if err := c.read(p); err != nil {
		return err
	}
	s := c.session
	c.do = func(answer func(any, error)) {
		s.b.mu.Lock()
		s.attaches = p.On
		var pages []string
		for id, t := range s.b.targets {
			if p.On && t.has && s.b.joins(t) {
				pages = append(pages, id)
			}
		}
		s.b.mu.Unlock()
		forAll(pages, s.join, func() { answer(none{}, nil) })
	}
	return nil
}

// discover has a session told of the agent's targets.
func discover(c *command) error {
	p := &struct {
		On     bool             `json:"discover"`
		Filter cdp.TargetFilter `json:"filter"`
	}{}
	if err := c.read(p); err != nil {
		return err
	}
	s := c.session
	c.do = func(answer func(any, error)) {
		filter := p.Filter
		if filter == nil {
			filter = cdp.UsualTargets
		}
		s.b.mu.Lock()
		s.discovers = nil
		var created []json.RawMessage
		if p.On {
			s.discovers = filter
			for _, t := range s.b.targets {
				if t.has && t.raw != nil && filter.Passes(t.info.Type) {
					created = append(created, encoded(map[string]any{"targetInfo": s.b.shown(t)}))
				}
			}
		}
		s.b.mu.Unlock()
		for _, params := range created {
			s.b.say(message{Method: "Target.targetCreated", Params: params, Session: s.id})
		}
		answer(none{}, nil)
	}
	return nil
}

func errOfAll(what string) error { return tabwall.ErrOfAll(what) }
