// Package events records what happens on a session's pages, and sends it to
// subscribers.
package events

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
)

// The kinds of event that a session records.
const (
	EventConsole       = "console"        // a page wrote to its console
	EventPageError     = "page-error"     // a script threw and nothing caught it
	EventRequest       = "request"        // a request was sent
	EventResponse      = "response"       // its response's head has come
	EventRequestFailed = "request-failed" // or there was none
	EventDialog        = "dialog"         // alert, confirm, prompt or beforeunload
	EventDownload      = "download"       // a download began
	EventPopup         = "popup"          // a page opened a page
	EventCrash         = "crash"          // a page's renderer died
	EventPerson        = "person"         // a person took the session over, or handed it back, or was asked to
)

// EventKinds lists every kind.
func EventKinds() []string {
	return []string{EventConsole, EventPageError, EventRequest, EventResponse, EventRequestFailed,
		EventDialog, EventDownload, EventPopup, EventCrash, EventPerson}
}

// Event is something that happened to a page, recorded even without subscribers. Its
// members depend on the kind.
type Event struct {
	Kind string    `json:"event" own:"yes"`
	Seq  int64     `json:"seq"`                      // counts a session's events from 1
	Page string    `json:"page,omitempty" own:"yes"` // handle; "" for a service worker
	Time time.Time `json:"time" own:"yes"`

	Type  string `json:"type,omitempty" own:"word"` // console: log, error, ...; page-error: TypeError, ...; dialog: alert, ...; request: document, script, ...; person: took-over, handed-back, asked
	Text  string `json:"text,omitempty"`            // what the console, the error, the dialog or the failure says
	Stack string `json:"stack,omitempty"`           // page-error
	URL   string `json:"url,omitempty"`             // request, response, download; console: of the script
	Line  int    `json:"line,omitempty"`            // console: from 1

	Method  string `json:"method,omitempty" own:"word"` // request, response, request-failed
	Status  int    `json:"status,omitempty"`            // response
	Request int64  `json:"request,omitempty"`           // response, request-failed: Seq of the request
	Took    int64  `json:"took,omitempty"`              // response, request-failed: milliseconds since the request

	Default string `json:"default,omitempty"`          // dialog: what a prompt offers
	File    string `json:"file,omitempty"`             // download: suggested name
	Opened  string `json:"opened,omitempty" own:"yes"` // popup: handle of the new page

	// PWRequest is the request of the event, for tools that need more of it; nil except
	// for the newest keptSources. Its methods may block, so event callbacks must not
	// call them.
	PWRequest playwright.Request `json:"-"`

	body int // bytes of the body and the address that PWRequest holds
}

// events records what happens to a session's pages. Playwright's event callbacks write
// to it, so it never blocks and never calls the browser.
type events struct {
	mu   sync.Mutex
	seq  int64
	kept shelves
	subs map[*Subscription]struct{}
	over bool                // the session is closed
	mask func(string) string // hides secrets; nil for none
}

// ActMark is the number of the newest event at the start of the last acting call on a
// page.
var ActMark browser.State[*browser.Page, atomic.Int64]

// sentRequest is the data of a request that its response needs.
type sentRequest struct {
	seq int64
	at  time.Time
}

// Recorded are the events of a session's pages.
var Recorded = browser.State[*browser.Session, events]{New: func(s *browser.Session) *events {
	r := newEvents()
	r.mask = s.Browser.Config.Mask
	s.OnClosed(r.close)
	if s.Ended() {
		r.close()
	}
	return r
}}

func newEvents() *events {
	return &events{kept: shelves{of: map[shelfName]*shelf{}, sent: map[playwright.Request]sentRequest{}},
		subs: map[*Subscription]struct{}{}}
}

// add records an event and gives it to subscribers.
func (r *events) add(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	e.Seq, e.Time = r.seq, time.Now().UTC()
	if r.mask != nil { // before anything is cut, since half a secret would not be found
		for _, s := range []*string{&e.Text, &e.Stack, &e.URL, &e.Default, &e.File} {
			*s = r.mask(*s)
		}
	}
	e.Text, e.Stack, e.URL, e.Default = Clip(e.Text, keptText), Clip(e.Stack, keptText), Clip(e.URL, KeptURL), Clip(e.Default, keptText)
	switch sent, ok := r.kept.sent[e.PWRequest]; {
	case e.Kind == EventRequest:
		r.kept.sent[e.PWRequest] = sentRequest{e.Seq, e.Time}
	case e.PWRequest != nil && ok:
		e.Request, e.Took = sent.seq, e.Time.Sub(sent.at).Milliseconds()
	}
	if e.Kind != EventRequest {
		e.PWRequest = nil
	}
	r.kept.add(e)
	e.PWRequest = nil // a slow subscriber would keep its body in memory
	for s := range r.subs {
		s.offer(e)
	}
}

// Since returns the kept events of some kinds (none: all) after seq, in order.
func (r *events) Since(seq int64, kinds ...string) []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Event
	for name, kept := range r.kept.of {
		if len(kinds) > 0 && !slices.Contains(kinds, name.kind) {
			continue
		}
		for _, e := range kept.items {
			if e.Seq > seq {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, func(a, b Event) int { return int(a.Seq - b.Seq) })
	return list
}

// Find returns a kept event by its number.
func (r *events) Find(seq int64) (Event, bool) {
	list := r.Since(seq - 1)
	if len(list) == 0 || list[0].Seq != seq {
		return Event{}, false
	}
	return list[0], true
}

// Newest is the number of the newest event.
func (r *events) Newest() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seq
}

// subscribe queues events of some kinds (none: all) from now on.
func (r *events) subscribe(kinds ...string) *Subscription {
	s := &Subscription{from: r, kinds: kinds, queue: ring[Event]{most: subscription}, ready: make(chan struct{}, 1)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.subs[s] = struct{}{}
	if r.over {
		s.end()
	}
	return s
}

func (r *events) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	for s := range r.subs {
		s.end()
	}
}

// Note records an event that no page caused.
func Note(s *browser.Session, e Event) { Recorded.Of(s).add(e) }

// MarkActs records the newest event's number at the start of a call that acts.
func MarkActs(p *browser.Page) { ActMark.Of(p).Store(Recorded.Of(p.Session).Newest()) }
