package lend

import (
	"encoding/json"
	"fmt"

	"pwpipe/internal/browser/cdp"
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

// with makes a rule that decodes the params of a command into a struct of ours. The struct is sent
// in their place.
func with[P any](judge func(*command, *P) error) rule {
	return func(c *command) error {
		p := new(P)
		if len(c.raw) > 0 {
			if err := json.Unmarshal(c.raw, p); err != nil {
				return &cdp.Error{Code: codeInvalid, Message: err.Error()}
			}
		}
		c.params = p
		return judge(c, p)
	}
}

// none is what has no params, or no result.
type none struct{}

// bare lets a command through without any params.
func bare(*command, *none) error { return nil }

var empty = json.RawMessage("{}")

// browserRules are the commands of sessions with the browser.
var browserRules = map[string]rule{
	"Browser.getVersion":           with(bare),
	"Browser.setDownloadBehavior":  with(downloadBehavior),
	"Browser.cancelDownload":       with(cancelDownload),
	"Browser.grantPermissions":     with(grantPermissions),
	"Browser.setPermission":        with(setPermission),
	"Browser.resetPermissions":     with(ofContext),
	"Browser.getWindowForTarget":   with(windowOf),
	"Browser.getWindowBounds":      with(ownWindow),
	"Browser.setContentsSize":      with(ownWindow),
	"Browser.setWindowBounds":      with(ownWindow),
	"Fetch.enable":                 with(holdAll),
	"Fetch.disable":                holdNothing,
	"Fetch.continueRequest":        with(letGo),
	"Fetch.failRequest":            with(letGo),
	"Storage.getCookies":           with(getCookies),
	"Storage.setCookies":           with(setCookies),
	"Storage.clearCookies":         with(clearCookies),
	"Target.activateTarget":        quietly,
	"Target.attachToBrowserTarget": with(bare),
	"Target.attachToTarget":        with(attach),
	"Target.closeTarget":           with(closeTarget),
	"Target.createBrowserContext":  with(createContext),
	"Target.createTarget":          with(createTarget),
	"Target.detachFromTarget":      with(detach),
	"Target.disposeBrowserContext": with(disposeContext),
	"Target.getBrowserContexts":    listContexts,
	"Target.getTargetInfo":         with(targetInfo),
	"Target.getTargets":            with(listTargets),
	"Target.setAutoAttach":         with(autoAttach),
	"Target.setDiscoverTargets":    with(discover),
}

func refused(format string, a ...any) error {
	return &cdp.Error{Code: codeRefused, Message: fmt.Sprintf(format, a...)}
}

// answer answers in place of the browser.
func (c *command) answer(v any) error {
	c.do = func(answer reply) { answer(encoded(v), nil) }
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

type contextParams struct {
	Context string `json:"browserContextId,omitempty"`
}

// ofContext is the rule of a command that is for a context.
func ofContext(c *command, p *contextParams) error {
	return c.place(&p.Context)
}

// place judges a context. Chromium takes no name for the person's.
func (c *command) place(context *string) error {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	switch {
	case *context == c.b.home:
		*context = ""
	case *context != "" && !c.b.made[*context]:
		return refused("Failed to find browser context with the given id")
	}
	return nil
}

type targetParams struct {
	ID string `json:"targetId,omitempty"`
}

// target judges a target that a command names: one of the agent's. Without a name it is the page's
// of the session. The error is Chromium's own, so that nobody can tell a tab of the person's from none.
func (c *command) target(id string) error {
	if id == "" && !c.browser || c.b.has(id) {
		return nil
	}
	return refused("No target with given id found")
}

func attach(c *command, p *struct {
	ID   string `json:"targetId"`
	Flat bool   `json:"flatten"`
}) error {
	p.Flat = true
	return c.target(p.ID)
}

func detach(c *command, p *struct {
	Session string `json:"sessionId"`
}) error {
	c.b.mu.Lock()
	s := c.b.sessions[p.Session]
	c.b.mu.Unlock()
	if s == nil || p.Session == "" {
		return refused("No session with given id")
	}
	return nil
}

// createTarget opens a page without taking the person's focus.
func createTarget(c *command, p *struct {
	URL        string `json:"url"`
	Width      int    `json:"width,omitempty"`
	Height     int    `json:"height,omitempty"`
	Context    string `json:"browserContextId,omitempty"`
	NewWindow  bool   `json:"newWindow,omitempty"`
	Background bool   `json:"background"`
}) error {
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
	c.do = func(answer reply) { c.session.open(p, made, to, answer) }
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
	b.attach(id, func(s *cdp.Session) {
		if s != nil {
			s.Send("Page.navigate", map[string]any{"url": to}, func(json.RawMessage, error) { s.Drop() })
		}
	})
}

// open opens a page, which then goes to an address. Its answer comes after the session, if that
// attaches to all pages, has attached to it.
func (s *session) open(params any, made bool, to string, answer reply) {
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

func targetInfo(c *command, p *targetParams) error {
	if p.ID == "" && c.browser {
		return nil // of the browser itself
	}
	if err := c.target(p.ID); err != nil {
		return err
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

func listTargets(c *command, _ *struct {
	Filter cdp.TargetFilter `json:"filter,omitempty"`
}) error {
	c.then = func(result json.RawMessage) json.RawMessage {
		var got struct {
			Infos []json.RawMessage `json:"targetInfos"`
		}
		_ = json.Unmarshal(result, &got)
		list := []json.RawMessage{}
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
func autoAttach(c *command, p *struct {
	On bool `json:"autoAttach"`
}) error {
	s := c.session
	c.do = func(answer reply) {
		s.b.mu.Lock()
		s.attaches = p.On
		var pages []string
		for id, t := range s.b.targets {
			if p.On && t.has && s.b.joins(t) {
				pages = append(pages, id)
			}
		}
		s.b.mu.Unlock()
		forAll(pages, s.join, func() { answer(empty, nil) })
	}
	return nil
}

// discover has a session told of the agent's targets.
func discover(c *command, p *struct {
	On     bool             `json:"discover"`
	Filter cdp.TargetFilter `json:"filter"`
}) error {
	s := c.session
	c.do = func(answer reply) {
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
		answer(empty, nil)
	}
	return nil
}
