package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/pwerrors"
	"pwpipe/provider"
)

// witnessed is a page before an act.
type witnessed struct {
	ctx     context.Context
	page    *browser.Page
	newest  int64  // event
	url     string // before
	dialogs int
	watched bool // changes of the document are counted
}

// Witness looks at the page before an act. What it returns says what the act did. Only
// for an act that answers nothing it says so if nothing changed.
func Witness(ctx context.Context, p *browser.Page, watches bool) func() []string {
	if p.IsPaused() {
		return func() []string { return nil }
	}
	fastpath.CatchUp(p)
	newest := events.Recorded.Of(p.Session).Newest()
	w := &witnessed{ctx: ctx, page: p, newest: newest, url: p.PW.URL(), dialogs: act.DialogsShown(p)}
	if watches {
		_, w.watched = w.ask("watch")
	}
	return w.did
}

// mostOfLook bounds a look at the document, quiet is how long nothing has to change before that
// is said.
const (
	mostOfLook = 300 * time.Millisecond
	quiet      = 100 * time.Millisecond
)

// ask asks the ref engine.
func (w *witnessed) ask(verb string) (string, bool) {
	if w.page.IsPaused() || w.page.PW.IsClosed() {
		return "", false
	}
	text, err := browser.Await(w.ctx, w.page.Engine, w.page, func() (string, error) {
		return w.page.PW.TextContent("ref=!"+verb,
			playwright.PageTextContentOptions{Timeout: playwright.Float(float64(mostOfLook.Milliseconds()))})
	})
	return text, err == nil
}

// did says what happened, a line each.
func (w *witnessed) did() []string {
	if w.page.PW.IsClosed() {
		return []string{"→ page " + w.page.Name + " is closed"}
	}
	fastpath.CatchUp(w.page)
	lines := w.lines()
	if len(lines) > 0 || !w.watched || !w.still() {
		return lines
	}
	if lines = w.lines(); len(lines) == 0 { // it may have come meanwhile
		lines = []string{"→ nothing changed in the document"}
	}
	return lines
}

// still reports whether the document stands as it did before the act.
func (w *witnessed) still() bool {
	if text, ok := w.ask("changed"); !ok || text != "no" {
		return false
	}
	select {
	case <-time.After(quiet):
	case <-w.ctx.Done():
		return false
	}
	text, ok := w.ask("changed")
	return ok && text == "no"
}

// meant reports whether the call named the URL that the page is at.
func (w *witnessed) meant(url string) bool {
	_, target := provider.AimFrom(w.ctx).At()
	return target != "" && strings.HasSuffix(strings.TrimSuffix(w.page.Hide(url), "/"), strings.TrimSuffix(target, "/"))
}

// lines say what the events tell.
func (w *witnessed) lines() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, "→ "+fmt.Sprintf(format, args...)) }
	p := w.page
	if url := p.PW.URL(); url != w.url && !w.meant(url) {
		add("went to %s", p.Short(url, 300))
	}
	for _, line := range act.DialogsSince(p, w.dialogs) {
		add("%s", line)
	}
	var errors, failed []string
	for _, e := range events.Recorded.Of(p.Session).Since(w.newest) {
		if e.Page != p.Name {
			continue
		}
		switch e.Kind {
		case events.EventPopup:
			add("opened %s (%s); calls go on with %s", e.Opened, p.Short(e.URL, 200), p.Name)
		case events.EventDownload:
			add("a download began: %s", p.Short(e.File, 200))
		case events.EventCrash:
			add("the page crashed")
		case events.EventPageError:
			errors = append(errors, pwerrors.FirstLine(e.Text))
		case events.EventConsole:
			if e.Type == "error" && !strings.HasPrefix(e.Text, "Failed to load resource") { // the response says it
				errors = append(errors, pwerrors.FirstLine(e.Text))
			}
		case events.EventRequestFailed:
			of, _ := events.Recorded.Of(p.Session).Find(e.Request)
			failed = append(failed, strings.TrimSpace(e.Method+" "+cmp.Or(e.URL, of.URL)+" "+e.Text))
		case events.EventResponse:
			if e.Status >= 400 {
				failed = append(failed, fmt.Sprintf("%s %s: %d", e.Method, e.URL, e.Status))
			}
		}
	}
	several := func(what string, list []string) {
		if len(list) > 1 {
			what += fmt.Sprintf(" (the first of %d)", len(list))
		}
		if len(list) > 0 {
			add("%s: %s", what, p.Short(list[0], 200))
		}
	}
	several("error", errors)
	several("request failed", failed)
	return lines
}
