package events

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/text/secrets"
)

// Bounds of kept events, so that a page can't make pwpipe grow.
const (
	keptPerKind  = 1000     // events of a kind; the oldest go first
	keptLines    = 5000     // lines of a page's console
	keptBytes    = 16 << 20 // of all events of a session
	keptBodies   = 8 << 20  // of the bodies and addresses of a session's requests
	keptSources  = 200      // events of a kind that keep their source, some 8 kB each
	keptText     = 8 << 10  // bytes of a text
	KeptURL      = 4 << 10  // bytes of a URL; data: URLs can be huge
	subscription = 1000     // events that wait for a subscriber
	eventCost    = 512      // bytes of an event beside its texts
)

// shelves hold events: one shelf for each kind, and for console lines one for each
// page. So a flood on one shelf does not remove events from another.
type shelves struct {
	of            map[shelfName]*shelf
	sent          map[playwright.Request]sentRequest // of the kept request events
	bytes, bodies int
}

type shelfName struct{ kind, page string }

type shelf struct {
	ring[Event]
	bytes int
}

func nameOf(e *Event) shelfName {
	if e.Kind == EventConsole {
		return shelfName{e.Kind, e.Page}
	}
	return shelfName{kind: e.Kind}
}

// cost is the approximate number of bytes of an event.
func (e *Event) cost() int {
	return eventCost + len(e.Text) + len(e.Stack) + len(e.URL) + len(e.Default) + len(e.File)
}

func (all *shelves) add(e Event) {
	name := nameOf(&e)
	own := all.of[name]
	if own == nil {
		own = &shelf{ring: ring[Event]{most: keptPerKind}}
		if e.Kind == EventConsole {
			own.most = keptLines
		}
		all.of[name] = own
	}
	if e.Kind == EventRequest && e.PWRequest != nil {
		body, _ := e.PWRequest.PostDataBuffer()
		e.body = len(body) + len(e.PWRequest.URL())
	}
	all.bytes, own.bytes, all.bodies = all.bytes+e.cost(), own.bytes+e.cost(), all.bodies+e.body
	if old, dropped := own.push(e); dropped {
		all.uncount(own, &old)
	}
	if old := own.back(keptSources); old != nil {
		all.forget(old)
	}
	for i := 0; all.bodies > keptBodies; i++ { // own is the shelf of requests
		if old := &own.items[i]; old.body > 0 {
			all.forget(old)
		}
	}
	for all.bytes > keptBytes {
		all.dropOne()
	}
}

// uncount uncounts an event that is on no shelf any more.
func (all *shelves) uncount(own *shelf, old *Event) {
	all.bytes, own.bytes = all.bytes-old.cost(), own.bytes-old.cost()
	all.forget(old)
}

// forget drops the source of an event.
func (all *shelves) forget(e *Event) {
	if e.PWRequest == nil {
		return
	}
	delete(all.sent, e.PWRequest)
	all.bodies -= e.body
	e.body, e.PWRequest = 0, nil
}

// dropOne drops the oldest event of the largest shelf.
func (all *shelves) dropOne() {
	var name shelfName
	for other, own := range all.of {
		if most := all.of[name]; most == nil || own.bytes > most.bytes {
			name = other
		}
	}
	own := all.of[name]
	old := own.shift()
	if len(own.items) == 0 {
		delete(all.of, name)
	}
	all.uncount(own, &old)
}

// ring keeps the newest items.
type ring[T any] struct {
	most  int
	items []T // the oldest first
}

// push adds an item. If the ring is full, it drops and returns the oldest.
func (r *ring[T]) push(v T) (old T, dropped bool) {
	if dropped = len(r.items) == r.most; dropped {
		old = r.shift()
	}
	r.items = append(r.items, v)
	return old, dropped
}

// shift drops the oldest item. The ring must not be empty.
func (r *ring[T]) shift() (old T) {
	var none T
	old, r.items[0] = r.items[0], none // free its memory
	r.items = r.items[1:]
	return old
}

// back is the item n pushes before the newest, nil if there is none.
func (r *ring[T]) back(n int) *T {
	if n >= len(r.items) {
		return nil
	}
	return &r.items[len(r.items)-1-n]
}

// Clip cuts a text to at most n bytes, at a character's end.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	if n = secrets.CutAt(s, n); n == len(s) {
		return s
	}
	return s[:n] + "…"
}
