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

// look is one person's view of one session.
type look struct {
	viewer  *viewer
	session *browser.Session
	of      *view // the session's
	ctx     context.Context
	cancel  context.CancelFunc
	shown   signal // the last picture is drawn
	changed signal // the chosen page, or whether one is filmed, has changed

	mu    sync.Mutex
	page  string // "" is the active one
	live  *seat  // nil while nothing is filmed
	pages *browser.Page
}

func newLook(v *viewer, s *browser.Session, page string) *look {
	l := &look{viewer: v, session: s, of: views.Of(s), page: page, shown: newSignal(), changed: newSignal()}
	l.ctx, l.cancel = context.WithCancel(v.ctx)
	go l.tell()
	go l.signals()
	go l.film()
	return l
}

// end ends it. It hands back a session that the person has taken over.
func (l *look) end() {
	l.cancel()
	l.of.handBack(l.viewer, "the viewer went away")
}

// shownState is who has the session, its running calls, and the calls that have ended
// since the last message.
type shownState struct {
	Is      string     `json:"is"`
	Session string     `json:"session"`
	Mine    bool       `json:"mine"` // this person has it
	Done    []doneCall `json:"done,omitempty"`
	stand
}

// tell sends the state of the session's calls, as it changes.
func (l *look) tell() {
	rings, off := l.of.bell.listen()
	defer off()
	var last shownState
	for number := 0; ; {
		now := shownState{Is: "state", Session: keyOf(l.session), Done: l.of.since(number), stand: l.of.stand()}
		l.of.mu.Lock()
		now.Mine = l.of.hold.by == l.viewer
		l.of.mu.Unlock()
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
		// During a flood of calls it sends a few times a second.
		select {
		case <-time.After(tellPause):
		case <-l.ctx.Done():
			return
		}
	}
}

// tellPause is the pause between two messages about a session's calls.
const tellPause = 100 * time.Millisecond

// firstSignals bounds the earlier events that a new viewer gets.
const firstSignals = 300

// shownSignals are events of a session: its console, network, and others.
type shownSignals struct {
	Is      string         `json:"is"`
	Session string         `json:"session"`
	Events  []events.Event `json:"events"`
	Lost    int            `json:"lost,omitempty"`
}

// signals sends the earlier and future events of the session's pages.
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

// current is the page that is shown, nil while there is none.
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

const outlineTime = 10 * time.Second

// outline sends the accessibility outline of the page, in the form of the tool
// snapshot.
func (l *look) outline(doing) error {
	p := l.current()
	if p == nil || !mayShow(p) {
		return provider.Errorf(provider.KindNoTarget, "there is no page to outline")
	}
	return l.viewer.aside(func() error {
		ctx, cancel := context.WithTimeout(l.ctx, outlineTime)
		defer cancel()
		text, err := agent.Outline(ctx, p)
		if err == nil {
			_ = l.viewer.to.Show(map[string]string{"is": "outline", "session": keyOf(l.session), "page": p.Name, "text": text}, nil)
		}
		return err
	})
}
