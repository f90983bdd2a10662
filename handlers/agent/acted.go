package agent

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// witnessed holds what a page was before an act.
type witnessed struct {
	ctx      context.Context
	page     *browser.Page
	newest   int64  // event
	url      string // before
	dialogs  int
	loads    int             // downloads that had begun
	choosers func() []string // file choosers that opened
	before   []string        // what happened since the reply before
	failed   error           // of the act
	watches  bool            // the act answers nothing, and is one on an element
	watched  bool            // changes of the document are counted
	look     string          // what is answered of the outline: diff, whole, or none
	parted   func() []string // what the document said to its reader as it was left
	begun    *fastpath.Begun // nil where only time tells that the act is over
	ended    time.Time       // of the act
}

// Witness looks at the page before an act. It returns a function that says what the act did, also
// if the act failed, and what changed in the outline. The function says that nothing changed only
// for a tool that answers nothing and acts on an element, on a page without frames.
func Witness(ctx context.Context, p *browser.Page, watches bool) func(failed error) []string {
	if p.IsPaused() {
		return func(error) []string { return nil }
	}
	fastpath.CatchUp(p)
	before := untold(p)
	newest := events.Recorded.Of(p.Session).Newest()
	w := &witnessed{ctx: ctx, page: p, newest: newest, url: p.PW.URL(), dialogs: act.DialogsShown(p), before: before}
	act.WatchDownloads(p)
	w.loads = act.DownloadsBegun(p)
	w.choosers = act.WatchChoosers(ctx, p)
	if w.look = w.looks(); w.look == "diff" || w.look == "whole" {
		tick(ctx, p)
		w.begun = fastpath.Begin(ctx, p)
		w.parted = fastpath.Parting(p)
	}
	_, target := provider.AimFrom(ctx).At()
	w.watches = watches && target != ""
	if w.watches && len(p.PW.Frames()) == 1 && w.remaining() > leastLeft {
		if w.begun == nil {
			w.begun = fastpath.Begin(ctx, p)
		}
		_, w.watched = w.tell("watch")
	}
	return w.did
}

// looks returns what the act answers of the outline, by the request or else the configuration.
func (w *witnessed) looks() string {
	r := provider.RequestFrom(w.ctx)
	switch {
	case r.Outline == "":
		return w.page.Session.Browser.Config.ActOutline
	case provider.SpecFrom(w.ctx).Scripts: // execute answers it itself
		return "none"
	}
	return r.Outline
}

// remaining is how long the call may still take.
func (w *witnessed) remaining() time.Duration {
	if end, ok := w.ctx.Deadline(); ok {
		return time.Until(end)
	}
	return time.Hour
}

// maxLook bounds a look at the document. quiet is how long the document must stay the same
// before an act says that nothing changed.
const (
	maxLook   = time.Second
	leastLeft = 2 * time.Second // of the call, for a look before it
	maxLines  = 10
	quiet     = 100 * time.Millisecond
	lookEvery = 4 * time.Millisecond // while the page may be about to change
)

// ask sends a question to the engine of refs. The driver has reported by then what the page did before.
func (w *witnessed) ask(verb string) (string, bool) {
	if w.page.IsPaused() || w.page.PW.IsClosed() {
		return "", false
	}
	var text string
	err := fastpath.CatchUpBy(w.page, func() (err error) {
		text, err = browser.Await(w.ctx, w.page.Engine, w.page, func() (string, error) {
			return w.page.PW.TextContent("ref=!"+verb,
				playwright.PageTextContentOptions{Timeout: playwright.Float(float64(maxLook.Milliseconds()))})
		})
		return err
	})
	return text, err == nil
}

var aside = fastpath.DefineAside("engine", "(page, sel) => page.one(sel)?.textContent")

// tell is ask where nothing follows from what the page did before: the driver need not be asked.
func (w *witnessed) tell(verb string) (text string, ok bool) {
	if w.page.IsPaused() || w.page.PW.IsClosed() {
		return "", false
	}
	if (&tool.Call{Ctx: w.ctx, Page: w.page}).DirectOnPage(aside, "ref=!"+verb, nil, &text) {
		return text, true
	}
	return w.ask(verb)
}

