package events

import (
	"errors"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/pwerrors"
)

// Hooks records events.
var Hooks = browser.Hooks{
	Context: func(s *browser.Session, o *browser.Opened) error {
		recordContext(s, o.Engine, o.BrowserContext)
		return nil
	},
	Page: recordPage,
	Surplus: func(s *browser.Session, opener *browser.Page) {
		e := Event{Kind: EventPopup, Text: browser.ClosedTooMany}
		if opener != nil {
			e.Page = opener.Name
		}
		Recorded.Of(s).add(e)
	},
}

// recordContext records a context's events. It listens on the context and not on each
// page: that is one subscription, and it misses nothing of a page's first moments.
func recordContext(s *browser.Session, e *browser.Engine, c playwright.BrowserContext) {
	record := Recorded.Of(s).add
	c.OnConsole(func(m playwright.ConsoleMessage) {
		if m.Type() == "debug" && strings.HasPrefix(m.Text(), othersMark) {
			return
		}
		at := m.Location()
		record(Event{Kind: EventConsole, Page: s.HandleOf(e, c, m.Page()), Type: m.Type(), Text: m.Text(), URL: at.URL, Line: at.LineNumber + 1})
	})
	c.OnWebError(func(w playwright.WebError) {
		ev := Event{Kind: EventPageError, Page: s.HandleOf(e, c, w.Page()), Text: pwerrors.CleanMessage(w.Error())}
		var own *playwright.Error
		if errors.As(w.Error(), &own) {
			ev.Type, ev.Stack = own.Name, own.Stack
		}
		record(ev)
	})
	c.OnRequest(func(r playwright.Request) { record(requestEvent(s, e, c, EventRequest, r)) })
	c.OnResponse(func(resp playwright.Response) {
		ev := requestEvent(s, e, c, EventResponse, resp.Request())
		ev.Status = resp.Status()
		record(ev)
	})
	c.OnRequestFailed(func(r playwright.Request) {
		ev := requestEvent(s, e, c, EventRequestFailed, r)
		if err := r.Failure(); err != nil {
			ev.Text = guard.NetError(s, r.URL(), err.Error())
		}
		record(ev)
	})
	c.OnDialog(func(d playwright.Dialog) {
		record(Event{Kind: EventDialog, Page: s.HandleOf(e, c, d.Page()), Type: d.Type(), Text: d.Message(), Default: d.DefaultValue()})
	})
}

// recordPage records what a context doesn't report about its pages.
func recordPage(p *browser.Page) {
	s, record := p.Session, Recorded.Of(p.Session).add
	p.PW.OnDownload(func(d playwright.Download) {
		record(Event{Kind: EventDownload, Page: p.Name, URL: d.URL(), File: d.SuggestedFilename()})
	})
	p.PW.OnPopup(func(pw playwright.Page) {
		record(Event{Kind: EventPopup, Page: p.Name, Opened: s.HandleOf(p.Engine, p.Context, pw), URL: pw.URL()})
	})
	p.PW.OnCrash(func(playwright.Page) { record(Event{Kind: EventCrash, Page: p.Name, URL: p.PW.URL()}) })
}

func requestEvent(s *browser.Session, e *browser.Engine, c playwright.BrowserContext, kind string, r playwright.Request) Event {
	ev := Event{Kind: kind, Method: r.Method(), URL: r.URL(), Type: r.ResourceType(), PWRequest: r}
	// Requests of a service worker have no frame, and requests of a page that does not
	// exist yet have none yet.
	if f := r.Frame(); f != nil {
		ev.Page = s.HandleOf(e, c, f.Page())
	}
	return ev
}

// othersMark begins a console line that another Playwright writes when it sets a page's
// content. Its own driver leaves the line out, and so does pwpipe.
const othersMark = "--playwright--set--content--"
