package fastpath

import (
	"context"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

var begins = Define("begins", "(page) => page.still.begins()")

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
	var yes bool
	if len(p.PW.Frames()) != 1 {
		return nil
	}
	if ok, err := Read(ctx, p, begins, "", nil, &yes); !ok || err != nil || !yes {
		return nil
	}
	s, r := p.Direct(), readers.Of(p)
	if s == nil || r.elsewhere(ctx) {
		return nil
	}
	return &Begun{p, s, r.document.asked(), asking.Of(p).follow(s)}
}

// Over reports whether the page could not go on with the act. Since it began the page has asked
// for no timer, no frame beyond the next two, for which Over waits, and no request; it has sent
// nothing by a web socket and has no worker; and nothing that leads elsewhere was clicked. What it
// asked of the browser in other ways, such as a read of a database, is not seen.
func (b *Begun) Over(ctx context.Context) bool {
	if b == nil || b.page.Direct() != b.session || len(b.page.PW.Frames()) != 1 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, maxPatience)
	defer cancel()
	var over bool
	err := after(ctx, b.session, b.object, "this.page.still.over()", &over)
	return err == nil && over && asking.Of(b.page).aloneSince(b.made, b.session, b.page)
}
