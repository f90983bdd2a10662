package cdp

import (
	"io"
	"slices"
	"sync"
	"time"
)

// Buckets of a page. What would go over is not passed on, or the page floods.
var (
	bodies = bucket{most: 16 << 20, forgets: 4 << 20}   // bodies of requests: as many as the driver keeps
	vain   = bucket{most: 256 << 20, forgets: 32 << 20} // texts that were cut: the browser wrote them for nothing
)

// bucket counts bytes, and forgets some of them each second.
type bucket struct {
	most, forgets int
	bytes         int
	at            time.Time
}

// take adds bytes, and reports whether there was room for them.
func (b *bucket) take(bytes int) bool {
	now := time.Now()
	since := min(now.Sub(b.at).Seconds(), float64(b.most/b.forgets))
	b.at, b.bytes = now, max(0, b.bytes-int(since*float64(b.forgets)))
	if b.bytes > b.most {
		return false
	}
	b.bytes += bytes
	return true
}

// What waits for the peer has bounds, so that a page which makes the browser send more
// than the peer can take costs its own session only.
const (
	maxQueued   = 64 << 20 // bytes of all lanes; above it answers wait in the browser
	manyWaiting = 10_000   // messages of a lane from which what a page says is dropped
	longWaiting = 16 << 20 // and bytes
	mostWaiting = 20_000   // messages of a lane above which the page that has most of them floods
	mostBytes   = 32 << 20 // and bytes
	mostDropped = 10_000   // messages that a page may say in vain until its lane is empty again
	roomForBody = 4 << 20  // bytes of a lane above which requests come without their bodies
	behindBytes = 1 << 20  // bytes of a lane above which others overtake it
	behindCount = 1000     // and messages
	turnBytes   = 16 << 10 // bytes of such a lane at a time
)

// kind says what may become of a message.
type kind int

const (
	event  kind = iota
	spare       // an event that nothing depends on
	answer      // to a command
)

// spares are the events that nothing depends on: they say what a page has said.
var spares = beginnings("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded",
	"Network.webSocketFrameSent", "Network.webSocketFrameReceived", "Network.eventSourceMessageReceived",
	"Network.dataReceived")

// lanes are the messages that wait for the peer. Each browser context has a lane, and what is
// of the browser itself another. All come in the order of their arrival, unless a lane is
// behind: then the others overtake it, and lanes that are behind take turns.
type lanes struct {
	flooded func(target string) // called once for each source that is given up; it must not wait

	mu     sync.Mutex
	change sync.Cond
	main   *lane              // of the browser itself; never behind
	of     map[string]*lane   // of contexts
	full   []*lane            // that have something; the first has the next turn
	places map[string]place   // by sessions, the peer's and ours
	pages  map[string]*source // by their targets
	number int64              // of the last message
	load                      // of the events of pages
	bytes  int                // of all messages
	rest   []byte             // of the message that is being read
	closed bool
}

// lane is what waits of one context.
type lane struct {
	list   []waiting
	load       // of its events
	bytes  int // of all
	taken  int // bytes of its turn
	behind bool
}

// waiting is a message in a lane.
type waiting struct {
	text   []byte
	number int64
	from   *source // of an event of a page, else nil
}

// load is how much waits: messages and their bytes.
type load struct{ count, told int }

func (l *load) add(n, bytes int) { l.count, l.told = l.count+n, l.told+bytes }

// source is a page, or a worker without one.
type source struct {
	target  string
	load        // of its events
	dropped int // events, since its lane was empty
	floods  bool

	bodies, vain, costs, addresses bucket
	download                       []byte // how the last one's event begins
}

// place is where messages of a session go.
type place struct {
	lane *lane
	from *source // nil of the browser itself
}

func newLanes(flooded func(target string)) *lanes {
	q := &lanes{flooded: flooded, main: &lane{}, of: map[string]*lane{},
		places: map[string]place{}, pages: map[string]*source{}}
	q.change.L = &q.mu
	return q
}

// placeOf is the place of a session's messages. The lock is held.
func (q *lanes) placeOf(session string) place {
	if at, ok := q.places[session]; ok {
		return at
	}
	return place{lane: q.main}
}

// enter notes that a session was opened by another, for a target of a context.
func (q *lanes) enter(session, by, target, context string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := q.placeOf(by)
	if at.from == nil { // else it is for a part of the same page
		if at.lane = q.of[context]; at.lane == nil {
			at.lane = &lane{}
			q.of[context] = at.lane
		}
		if at.from = q.pages[target]; at.from == nil {
			at.from = &source{target: target, bodies: bodies, vain: vain, costs: costs, addresses: addresses}
			q.pages[target] = at.from
		}
	}
	q.places[session] = at
}

// leave notes that a session has ended. Of a lane that is behind, nobody needs any more what it
// still had to say.
func (q *lanes) leave(session string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at, ok := q.places[session]
	if !ok {
		return
	}
	delete(q.places, session)
	last, alone := true, true
	for _, other := range q.places {
		last = last && other.from != at.from
		alone = alone && other.lane != at.lane
	}
	if last {
		delete(q.pages, at.from.target)
		if at.lane.behind {
			q.dropOf(at)
		}
	}
	if alone {
		for context, other := range q.of {
			if other == at.lane {
				delete(q.of, context)
			}
		}
	}
}

