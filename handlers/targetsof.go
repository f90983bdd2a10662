package handlers

import "github.com/playwright-community/playwright-go"

// watchTargets has the browser tell of its pages, where it can. Of a persistent
// profile a page is asked, once there is one.
func (e *engine) watchTargets() {
	if !e.chromium {
		return
	}
	t := newTargets()
	if e.browser != nil {
		cdp, err := e.browser.NewBrowserCDPSession()
		if err != nil || t.listen(cdp) != nil {
			return
		}
	}
	e.targets = t
	go func() { <-e.gone; t.drop() }()
}

// joinTargets has the page be the one that tells of all, until it is gone.
func (p *page) joinTargets() {
	s := p.session
	p.engine.targets.join(func() (playwright.CDPSession, error) { return p.context.NewCDPSession(p.pw) }, p.gone, func() {
		for _, other := range s.openPages() {
			other.joinTargets()
		}
	})
}

// identify tells the browser's list of pages which one this is.
func (p *page) identify() {
	t := p.engine.targets
	if t == nil {
		return
	}
	if p.engine.browser == nil {
		p.joinTargets()
	}
	reply, _ := p.devtools("Target.getTargetInfo", nil)
	info, _ := reply["targetInfo"].(map[string]any)
	id, _ := info["targetId"].(string)
	context, _ := info["browserContextId"].(string)
	s := p.session
	s.mu.Lock()
	var owner *pageOwner
	if !s.theirs[p.context] && s.contexts.names[p.context] != "" {
		owner = s.owner
		s.counted[p.context] = context
	}
	s.mu.Unlock()
	p.known.Store(id != "")
	if id != "" && !t.know(p, id, context, owner) {
		p.tooMany.Store(true)
		s.dropPage(p, p.fate())
	}
}

// ownPages makes the session the owner of its pages, which count in its room.
func (s *Session) ownPages() {
	s.owner = &pageOwner{room: s.room, surplus: func(opener any) {
		p, _ := opener.(*page)
		s.turnedAway(p)
	}}
}
