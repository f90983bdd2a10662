// Package workarounds works around defects of Chromium's renderers: emulated media
// that get lost, garbage that stays, background tabs that don't draw, a mouse that never rests.
package workarounds

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

// medium is the medium for which style sheets take a page, in each of its DevTools
// sessions. A current Chromium gives a new document the setting of the session that was
// opened last, which has none of its own.
type medium struct {
	telling sync.Mutex // held while sessions get the setting

	mu       sync.Mutex
	name     string // screen, print or "": its own
	sessions []*session
}

// session is a DevTools session that can get the setting.
type session struct {
	tell func(method string, params map[string]any) error
}

var media = browser.State[*browser.Page, medium]{New: func(p *browser.Page) *medium {
	m := &medium{}
	p.OnSession(func(s playwright.CDPSession) {
		m.join(&session{func(method string, params map[string]any) error { _, err := s.Send(method, params); return err }})
	})
	p.OnDirect(m.joins)
	return m
}}

// joins is [medium.join] for a session on our own connection.
func (m *medium) joins(s *cdp.Session) {
	m.join(&session{func(method string, params map[string]any) error {
		ctx, cancel := context.WithTimeout(context.Background(), tellTime)
		defer cancel()
		return s.Call(ctx, method, params, nil)
	}})
}

// Joins makes another DevTools session with a page, somebody else's, keep its medium.
func Joins(p *browser.Page, s *cdp.Session) { media.Of(p).joins(s) }

// tellTime bounds the wait for the browser's answer.
const tellTime = 2 * time.Second

// EmulateMedia is page.emulateMedia, for this and later documents.
func EmulateMedia(p *browser.Page, o playwright.PageEmulateMediaOptions) error {
	err := p.PW.EmulateMedia(o)
	if err == nil && o.Media != nil && p.Engine.Chromium {
		media.Of(p).keep(*o.Media)
	}
	return err
}

// keep makes the medium outlast the document.
func (m *medium) keep(name playwright.Media) {
	m.telling.Lock()
	defer m.telling.Unlock()
	m.mu.Lock()
	m.name = string(name)
	if name == *playwright.MediaNoOverride {
		m.name = ""
	}
	sessions := slices.Clone(m.sessions)
	m.mu.Unlock()
	for _, s := range sessions {
		m.tell(s)
	}
}

// join makes a new DevTools session keep the medium.
func (m *medium) join(s *session) {
	m.telling.Lock()
	defer m.telling.Unlock()
	m.mu.Lock()
	m.sessions = append(m.sessions, s)
	name := m.name
	m.mu.Unlock()
	if name != "" {
		m.tell(s)
	}
}

// Hooks keeps the media of pages, and moves their windows.
var Hooks = browser.Hooks{Page: func(p *browser.Page) { media.Of(p); remains.Of(p); asideOfCursor(p) }}

// asideOfCursor moves the window of a page down by a pixel, in a browser of ours without windows. That has a
// cursor of its own, which is always at 0, 0 of the screen. While a page has locked the pointer and its window is
// there, the browser moves the cursor to the window's middle and back, without an end: the page and the browser
// have time for little else, and take minutes for a click.
func asideOfCursor(p *browser.Page) {
	p.OnAttach(func(playwright.CDPSession) {
		s := p.Engine.DevTools
		if s == nil || p.Engine.Headed {
			return
		}
		of := map[string]any{"targetId": p.Target()}
		s.Send("Browser.getWindowForTarget", of, func(raw json.RawMessage, err error) {
			var window struct{ WindowID int }
			if err != nil || json.Unmarshal(raw, &window) != nil {
				return
			}
			to := map[string]any{"windowId": window.WindowID, "bounds": map[string]any{"top": 1}}
			go s.Send("Browser.setWindowBounds", to, nil)
		})
	})
}

// tell sets the medium in a session; one that is gone is forgotten.
func (m *medium) tell(s *session) {
	if s.tell("Emulation.setEmulatedMedia", map[string]any{"media": m.name}) == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions = slices.DeleteFunc(m.sessions, func(o *session) bool { return o == s })
}

var films = browser.State[*browser.Page, cdp.Film]{}

// Drawn makes the browser draw the page, wherever it is in its window, until done. It
// is for a call that is late and may be waiting for the page's frames.
func Drawn(p *browser.Page) (done func()) {
	if !p.Engine.Chromium {
		return func() {}
	}
	return films.Of(p).While(func() (end func()) {
		tell := func(method string, params map[string]any) map[string]any {
			ctx, cancel := context.WithTimeout(context.Background(), tellTime)
			defer cancel()
			reply, _ := browser.Await(ctx, p.Engine, p, func() (map[string]any, error) { return p.DevTools(method, params) })
			return reply // none for a page that is gone, or hangs
		}
		if product, _ := tell("Browser.getVersion", nil)["product"].(string); product == "" || cdp.IsShell(product) {
			return func() {}
		}
		tell("Page.startScreencast", cdp.Filming())
		return func() { tell("Page.stopScreencast", nil) }
	})
}

// documentsKept is the number of documents after which a page's renderer is asked to
// collect garbage. Chromium keeps past documents until memory is short, which at 2 MB a
// document is more than a gigabyte.
const documentsKept = 25

// garbage counts what a page may have left behind.
type garbage struct {
	calls      atomic.Int32 // running on the page
	documents  atomic.Int32 // since the last collection
	collecting atomic.Bool
}

var remains = browser.State[*browser.Page, garbage]{New: func(p *browser.Page) *garbage {
	g := &garbage{}
	p.PW.OnDOMContentLoaded(func(playwright.Page) { g.documents.Add(1) })
	return g
}}

// Busy records that a call on the page begins; a late call is [Drawn]. done records
// that it has ended, and whether another waits for that. If none does, and it is time,
// the renderer collects its garbage: page.requestGC, without a wait.
func Busy(p *browser.Page) (done func(awaited bool)) {
	g := remains.Of(p)
	g.calls.Add(1)
	drawn := Drawn(p)
	return func(awaited bool) {
		drawn()
		if g.calls.Add(-1) > 0 || awaited || g.documents.Load() < documentsKept || p.IsPaused() || !g.collecting.CompareAndSwap(false, true) {
			return
		}
		g.documents.Store(0)
		go func() {
			defer g.collecting.Store(false)
			p.Session.Browser.Log.Debug("asked a renderer to collect its garbage", "page", p.Name)
			_, _ = p.DevTools("HeapProfiler.collectGarbage", nil) // a page that is gone has none
		}()
	}
}
