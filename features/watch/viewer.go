package watch

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// How often the shown state is compared with the real one, where nothing reports
// changes.
const lookEvery = 500 * time.Millisecond

// viewer is a person who watches.
type viewer struct {
	hub *Hub
	to  provider.Viewer
	all bool
	ctx context.Context

	asked atomic.Int32 // of slow requests

	visible atomic.Bool // the page is in front
	wake    signal      // the list must be sent again

	mu    sync.Mutex
	named map[string]bool // ids of sessions that the person knows
	look  *look           // nil while only the list is shown
}

// doing is a person's action, as the page sends it.
type doing struct {
	Do      string  `json:"do"`
	Session string  `json:"session"`
	Page    string  `json:"page"`
	ID      string  `json:"id"`
	On      bool    `json:"on"`
	Number  int     `json:"n"`
	What    string  `json:"what"`
	X       float64 `json:"x"` // of the picture, 0 to 1
	Y       float64 `json:"y"`
	DX      float64 `json:"dx"`
	DY      float64 `json:"dy"`
	Type    string  `json:"type"`
	Button  string  `json:"button"`
	Buttons int     `json:"buttons"`
	Clicks  int     `json:"clicks"`
	Mods    int     `json:"mods"`
	Key     string  `json:"key"`
	Code    string  `json:"code"`
	KeyCode int     `json:"keyCode"`
	Text    string  `json:"text"`
}

// actions are what a person can do. It is a function, as some of them lead back to
// [Hub.Watch], which a variable may not.
func actions() map[string]func(*viewer, doing) error {
	return map[string]func(*viewer, doing) error{
		"name": (*viewer).name, "look": (*viewer).lookAt, "visible": (*viewer).show, "drawn": (*viewer).drawn,
		"close": (*viewer).close, "take": onLook((*look).take), "back": onLook((*look).giveBack),
		"answer": onLook((*look).answer), "outline": onLook((*look).outline), "record": onLook((*look).record),
		"film": onLook((*look).sendFilm), "mouse": byHand(hands.mouse), "wheel": byHand(hands.wheel),
		"key": byHand(hands.key), "text": byHand(hands.text),
	}
}

// onLook is an action on the session that is shown.
func onLook(do func(*look, doing) error) func(*viewer, doing) error {
	return func(v *viewer, d doing) error {
		if l := v.looked(); l != nil {
			return do(l, d)
		}
		return provider.Errorf(provider.KindNoTarget, "no session is shown")
	}
}

// Watch shows one person what runs, until they leave or ctx ends.
func (h *Hub) Watch(ctx context.Context, to provider.Viewer) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	v := &viewer{hub: h, to: to, all: to.All(), ctx: ctx, named: map[string]bool{}, wake: newSignal()}
	v.visible.Store(true)
	defer func() { _ = v.lookAt(doing{}) }() // a session that the person has is handed back
	go v.listing(ctx)
	does := actions()
	for {
		text, err := to.Heard()
		if err != nil || ctx.Err() != nil {
			return
		}
		var d doing
		if json.Unmarshal(text, &d) != nil || does[d.Do] == nil {
			v.complain(provider.Errorf(provider.KindInvalid, "the page is of another version of pwpipe; load it again"))
			continue
		}
		v.complain(does[d.Do](v, d))
	}
}

// maxAside bounds a viewer's slow requests that run at once.
const maxAside = 4

// aside runs a slow request in parallel with the viewer's others.
func (v *viewer) aside(do func() error) error {
	if v.asked.Add(1) > maxAside {
		v.asked.Add(-1)
		return provider.Errorf(provider.KindLimit, "too many requests are under way; wait for their answers")
	}
	go func() {
		defer v.asked.Add(-1)
		v.complain(do())
	}()
	return nil
}

// complain shows an error; nil is none.
func (v *viewer) complain(err error) {
	if err == nil {
		return
	}
	_ = v.to.Show(map[string]string{"is": "problem", "text": v.hub.Pool.Browser.Short(err.Error(), keptError)}, nil)
}

func (v *viewer) hasNamed(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.named[id]
}

