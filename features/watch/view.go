package watch

import (
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/features/film"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// views hold what viewers see of each session.
var views = browser.State[*browser.Session, view]{New: func(s *browser.Session) *view {
	v := &view{session: s, running: map[*call]struct{}{}}
	s.OnClose(func(e browser.Ending) {
		if e.Last { // while its pages can still be asked
			v.handBack(nil, "the session was closed")
		}
	})
	s.OnClosed(v.dropRecordings)
	return v
}}

// view is a session's running calls, its past calls, and who has the session: its
// calls, or a person.
type view struct {
	session    *browser.Session
	bell       bell
	recordings sync.Mutex   // held while one begins, or ends
	turn       sync.Mutex   // held while a person's time begins, or ends; before mu
	stirred    atomic.Int64 // when a call began or ended last, in nanoseconds since 1970
	filming    atomic.Int32 // films that rest when one does
	rests      bell         // notifies them

	mu      sync.Mutex
	running map[*call]struct{} // except calls that wait for a person
	waiting int                // calls that wait for the person with the session
	hold    hold
	asks    []*ask
	asked   int // their total number
	past    past
	records []*recording
}

// hold is a person's time with a session. The view's lock guards it.
type hold struct {
	by      *viewer       // has the session, or is about to; nil for nobody
	begun   bool          // the last call has ended
	turning bool          // what begins or ends with the person's time is under way
	logs    func()        // ends the log of what the person does; nil for none
	back    chan struct{} // closed when the session is handed back
	release func()        // of the hold on the session
	touched time.Time     // when the person did something last
}

// past are the kept calls of a session. The view's lock guards it.
type past struct {
	calls  []doneCall
	failed *doneCall // the last of them that failed
	total  int
}

func (p *past) add(own doneCall) {
	p.total++
	own.Number = p.total
	if len(p.calls) >= 2*keptCalls {
		p.calls = append(p.calls[:0], p.calls[len(p.calls)-keptCalls:]...)
	}
	p.calls = append(p.calls, own)
	if own.Error != "" {
		p.failed = &own
	}
}

type call struct {
	Tool   string    `json:"tool"`
	Page   string    `json:"page,omitempty"`
	Target string    `json:"target,omitempty"`
	Since  time.Time `json:"since"`
	aim    *provider.Aim
}

// doneCall is a call that has ended: its target, but none of its other parameters, and
// not its result.
type doneCall struct {
	Number int       `json:"n"`
	Tool   string    `json:"tool"`
	Page   string    `json:"page,omitempty"`
	Target string    `json:"target,omitempty"`
	At     time.Time `json:"at"`
	Took   float64   `json:"took"` // milliseconds
	Error  string    `json:"error,omitempty"`
}

// Bounds of the kept calls of a session.
const (
	keptCalls = 200
	keptError = 600 // characters
)

// stir records that a call begins or ends. It costs almost nothing while calls follow
// each other: then no film runs.
func (v *view) stir() {
	v.stirred.Store(time.Now().UnixNano())
	if v.filming.Load() > 0 {
		v.rests.ring()
	}
	v.bell.ring()
}

// quiet is how long no call has begun or ended.
func (v *view) quiet() time.Duration { return time.Since(time.Unix(0, v.stirred.Load())) }

func (v *view) saw(r provider.Request, aim *provider.Aim, took time.Duration, err *provider.Error) {
	own := doneCall{Tool: v.session.Browser.Short(r.Tool, 60), Page: v.session.Browser.Short(r.Page, 20), At: time.Now(), Took: float64(took.Microseconds()) / 1000}
	if page, target := aim.At(); page != "" {
		own.Page, own.Target = page, target
	}
	if err != nil {
		own.Error = v.session.Browser.Short(err.Error(), keptError)
	}
	v.mu.Lock()
	v.past.add(own)
	v.mu.Unlock()
	v.bell.ring()
}

// since answers the kept calls after the n-th.
func (v *view) since(n int) (list []doneCall) {
	v.mu.Lock()
	defer v.mu.Unlock()
	kept := v.past.calls[max(0, len(v.past.calls)-keptCalls):]
	first, _ := slices.BinarySearchFunc(kept, n+1, func(c doneCall, n int) int { return c.Number - n })
	return append(list, kept[first:]...)
}

// stand is who has a session, and its running calls.
type stand struct {
	Running []call      `json:"running"`
	Waiting int         `json:"waiting"`
	Taken   string      `json:"taken"` // "", "soon" while calls run on, "yes"
	Logs    bool        `json:"logs"`  // what the person does is in the session's log
	Asks    []shownAsk  `json:"asks"`
	Records []string    `json:"records"` // what a person has recorded
	Films   []shownFilm `json:"films"`   // what calls have filmed
	Failed  *doneCall   `json:"failed,omitempty"`
}

type shownFilm struct {
	Number int       `json:"n"`
	Name   string    `json:"name"`
	Page   string    `json:"page"`
	At     time.Time `json:"at"`
}

func (v *view) stand() stand {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := stand{Running: []call{}, Waiting: v.waiting, Logs: v.hold.logs != nil, Asks: []shownAsk{}, Records: []string{}, Films: []shownFilm{}, Failed: v.past.failed}
	for c := range v.running {
		own := *c
		if page, target := c.aim.At(); page != "" {
			own.Page, own.Target = page, target
		}
		own.aim = nil
		now.Running = append(now.Running, own)
	}
	slices.SortFunc(now.Running, func(a, b call) int { return a.Since.Compare(b.Since) })
	switch {
	case v.hold.by != nil && v.hold.begun:
		now.Taken = "yes"
	case v.hold.by != nil:
		now.Taken = "soon"
	}
	for _, a := range v.asks {
		now.Asks = append(now.Asks, a.shownAsk)
	}
	for _, f := range film.FilmsOf(v.session) {
		now.Films = append(now.Films, shownFilm{f.Number, v.session.Browser.Short(filepath.Base(f.Path), 80), f.Page, f.At})
	}
	for _, r := range v.records {
		now.Records = append(now.Records, r.what)
	}
	return now
}