// dropOf drops the events of a source that wait. The lock is held.
func (q *lanes) dropOf(at place) {
	at.lane.list = slices.DeleteFunc(at.lane.list, func(w waiting) bool {
		if w.from != at.from {
			return false
		}
		q.count(at.lane, w, -1)
		return true
	})
	if len(at.lane.list) == 0 {
		q.empty(at.lane)
	}
}

// count counts a message that waits (1), or waits no more (-1). The lock is held.
func (q *lanes) count(l *lane, w waiting, by int) {
	bytes := by * len(w.text)
	q.bytes, l.bytes = q.bytes+bytes, l.bytes+bytes
	if w.from != nil {
		q.add(by, bytes)
		l.add(by, bytes)
		w.from.add(by, bytes)
	}
}

// empty takes a lane off the list of those that have something. The lock is held.
func (q *lanes) empty(l *lane) {
	l.list, l.behind = nil, false
	q.full = slices.DeleteFunc(q.full, func(o *lane) bool { return o == l })
}

// put adds a message of a session. text makes it, which ends in NUL. Only an answer waits until the
// peer has read enough.
func (q *lanes) put(session string, kind kind, text func(bodies func(bytes int) bool) []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for kind == answer && q.bytes > maxQueued && !q.closed {
		q.change.Wait()
	}
	at := q.placeOf(session)
	l := at.lane
	if kind == answer {
		at.from = nil
	}
	if q.closed || at.from != nil && !q.admits(at, kind) {
		return
	}
	q.number++
	w := waiting{text(func(bytes int) bool {
		return l.told < roomForBody && (at.from == nil || at.from.bodies.take(bytes))
	}), q.number, at.from}
	if len(l.list) == 0 {
		q.full = append(q.full, l)
		if at.from != nil {
			at.from.dropped = 0
		}
	}
	l.list = append(l.list, w)
	q.count(l, w, 1)
	l.behind = l != q.main && (l.behind || l.bytes > behindBytes || len(l.list) > behindCount)
	q.change.Broadcast()
}

// admits reports whether an event of a page may wait. The lock is held.
func (q *lanes) admits(at place, kind kind) bool {
	l := at.lane
	switch {
	case at.from.floods:
		return false
	case kind == spare:
		if l.count < manyWaiting && l.told < longWaiting && q.told < maxQueued {
			return true
		}
		if at.from.dropped++; at.from.dropped > mostDropped {
			q.giveUp(at)
		}
		return false
	case q.told >= maxQueued:
		for _, other := range q.full {
			if other.told > l.told {
				l = other
			}
		}
		q.giveUp(place{l, l.loudest()})
	case l.count >= mostWaiting || l.told >= mostBytes:
		q.giveUp(place{l, l.loudest()})
	}
	return !at.from.floods
}

// loudest is the source with the most events that wait, nil if none does. The lock is held.
func (l *lane) loudest() (from *source) {
	weight := func(s *source) int { return s.told + s.count*(mostBytes/mostWaiting) }
	for _, w := range l.list {
		if w.from != nil && (from == nil || weight(w.from) > weight(from)) {
			from = w.from
		}
	}
	return from
}

// heard notes an event of a session, the peer's or ours, of which so many bytes were cut.
func (q *lanes) heard(session string, m []byte, cut int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at, length := q.placeOf(session), len(m)+cut
	if at.from != nil && !(at.from.costs.take(costOf(m, length)) && at.from.downloads(m, length)) {
		q.giveUp(at)
	}
}

// wasCut notes that so many bytes of an event of a session were cut. The browser writes them for
// nothing, and has no time for other pages meanwhile.
func (q *lanes) wasCut(session string, bytes int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := q.placeOf(session)
	if at.from == nil {
		return
	}
	if !at.from.vain.take(bytes) {
		q.giveUp(at)
	}
}

// giveUp lets no event of a source wait any more. The lock is held.
func (q *lanes) giveUp(at place) {
	if at.from == nil || at.from.floods {
		return
	}
	at.from.floods = true
	q.dropOf(at)
	q.flooded(at.from.target)
}

// next is the lane that has the next message. The lock is held.
func (q *lanes) next() (first *lane) {
	var behind *lane
	for _, l := range q.full {
		switch {
		case l.behind && behind == nil:
			behind = l
		case !l.behind && (first == nil || l.list[0].number < first.list[0].number):
			first = l
		}
	}
	if first == nil {
		first = behind
	}
	return first
}

// take takes the next message. The lock is held.
func (q *lanes) take() []byte {
	l := q.next()
	w := l.list[0]
	l.list[0] = waiting{}
	l.list = l.list[1:]
	q.count(l, w, -1)
	if l.taken += len(w.text); l.taken >= turnBytes && l.behind { // the next one's turn
		l.taken = 0
		q.full = append(slices.DeleteFunc(q.full, func(o *lane) bool { return o == l }), l)
	}
	if len(l.list) == 0 {
		q.empty(l)
	}
	return w.text
}

// Read reads the messages. After the last one of closed lanes it answers [io.EOF].
func (q *lanes) Read(p []byte) (n int, _ error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.rest) == 0 && len(q.full) == 0 && !q.closed {
		q.change.Wait()
	}
	for n < len(p) && len(q.rest)+len(q.full) > 0 {
		if len(q.rest) == 0 {
			q.rest = q.take()
		}
		k := copy(p[n:], q.rest)
		n, q.rest = n+k, q.rest[k:]
	}
	if n == 0 {
		return 0, io.EOF
	}
	q.change.Broadcast()
	return n, nil
}

// Close closes the lanes. What is unread can still be read.
func (q *lanes) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.change.Broadcast()
	return nil
}