// did returns what happened, in a line each, and first what had happened before the act.
func (w *witnessed) did(failed error) []string {
	return slices.Concat(w.before, w.acted(failed))
}

// acted returns what happened since the act began.
func (w *witnessed) acted(failed error) []string {
	w.failed, w.ended = failed, time.Now()
	if failed == nil && provider.RequestFrom(w.ctx).IsFollowed() {
		w.look = "none"
	}
	if failed != nil && provider.SpecFrom(w.ctx).Scripts { // it has answered nothing
		w.look = cmp.Or(provider.RequestFrom(w.ctx).Outline, w.look)
	}
	if failed != nil { // also after its time
		var end context.CancelFunc
		w.ctx, end = context.WithTimeout(context.WithoutCancel(w.ctx), 2*leastLeft)
		defer end()
	}
	looks := (w.look == "diff" || w.look == "whole") && w.remaining() > leastLeft && !w.page.IsPaused()
	if w.watched || looks {
		defer w.tell("unwatch")
	}
	changed := looks && w.settle()
	chosen := w.choosers()
	switch {
	case w.page.PW.IsClosed() && failed != nil: // the error says it
		return nil
	case w.page.PW.IsClosed():
		return []string{provider.HappenedMark + "page " + w.page.Name + " is closed"}
	}
	fastpath.CatchUp(w.page)
	lines := w.lines(append(chosen, w.pointer(looks)...))
	if len(lines) == 0 && failed == nil && w.watched && !changed && !w.requested() && w.still() {
		if lines = w.lines(nil); len(lines) == 0 && !w.requested() { // it may have come meanwhile
			return []string{w.nothing("in the document")}
		}
	}
	var parted, outline []string
	stayed, before := w.wentTo() == "", lastSeen(w.page)
	if looks {
		outline = w.outline()
	}
	if went := w.wentTo(); stayed && went != "" { // meanwhile
		lines = slices.Insert(lines, 0, happened(went))
	}
	if w.parted != nil {
		parted = unread(w.page, before, w.parted())
	}
	if _, hit := w.ran(); looks && len(lines)+len(parted)+len(outline) == 0 && failed == nil && (w.watches || hit) {
		lines = []string{w.nothing("that the outline shows")}
	}
	return slices.Concat(lines, changesBefore(w.page, parted), outline)
}

// pointer says what became of the pointer.
func (w *witnessed) pointer(looks bool) (lines []string) {
	if tool.TakeFreed(w.page) {
		lines = append(lines, "freed the pointer, which the page had locked, as Escape does")
	}
	if locked, err := browser.Await(w.ctx, w.page.Engine, w.page, func() (bool, error) {
		return looks && (&tool.Call{Ctx: w.ctx, Page: w.page}).PointerLocked(), nil
	}); err == nil && locked {
		lines = append(lines, "the page has locked the pointer; the next act with the mouse frees it, as Escape does")
	}
	return lines
}

// requested reports whether the page has sent a request: something may come of it later.
func (w *witnessed) requested() bool {
	for _, e := range events.Recorded.Of(w.page.Session).Since(w.newest) {
		if e.Page == w.page.Name && e.Kind == events.EventRequest {
			return true
		}
	}
	return false
}

// ran returns the URL to which the call's script sent the page, and whether it clicked there.
func (w *witnessed) ran() (went string, clicked bool) {
	view := seen.Of(w.page)
	view.mu.Lock()
	defer view.mu.Unlock()
	return view.went, view.clicked && provider.SpecFrom(w.ctx).Scripts
}

// meant reports whether the call named the page's URL, whole or as a path.
func (w *witnessed) meant(at string) bool {
	if provider.SpecFrom(w.ctx).Scripts {
		went, _ := w.ran()
		return at == went
	}
	_, target := provider.AimFrom(w.ctx).At()
	at = w.page.Hide(at)
	if strings.TrimSuffix(at, "/") == strings.TrimSuffix(target, "/") {
		return true
	}
	u, err := url.Parse(at)
	return err == nil && strings.HasPrefix(target, "/") && strings.TrimPrefix(at, u.Scheme+"://"+u.Host) == target
}

