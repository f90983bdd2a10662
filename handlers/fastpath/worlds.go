package fastpath

import (
	"context"
	"slices"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

// World is the driver's isolated world in a frame, where refs are kept.
type World struct {
	ID     int    // of its execution context, for commands that take no unique id
	Unique string // unique id of its execution context
	Page   string // unique id of the execution context of the frame's own scripts
	Main   bool   // of the page's main frame
	frame  string
	ours   bool
	origin string
}

// alone reports whether no frame of another origin is in the page's own process, as Chromium had
// told before the document's last answer.
func (d *document) alone() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	main := slices.IndexFunc(d.all, func(w World) bool { return w.Main })
	return main >= 0 && d.all[main].origin != "" &&
		!slices.ContainsFunc(d.all, func(w World) bool { return w.origin != d.all[main].origin })
}

var here = Define("here", "() => true")

// Worlds are the driver's worlds in the frames of the page's own process, the main frame's
// first, and the session that knows them by these ids; none without a line of ours.
func Worlds(ctx context.Context, p *browser.Page) (*cdp.Session, []World) {
	var yes bool
	if ok, err := Read(ctx, p, here, "", nil, &yes); !ok || err != nil {
		return nil, nil
	}
	return readers.Of(p).document.known()
}

// Known is [Worlds] without asking the page: its document may be about to change, and a page
// that was never read has none.
func Known(ctx context.Context, p *browser.Page) (*cdp.Session, []World) {
	r := readers.Of(p)
	if r.elsewhere(ctx) {
		return nil, nil
	}
	s, list := r.document.known()
	if s != p.Direct() {
		return nil, nil
	}
	return s, list
}

// known are the worlds that Chromium has told of, none without one in the main frame.
func (d *document) known() (*cdp.Session, []World) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []World
	for _, w := range d.all {
		if !w.ours || slices.ContainsFunc(list, func(o World) bool { return o.frame == w.frame }) {
			continue
		}
		for _, o := range d.all {
			if !o.ours && o.frame == w.frame {
				w.Page = o.Unique
			}
		}
		if w.Main {
			list = slices.Insert(list, 0, w)
		} else {
			list = append(list, w)
		}
	}
	if len(list) == 0 || !list[0].Main {
		return nil, nil
	}
	return d.heard, list
}
