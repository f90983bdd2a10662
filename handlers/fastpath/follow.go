package fastpath

import (
	"context"

	"pwpipe/handlers/browser"
)

var follows = define("follow", "(page) => page.still.follow()")

// Follow begins to watch what an act causes, before the act. What it returns reports, after the
// act, whether the page has drawn it and has nothing under way that goes on with it: no timer, no
// frame, no request, no worker, no navigation and no window. It is false where that is not known:
// in a page with frames, for example.
func Follow(ctx context.Context, p *browser.Page) (over func() bool) {
	s, asked := p.Direct(), asking.Of(p)
	if s == nil {
		return func() bool { return false }
	}
	stays := courses.Of(p).Follow(ctx, s)
	made, watches := asked.watched(s), false
	ok, err := Read(ctx, p, follows, "", nil, &watches)
	if !ok || err != nil || !watches {
		return func() bool { return false }
	}
	object := readers.Of(p).document.asked()
	return func() (rests bool) {
		if p.Direct() != s || p.IsPaused() || len(p.PW.Workers()) > 0 {
			return false
		}
		ctx, cancel := context.WithTimeout(ctx, maxPatience)
		defer cancel()
		// The browser reports what the act began on the same session as this answer, and before it.
		err := after(ctx, s, object, "this.page.still.over()", &rests)
		return err == nil && rests && stays() && asked.watched(s) == made
	}
}
