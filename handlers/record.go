package handlers

import (
	"errors"

	"github.com/playwright-community/playwright-go"
)

// recordHook has what happens recorded.
var recordHook = Hooks{
	Context: func(s *Session, o *Opened) error { s.recordContext(o.Engine, o.BrowserContext); return nil },
	Page:    func(p *page) { p.session.recordPage(p) },
	Surplus: func(s *Session, opener *page) {
		e := Event{Kind: EventPopup, Text: closedTooMany}
		if opener != nil {
			e.Page = opener.name
		}
		recorded.Of(s).add(e)
	},
}

// recordContext has a context's events recorded. They are listened to on the
// context rather than on each page: that is one subscription instead of one a
// page, and misses nothing of a page's first moments.
func (s *Session) recordContext(e *engine, c playwright.BrowserContext) {
	record := recorded.Of(s).add
	c.OnConsole(func(m playwright.ConsoleMessage) {
		at := m.Location()
		record(Event{Kind: EventConsole, Page: s.handleOf(e, c, m.Page()), Type: m.Type(), Text: m.Text(), URL: at.URL, Line: at.LineNumber + 1})
	})
	c.OnWebError(func(w playwright.WebError) {
		ev := Event{Kind: EventPageError, Page: s.handleOf(e, c, w.Page()), Text: cleanMessage(w.Error())}
		var own *playwright.Error
		if errors.As(w.Error(), &own) {
			ev.Type, ev.Stack = own.Name, own.Stack
		}
		record(ev)
	})
	c.OnRequest(func(r playwright.Request) { record(s.requestEvent(e, c, EventRequest, r)) })
	c.OnResponse(func(resp playwright.Response) {
		ev := s.requestEvent(e, c, EventResponse, resp.Request())
		ev.Status, ev.response = resp.Status(), resp
		record(ev)
	})
	c.OnRequestFailed(func(r playwright.Request) {
		ev := s.requestEvent(e, c, EventRequestFailed, r)
		if err := r.Failure(); err != nil {
			ev.Text = s.netError(r.URL(), err.Error())
		}
		record(ev)
	})
	c.OnDialog(func(d playwright.Dialog) {
		record(Event{Kind: EventDialog, Page: s.handleOf(e, c, d.Page()), Type: d.Type(), Text: d.Message(), Default: d.DefaultValue()})
	})
}

// recordPage has recorded what a context doesn't tell of its pages.
func (s *Session) recordPage(p *page) {
	p.pw.OnDownload(func(d playwright.Download) {
		recorded.Of(s).add(Event{Kind: EventDownload, Page: p.name, URL: d.URL(), File: d.SuggestedFilename(), download: d})
	})
	p.pw.OnPopup(func(pw playwright.Page) {
		recorded.Of(s).add(Event{Kind: EventPopup, Page: p.name, Opened: s.handleOf(p.engine, p.context, pw), URL: pw.URL()})
	})
	p.pw.OnCrash(func(playwright.Page) { recorded.Of(s).add(Event{Kind: EventCrash, Page: p.name, URL: p.pw.URL()}) })
}

// requestEvent is an event about a request.
func (s *Session) requestEvent(e *engine, c playwright.BrowserContext, kind string, r playwright.Request) Event {
	ev := Event{Kind: kind, Method: r.Method(), URL: r.URL(), Type: r.ResourceType(), request: r}
	// A service worker's requests have no frame, and those of a page that is
	// still being made have none yet.
	if f := r.Frame(); f != nil {
		ev.Page = s.handleOf(e, c, f.Page())
	}
	return ev
}
