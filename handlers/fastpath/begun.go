package fastpath

import (
	"context"
	"encoding/json"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

var (
	begins  = DefineLong("begins", "(page) => page.still.begins()") // else nothing is heard of a page that is left
	arrives = Define("arrives", "(page) => page.still.arrives()")
)

// Begun is an act of any kind that has begun on a page.
type Begun struct {
	page    *browser.Page
	session *cdp.Session
	object  string // DevTools id of the library in the page's document
	made    int64  // requests of the page until then
}

// Begin notes that an act begins. It returns nil where an end can't be told early: without a line
// of ours to the page, or in a page with frames, whose documents are not watched.
func Begin(ctx context.Context, p *browser.Page) *Begun {
	b := &Begun{page: p, session: p.Direct()}
	if !b.note(ctx, begins) {
		return nil
	}
	return b
}

// note has the page's document answer yes, and notes which one it is.
func (b *Begun) note(ctx context.Context, kind Kind) bool {
	var yes bool
	if len(b.page.PW.Frames()) != 1 {
		return false
	}
	if ok, err := Read(ctx, b.page, kind, "", nil, &yes); !ok || err != nil || !yes {
		return false
	}
	s, r := b.page.Direct(), readers.Of(b.page)
	if s == nil || r.elsewhere(ctx) {
		return false
	}
	b.session, b.object, b.made = s, r.document.asked(), asking.Of(b.page).follow(s)
	return true
}

// Parting listens to a document until it is left for another one: then what it says to its reader, in alerts,
// toasts and live regions, can be told. The function that it returns gives the texts of a document that was left.
func Parting(p *browser.Page) func() []string {
	s, document, at, ended := p.Direct(), &readers.Of(p).document, p.PW.URL(), make(chan []string, 1)
	object := document.asked()
	if s == nil || object == "" {
		return func() []string { return nil }
	}
	s.Send("Runtime.callFunctionOn", awaited(object, "this.page.still.parts()", ""), func(result json.RawMessage, err error) {
		var texts []string
		_ = valueOf(result, err, &texts)
		ended <- texts
	})
	return func() []string {
		if len(ended) == 0 && p.Direct() == s && document.asked() == object && p.PW.URL() == at {
			return nil
		}
		select { // it ends with its document
		case texts := <-ended:
			return texts
		case <-time.After(2 * MaxPatience):
			return nil
		}
	}
}

// Over reports whether the page can't go on with the act, and then for how long the document must
// be quiet. The page has asked for no timer, no request and no frame beyond the next two, for which
// Over waits; it has sent nothing by a web socket and has no worker; and nothing that leads
// elsewhere was clicked. Over does not see what the page asked of the browser in other ways, such
// as a read of a database. If the act led to another document, all this holds for that one since it
// began: what it loads has come, and its scripts asked for nothing more.
func (b *Begun) Over(ctx context.Context) (calm time.Duration, over bool) {
	if b == nil || b.page.Direct() != b.session || len(b.page.PW.Frames()) != 1 {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, MaxPatience)
	defer cancel()
	ms := -1
	asked := asking.Of(b.page)
	err := after(ctx, b.session, b.object, "this.page.still.over()", "", &ms)
	if err != nil && b.note(ctx, arrives) {
		if asked.hasLoaded() {
			err = after(ctx, b.session, b.object, "this.page.still.over()", "", &ms)
		}
		if !asked.hasLoaded() {
			b.object, ms = "", -1 // it is never over
		}
	}
	over = err == nil && ms >= 0 && asked.aloneSince(b.made, b.session, b.page)
	return time.Duration(ms) * time.Millisecond, over
}
