package agent

import (
	"context"
	"sync"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/pwerrors"
)

// reported has of each page how much of what happened on it a reply has told.
var reported browser.State[*browser.Page, lastReport]

type lastReport struct {
	mu      sync.Mutex
	begun   bool
	newest  int64 // event
	dialogs int
}

// upTo notes what a reply tells, and returns how much was told before.
func (l *lastReport) upTo(newest int64, dialogs int) (from int64, shown int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.begun {
		l.begun, l.newest, l.dialogs = true, newest, dialogs
	}
	from, shown = l.newest, l.dialogs
	l.newest, l.dialogs = max(l.newest, newest), max(l.dialogs, dialogs)
	return from, shown
}

// Meanwhile says what happened on a page since a reply told of it, in a line each: downloads, dialogs
// that were answered, pop-ups and errors. Nothing but the page's own scripts did that.
func Meanwhile(ctx context.Context, p *browser.Page) (lines []string) {
	for _, line := range act.SaveDownloads(ctx, p) {
		lines = append(lines, meanwhile(line))
	}
	return append(lines, untold(p)...)
}

// untold is [Meanwhile] without the downloads, which an act tells with its own.
func untold(p *browser.Page) (lines []string) {
	for _, line := range p.Session.TakeHung() {
		lines = append(lines, meanwhile(line+"; calls go on with "+p.Name))
	}
	shown := act.DialogsShown(p)
	from, dialogs := reported.Of(p).upTo(events.Recorded.Of(p.Session).Newest(), shown)
	for _, line := range act.DialogsSince(p, dialogs) {
		lines = append(lines, meanwhile(line))
	}
	var errors []string
	since := events.Recorded.Of(p.Session).Since(from, events.EventPopup, events.EventPageError, events.EventCrash)
	for _, e := range since {
		switch {
		case e.Page != p.Name:
		case e.Kind == events.EventPageError:
			errors = append(errors, pwerrors.FirstLine(e.Text))
		case e.Kind == events.EventCrash:
			lines = append(lines, meanwhile("the page crashed"))
		default:
			if line := opened(p, e); line != "" {
				lines = append(lines, meanwhile(line))
			}
		}
	}
	if line := several(p, "error", errors); line != "" {
		lines = append(lines, meanwhile(line))
	}
	if left := len(lines) - maxLines; left > 0 { // the newest are told
		lines = lines[left:]
	}
	return lines
}

func meanwhile(line string) string {
	return happened("before this call: " + line)
}