// maxNamed bounds the ids that one viewer names.
const maxNamed = 64

// name is for viewers who may not see everything: a session's id is enough to use it,
// and so to watch it.
func (v *viewer) name(d doing) error {
	s := v.hub.Pool.Find(d.ID)
	if s == nil {
		_ = v.to.Show(map[string]string{"is": "unnamed", "id": d.ID}, nil)
		return nil
	}
	v.mu.Lock()
	if len(v.named) < maxNamed {
		v.named[d.ID] = true
	}
	v.mu.Unlock()
	v.wake.give()
	return v.to.Show(map[string]string{"is": "named", "id": d.ID, "key": keyOf(s)}, nil)
}

// listing sends the list whenever it has changed.
func (v *viewer) listing(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var last shownList
	for first := true; ; first = false {
		if first || v.visible.Load() {
			if now := v.hub.list(ctx, v); !reflect.DeepEqual(now, last) {
				if v.to.Show(now, nil) != nil {
					return
				}
				last = now
			}
		}
		select {
		case <-tick.C:
		case <-v.wake:
		case <-ctx.Done():
			return
		}
	}
}

// lookAt shows one session and one of its pages; none for "".
func (v *viewer) lookAt(d doing) error {
	s := v.hub.find(v, d.Session)
	if s == nil && d.Session != "" {
		return v.to.Show(map[string]string{"is": "gone", "session": d.Session}, nil)
	}
	v.mu.Lock()
	old := v.look
	if old != nil && old.session == s {
		v.mu.Unlock()
		old.mu.Lock()
		old.page = d.Page
		old.mu.Unlock()
		old.changed.give()
		return nil
	}
	v.look = nil
	if s != nil {
		v.look = newLook(v, s, d.Page)
	}
	v.mu.Unlock()
	if old != nil {
		old.end()
	}
	return nil
}

// looked is the look at the session that is shown, nil for none.
func (v *viewer) looked() *look {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.look
}

// show records whether the page is in front: nothing is filmed for a hidden one.
func (v *viewer) show(d doing) error {
	v.visible.Store(d.On)
	v.wake.give()
	if l := v.looked(); l != nil {
		l.changed.give()
	}
	return nil
}

func (v *viewer) drawn(doing) error {
	if l := v.looked(); l != nil {
		l.shown.give()
	}
	return nil
}

func (l *look) take(doing) error { return l.of.take(l.viewer) }

// giveBack hands the session back. Open questions are answered.
func (l *look) giveBack(doing) error {
	if l.of.handBack(l.viewer, "") {
		l.of.answer(0, nil)
	}
	return nil
}

// answer answers an open question, whether or not the session was taken over.
func (l *look) answer(d doing) error {
	var no error
	if !d.On {
		no = errRefused()
	}
	l.of.answer(d.Number, no)
	l.of.handBack(l.viewer, "")
	return nil
}

// close closes the session. If a HAR was recorded, the person gets it.
func (v *viewer) close(d doing) error {
	s := v.hub.find(v, d.Session)
	switch {
	case s == nil:
		return nil
	case s.Options.ID == "":
		return provider.Errorf(provider.KindFailed, "this session ends with its pipe")
	}
	return v.aside(func() error {
		defer v.wake.give()
		return v.closed(s)
	})
}

func (v *viewer) closed(s *browser.Session) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.ctx), browser.CloseTime)
	defer cancel()
	if v.hub.Table.Find("session.close") == nil {
		return v.hub.Pool.Close(ctx, s.Options.ID)
	}
	params, _ := json.Marshal(map[string]string{"session_id": s.Options.ID})
	result, err := v.hub.Table.Call(ctx, provider.Request{Tool: "session.close", Params: params})
	var out struct{ HAR json.RawMessage }
	if err == nil && json.Unmarshal(result.JSON, &out) == nil && out.HAR != nil {
		return v.file("session.har", "application/json", out.HAR)
	}
	return err
}

func (v *viewer) file(name, kind string, bytes []byte) error {
	return v.to.Show(map[string]string{"is": "file", "name": name, "type": kind}, bytes)
}
