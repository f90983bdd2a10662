package handlers

import (
	"errors"
	"reflect"

	"github.com/playwright-community/playwright-go"
)

// recordContext has a context's events recorded. They are listened to on the
// context rather than on each page: that is one subscription instead of one a
// page, and misses nothing of a page's first moments.
func (s *Session) recordContext(e *engine, c playwright.BrowserContext) {
	record := s.events.add
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
		s.answeredDocument(resp)
	})
	c.OnRequestFailed(func(r playwright.Request) {
		ev := s.requestEvent(e, c, EventRequestFailed, r)
		if err := r.Failure(); err != nil {
			ev.Text = s.netError(r.URL(), err.Error())
		}
		record(ev)
	})
	follow(c, s.trafficOf)
	c.OnDialog(func(d playwright.Dialog) {
		record(Event{Kind: EventDialog, Page: s.handleOf(e, c, d.Page()), Type: d.Type(), Text: d.Message(), Default: d.DefaultValue()})
		s.answerDialog(d)
	})
}

// recordPage has recorded what a context doesn't tell of its pages.
func (s *Session) recordPage(p *page) {
	p.pw.OnDownload(func(d playwright.Download) {
		s.events.add(Event{Kind: EventDownload, Page: p.name, URL: d.URL(), File: d.SuggestedFilename(), download: d})
	})
	p.pw.OnPopup(func(pw playwright.Page) {
		s.events.add(Event{Kind: EventPopup, Page: p.name, Opened: s.handleOf(p.engine, p.context, pw), URL: pw.URL()})
	})
	p.pw.OnCrash(func(playwright.Page) { s.events.add(Event{Kind: EventCrash, Page: p.name, URL: p.pw.URL()}) })
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

// trafficOf is that of the page which a request belongs to, nil if there is
// none.
func (s *Session) trafficOf(r playwright.Request) *traffic {
	if f := r.Frame(); f != nil {
		if p := s.find(f.Page()); p != nil {
			return p.traffic
		}
	}
	return nil
}

// handleOf is the handle of a page, also of one that has been dropped or whose
// first event came before the news of it. "" is no page.
func (s *Session) handleOf(e *engine, c playwright.BrowserContext, pw playwright.Page) string {
	// playwright-go may wrap a nil pointer.
	if pw == nil || reflect.ValueOf(pw).IsNil() {
		return ""
	}
	s.mu.Lock()
	p, past := s.byPW[pw], s.past[pw]
	s.mu.Unlock()
	switch {
	case p != nil:
		return p.name
	case past != "" || pw.IsClosed():
		return past
	}
	return s.addPage(e, c, pw).name
}

// remember keeps the handle of a page that is dropped, for events that are
// still on their way. The lock is held.
func (s *Session) remember(p *page) {
	if len(s.past) >= maxFates {
		clear(s.past)
	}
	s.past[p.pw] = p.name
}

// answerDialog is the one listener to dialogs: a dialog that nobody answers
// blocks its page. onDialog may take it over; what it leaves is answered as the
// tool dialog was told, else as Playwright does by itself: beforeunload accepted, others dismissed. It runs
// in a goroutine of its own and may block.
func (s *Session) answerDialog(d playwright.Dialog) {
	s.mu.Lock()
	take, p, over := s.onDialog, s.byPW[d.Page()], s.over
	s.mu.Unlock()
	if over && s.isTheirs(d.Page()) { // it is another session's to answer, that the tabs are lent to
		return
	}
	if take != nil && take(d) || s.scripts.takesDialog(d) {
		return
	}
	if p != nil {
		p.dialogs.answer(d)
		return
	}
	if d.Type() == "beforeunload" {
		_ = d.Accept()
		return
	}
	_ = d.Dismiss()
}