// lines returns what the events tell, and the lines of more.
func (w *witnessed) lines(more []string) (lines []string) {
	left := 0
	add := func(line string) {
		switch {
		case line == "":
		case len(lines) == maxLines:
			left++
		default:
			lines = append(lines, happened(line))
		}
	}
	p := w.page
	reported.Of(p).upTo(events.Recorded.Of(p.Session).Newest(), act.DialogsShown(p))
	add(w.wentTo())
	for _, line := range slices.Concat(act.DialogsSince(p, w.dialogs), more, act.SaveDownloads(w.ctx, p)) {
		add(line)
	}
	if loadstate.TakeLoading(p) {
		add(stillLoading(p))
	}
	var errors, failed []string
	for _, e := range events.Recorded.Of(p.Session).Since(w.newest) {
		if e.Page != p.Name {
			continue
		}
		switch e.Kind {
		case events.EventPopup:
			add(opened(p, e))
		case events.EventCrash:
			add("the page crashed")
		case events.EventPageError:
			errors = append(errors, pwerrors.FirstLine(e.Text))
		case events.EventConsole:
			if e.Type == "error" && !strings.HasPrefix(e.Text, "Failed to load resource") { // the response says it
				errors = append(errors, pwerrors.FirstLine(e.Text))
			}
		case events.EventRequestFailed:
			// A navigation or a download aborts some, and the error of a failed navigation names its own.
			if !aborted.MatchString(e.Text) && !(w.failed != nil && strings.Contains(w.failed.Error(), e.Text)) && isUntold(p, e.URL) {
				failed = append(failed, e.Method+" "+e.URL+" "+e.Text)
			}
		case events.EventResponse:
			if e.Status >= 400 && isUntold(p, e.URL) {
				failed = append(failed, fmt.Sprintf("%s %s: %d", e.Method, e.URL, e.Status))
			}
		}
	}
	add(several(p, "error", errors))
	add(several(p, "request failed", failed))
	if left > 0 {
		lines = append(lines, fmt.Sprintf(provider.HappenedMark+"and %d more", left))
	}
	return lines
}

// wentTo words that the page has another URL than before the act, which the call does not name.
func (w *witnessed) wentTo() string {
	if at := w.page.PW.URL(); at != w.url && !w.meant(at) && !strings.HasPrefix(at, "chrome-error:") {
		return "went to " + w.page.Short(at, 300)
	}
	return ""
}

// happened makes a line of what happened.
func happened(text string) string {
	return provider.HappenedMark + strings.Join(strings.Fields(text), " ")
}

// opened words a pop-up, "" for one too many, which was closed, and for one that became a download.
func opened(p *browser.Page, e events.Event) string {
	if e.URL == "" { // Playwright may report it before its document
		for _, popup := range p.Session.OpenPages() {
			if popup.Name == e.Opened && !popup.PW.IsClosed() {
				e.URL = cmp.Or(popup.PW.URL(), "still loading")
			}
		}
	}
	if e.Opened == "" || e.URL == "" {
		return ""
	}
	return fmt.Sprintf("opened %s (%s); calls go on with %s", e.Opened, p.Short(e.URL, 200), p.Name)
}

// stillLoading says what a page waits for.
func stillLoading(p *browser.Page) string {
	if waits := loadstate.Waits(p); waits != "" {
		return "still loading: " + waits
	}
	return "still loading"
}

// several returns a line about the first entry of a list, "" if there is none.
func several(p *browser.Page, what string, list []string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return what + ": " + p.Short(list[0], 200)
	}
	return fmt.Sprintf("%s (the first of %d): %s", what, len(list), p.Short(list[0], 200))
}

// aborted matches the errors of requests that the browser itself cancelled.
var aborted = regexp.MustCompile(`ERR_ABORTED|NS_BINDING_ABORTED|cancelled`)
