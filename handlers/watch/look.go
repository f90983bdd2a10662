package watch

import (
	"context"
	"reflect"
	"sync"
	"time"

	"pwpipe/handlers/agent"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/provider"
)

// look is a person's look at one session.
type look struct {
	viewer  *viewer
	session *browser.Session
	ctx     context.Context
	cancel  context.CancelFunc
	shown   chan struct{} // the last picture is
	changed chan struct{} // which page is looked at, or whether

	mu    sync.Mutex
	page  string // "" is the active one
	live  *seat  // nil while nothing is filmed
	pages *browser.Page
}

func newLook(v *viewer, s *browser.Session, page string) *look {
	l := &look{viewer: v, session: s, page: page, shown: make(chan struct{}, 1), changed: make(chan struct{}, 1)}
	l.ctx, l.cancel = context.WithCancel(v.ctx)
	go l.tell()
	go l.signals()
	go l.film()
	return l
}

// end ends it. A session that the person has is handed back: nobody is there to.
func (l *look) end() {
	l.cancel()
	views.Of(l.session).handBack(l.viewer, "the viewer went away")
}

// choose has another page be shown.
func (l *look) choose(page string) {
	l.mu.Lock()
	l.page = page
	l.mu.Unlock()
	l.again()
}

// again has what is filmed be looked at anew.
func (l *look) again() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// shownState is who has the session, its running calls, and those that have ended
// since the last time.
type shownState struct {
	Is      string     `json:"is"`
	Session string     `json:"session"`
	Mine    bool       `json:"mine"` // this person has it
	Done    []doneCall `json:"done,omitempty"`
	stand
}

// tell sends what becomes of the session's calls, as it does.
func (l *look) tell() {
	own := views.Of(l.session)
	rings, off := own.bell.listen()
	defer off()
	var last shownState
	for number := 0; ; {
		now := shownState{Is: "state", Session: keyOf(l.session), Done: own.since(number), stand: own.stand()}
		own.mu.Lock()
		now.Mine = own.holder == l.viewer
		own.mu.Unlock()
		if n := len(now.Done); n > 0 {
			number = now.Done[n-1].Number
		}
		if !reflect.DeepEqual(now, last) && l.viewer.to.Show(now, nil) != nil {
			return
		}
		last = now
		last.Done = nil
		select {
		case <-rings:
		case <-l.ctx.Done():
			return
		}
		// A flood of calls is told of a few times a second.
		select {
		case <-time.After(tellPause):
		case <-l.ctx.Done():
			return
		}
	}
}

// tellPause is between two messages about a session's calls.
const tellPause = 100 * time.Millisecond

// firstSignals is how many of what has happened is told to who comes.
const firstSignals = 300

// shownSignals are events of a session: its console, network, and the rest.
type shownSignals struct {
	Is      string         `json:"is"`
	Session string         `json:"session"`
	Events  []events.Event `json:"events"`
	Lost    int            `json:"lost,omitempty"`
}

// signals sends what has happened to the session's pages, and what does.
func (l *look) signals() {
	sub := events.Subscribe(l.session)
	defer sub.Close()
	list := events.Recorded.Of(l.session).Since(0)
	if n := len(list); n > firstSignals {
		list = list[n-firstSignals:]
	}
	var last int64
	for lost := 0; ; {
		fresh := list[:0:0]
		for _, e := range list {
			if e.Seq > last {
				fresh, last = append(fresh, e), e.Seq
			}
		}
		if len(fresh) > 0 && l.viewer.to.Show(shownSignals{"signals", keyOf(l.session), fresh, lost}, nil) != nil {
			return
		}
		select {
		case <-time.After(tellPause):
		case <-l.ctx.Done():
			return
		}
		var err error
		if list, lost, err = sub.Next(l.ctx); err != nil {
			if l.ctx.Err() == nil {
				_ = l.viewer.to.Show(map[string]string{"is": "gone", "session": keyOf(l.session)}, nil)
			}
			return
		}
	}
}

// current is the page that is looked at, nil while there is none.
func (l *look) current() *browser.Page {
	l.mu.Lock()
	wanted := l.page
	l.mu.Unlock()
	for _, p := range l.session.OpenPages() {
		if name, _, active := l.session.HandlesOf(p); name != "" && (name == wanted || wanted == "" && active) {
			return p
		}
	}
	return nil
}

// outlineTime bounds the outline.
const outlineTime = 10 * time.Second

// outline sends the accessibility outline of the page, as the tool snapshot words
// it.
func (v *viewer) outline(doing) error {
	l, _, err := v.looked()
	if err != nil {
		return err
	}
	p := l.current()
	if p == nil || !mayShow(p) {
		return provider.Errorf(provider.KindNoTarget, "there is no page to outline")
	}
	return v.aside(func() {
		ctx, cancel := context.WithTimeout(l.ctx, outlineTime)
		defer cancel()
		text, err := agent.Outline(ctx, p)
		if err != nil {
			v.complain(err)
			return
		}
		_ = v.to.Show(map[string]string{"is": "outline", "session": keyOf(l.session), "page": p.Name, "text": text}, nil)
	})
}
