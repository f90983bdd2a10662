package agent

import (
	"context"
	"strings"
	"time"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Bounds of the wait until the page has drawn what an act leads to.
const (
	maxSettling = time.Second     // of a document that changes on and on, or waits for an answer
	maxLeaving  = 5 * time.Second // of one that another takes the place of
)

// settle waits until nothing has changed for a moment, nothing that the act asked for is under
// way, and the page is not about to become another. A page that has asked for nothing that it could
// go on with has to be quiet for a shorter time. It reports whether something that is shown has changed.
func (w *witnessed) settle() (changed bool) {
	began, last := time.Now(), ""
	calm, over := w.begun.Over(w.ctx)
	if over && calm == 0 && !loadstate.Busy.Of(w.page).Leaving() && !w.waits() {
		return false
	}
	for w.remaining() > leastLeft/2 && !w.page.PW.IsClosed() && !w.page.IsPaused() {
		most, now := maxLeaving, ""
		if !loadstate.Busy.Of(w.page).Leaving() {
			most = maxSettling
			if last == "" {
				now, _ = w.tell("changes")
			} else {
				now, _ = w.ask("changes") // the driver has reported by then whether the page waits
			}
			changed = now != "" && strings.Fields(now)[1] != "0"
		}
		if now != "" && now == last && !w.waits() || time.Since(began) > most {
			return changed
		}
		last = now
		most = quiet
		if over {
			most = calm
		}
		if (&tool.Call{Ctx: w.ctx}).Pause(most) != nil {
			return changed
		}
		if !over {
			continue
		}
		if calm, over = w.begun.Over(w.ctx); !over {
			last = ""
		}
	}
	return changed
}

// Acting notes that an act begins on a page. settle waits until the page has drawn what the act led
// to. isBlocked says that a dialog stops the page's scripts, which can't be asked then.
func Acting(ctx context.Context, p *browser.Page, isBlocked bool) (settle func()) {
	w := &witnessed{ctx: ctx, page: p, newest: events.Recorded.Of(p.Session).Newest()}
	if !isBlocked {
		w.begun = fastpath.Begin(ctx, p)
	}
	return func() {
		defer w.tell("unwatch")
		w.settle()
	}
}

// still reports whether the document stands as it did before the act: at once where the page is
// at rest, soon where it can't go on with the act, else after a moment.
func (w *witnessed) still() bool {
	over, asked := false, false
	for end := w.ended.Add(quiet); ; time.Sleep(lookEvery) {
		text, ok := w.ask("changed")
		waited := time.Now().After(end)
		switch {
		case !ok || text != "no" && !strings.HasPrefix(text, "not "):
			return false
		case text == "no" || over || text == "not soon" && waited:
			return true
		}
		if !asked {
			over, asked = w.over(), true
		}
	}
}

// over reports whether the page can't go on with the act, and could not for as long as it must be quiet.
func (w *witnessed) over() bool {
	calm, over := w.begun.Over(w.ctx)
	if over {
		time.Sleep(calm - time.Since(w.ended))
		_, over = w.begun.Over(w.ctx)
	}
	return over
}

// waits reports whether the page, or one that it has opened since, has asked for something and has
// no answer.
func (w *witnessed) waits() bool {
	fetched := map[string]bool{"document": true, "xhr": true, "fetch": true, "script": true}
	since := events.Recorded.Of(w.page.Session).Since(w.newest)
	open := map[string]int{w.page.Name: 0} // requests without an answer, by page
	for _, e := range since {
		if e.Kind == events.EventPopup && e.Page == w.page.Name {
			open[e.Opened] = 0
		}
	}
	for _, p := range w.page.Session.OpenPages() {
		blank := p.PW.URL() == "" && act.DownloadsBegun(w.page) == w.loads // it has no document yet
		if _, counts := open[p.Name]; counts && blank {
			return true
		}
	}
	for _, e := range since {
		if _, counts := open[e.Page]; !counts || !fetched[e.Type] {
			continue
		}
		switch e.Kind {
		case events.EventRequest:
			open[e.Page]++
		case events.EventResponse, events.EventRequestFailed:
			open[e.Page]--
		}
	}
	for _, n := range open {
		if n > 0 {
			return true
		}
	}
	return false
}

// outline is what the act answers of the outline.
func (w *witnessed) outline() []string {
	text, err := browser.Await(w.ctx, w.page.Engine, w.page, func() (string, error) {
		return news(&tool.Call{Ctx: w.ctx, Page: w.page}, w.look == "whole", w.url)
	})
	switch {
	case err != nil:
		return []string{"→ no outline: " + w.page.Short(pwerrors.FirstLine(err.Error()), 200)}
	case text == "" && provider.RequestFrom(w.ctx).Outline == "diff": // somebody asked
		return []string{"no change"}
	case text == "":
		return nil
	}
	return []string{text}
}
