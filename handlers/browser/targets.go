package browser

import (
	"pwpipe/handlers/targetlist"
)

// watchTargets has the browser report its pages, where it can. With a persistent
// profile a page's session reports them, once there is a page.
func (e *Engine) watchTargets() {
	if !e.Chromium {
		return
	}
	t := targetlist.New(func(page any) {
		p := page.(*Page)
		p.arrived.Store(p.Documents.Load())
	})
	if e.Browser != nil {
		cdp, err := e.Browser.NewBrowserCDPSession()
		if err != nil || t.Listen(nil, cdp) != nil {
			return
		}
	}
	e.targets = t
	go func() { <-e.Gone; t.Drop() }()
}

// flooded closes a page that makes the browser send more than can be handled, so that it costs its
// own session only. A tab that a person had open stays in their browser.
func (e *Engine) flooded(target string) {
	e.NoteFate(target, FateFlooded)
	p, _ := e.targets.Page(target).(*Page)
	if p != nil {
		p.Session.Browser.Log.Warn("a page was closed: it sent more than can be handled", "page", p.Name)
		p.Session.dropFlooded(p)
	}
	if p != nil && p.foundAt.Load() != nil {
		return
	}
	if s, _, err := e.Line(); err == nil {
		s.Send("Target.closeTarget", map[string]any{"targetId": target}, nil)
	}
}

// FateFlooded is what became of such a page.
const FateFlooded = "it was closed, because its scripts made the browser send more (console lines, requests, …) " +
	"than can be handled"

// joinTargets has the page's session report all pages, until it is gone, unless
// another session does.
func (p *Page) joinTargets() {
	s := p.Session
	p.Engine.targets.Join(p, p.OpenDevTools, p.Gone, func() {
		for _, other := range s.OpenPages() {
			other.joinTargets()
		}
	})
}

// identify tells the browser's list of pages which one this is.
func (p *Page) identify() {
	t := p.Engine.targets
	if t == nil {
		return
	}
	if p.Engine.Browser == nil {
		p.joinTargets()
	}
	reply, _ := p.DevTools("Target.getTargetInfo", nil)
	info, _ := reply["targetInfo"].(map[string]any)
	id, _ := info["targetId"].(string)
	context, _ := info["browserContextId"].(string)
	s := p.Session
	owner := s.countIn(p.Context, context)
	p.is.Store(&identity{id, context})
	if id != "" && !t.Know(p, id, context, owner) {
		p.tooMany.Store(true)
		s.DropPage(p, p.fate())
	}
}

// Arrived is how many of its Documents the browser's own process has, as far as it
// reports: a renderer reports a document first. Chromium does not report a navigation
// that begins in between, and Playwright waits for it in vain.
func (p *Page) Arrived() int64 {
	if p.Engine.targets == nil || p.Target() == "" {
		return p.Documents.Load()
	}
	return p.arrived.Load()
}

// ownPages makes the session the owner of its pages, which count in its room.
func (s *Session) ownPages() {
	s.owner = &targetlist.Owner{Room: s.room, Surplus: func(opener any) {
		p, _ := opener.(*Page)
		s.turnedAway(p)
	}}
}
