package fastpath

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/navwatch"
	"pwpipe/provider"
)

// aims is Playwright's click up to where the mouse is moved: see the file.
//
//go:embed click.js
var aims string

// courses track where pages are about to navigate. Clicks and fills must know this.
var courses browser.State[*browser.Page, navwatch.Course]

var clickable = define("click", aims)

// Click is page.click for an element that is ready and in view. It does what Playwright
// does in the page before and after the mouse, with one message each. In other cases
// byDriver does all of it, including the wait; then nothing was clicked before. The first act
// in a page is byDriver's too: from that one on it is known where the page goes (courses).
// Click ends when a navigation that it started has arrived, as [endAct] says.
// Errors are byDriver's, [ErrUnended], [ErrUntaken] and [ErrUnseen].
func Click(ctx context.Context, p *browser.Page, sel string, byDriver func() error) error {
	s, hand := p.Direct(), pointers.Of(p)
	if s == nil || hand.isHeld() || slow(p) || readers.Of(p).elsewhere(ctx) {
		return byDriver()
	}
	c := courses.Of(p)
	if c.Still(s) {
		if a := aimWhileAlone(ctx, p, s, sel); a != nil {
			if !a.Done {
				hand.moved(a)
			}
			if done, err := a.press(ctx, p, s); done {
				if err == nil && !p.Engine.Alive() { // not only its page is gone: nobody knows what became of the click
					return p.Engine.LostError()
				}
				return err
			}
		}
	}
	return c.ByDriver(ctx, s, byDriver)
}

// aimed is a click that is about to happen.
type aimed struct {
	X, Y   float64 // CSS pixels of the viewport
	Done   bool    // it has no place, and was clicked without the mouse
	quiet  bool    // the document stood still: no frame was awaited
	object string  // DevTools id of the library that waits for it
	id     int64
}

// acts numbers clicks and fills.
var acts atomic.Int64

// aimWhileAlone is [aim]. The browser may report a request of the act before only with the page's
// answer. Then that answer does not count, and the page is asked again, which takes two frames.
func aimWhileAlone(ctx context.Context, p *browser.Page, s *cdp.Session, sel string) *aimed {
	asked := asking.Of(p)
	before := asked.beginAct(s)
	alone := asked.aloneSince(before, s, p)
	a := aim(ctx, p, s, sel, alone)
	if a != nil && a.quiet && alone && !asked.aloneSince(before, s, p) {
		_ = after(ctx, s, a.object, a.did("result()"), "", nil)
		return aim(ctx, p, s, sel, false)
	}
	return a
}

// aim finds the point to click, nil if the driver must click.
func aim(ctx context.Context, p *browser.Page, s *cdp.Session, sel string, alone bool) (a *aimed) {
	most := patience(ctx, MaxPatience)
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	late := time.Now().Add(most * 9 / 10).UnixMilli()
	id := acts.Add(1)
	q := &question{kind: clickable.name, sel: sel, arg: []any{id, p.PW.URL(), late, alone}, ctx: ctx, acts: true, answer: make(chan json.RawMessage, 1)}
	r := readers.Of(p)
	r.ask(q)
	raw := q.wait(most)
	object := r.document.asked()
	switch {
	case raw == nil:
		return nil
	case string(raw) == "true":
		if after(ctx, s, object, fmt.Sprintf("this.page.aimed(%d)", id), "", &a) != nil {
			return nil
		}
	case json.Unmarshal(raw, &a) != nil || a == nil:
		return nil
	default:
		a.quiet = true
	}
	if a == nil {
		return nil
	}
	a.object, a.id = object, id
	return a
}

// after asks the document for results since a question. Unlike the question of an act, it is no
// user gesture. text is what the expression knows by that name.
func after(ctx context.Context, s *cdp.Session, object, what, text string, to any) error {
	var reply json.RawMessage
	err := s.Call(ctx, "Runtime.callFunctionOn", awaited(object, what, text), &reply)
	return valueOf(reply, err, to)
}

// awaited are the parameters of Runtime.callFunctionOn for an expression whose promise is awaited.
func awaited(object, what, text string) map[string]any {
	return map[string]any{"objectId": object, "functionDeclaration": "function(text) { return " + what + " }",
		"arguments": []argument{{text}}, "awaitPromise": true, "returnByValue": true}
}

// valueOf decodes what Runtime.callFunctionOn answers. The value undefined leaves to as it is.
func valueOf(reply json.RawMessage, err error, to any) error {
	var r struct {
		Result    struct{ Value any }
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	if r.Result.Value = to; err == nil {
		err = json.Unmarshal(reply, &r)
	}
	if err == nil && r.Exception != nil {
		err = fmt.Errorf("the document: %s", r.Exception)
	}
	return err
}

// press clicks at the point. done is false if nothing was clicked, because something else is there
// by now, or intercepted the click.
func (a *aimed) press(ctx context.Context, p *browser.Page, s *cdp.Session) (done bool, err error) {
	came := "hit" // the document may be gone by then: then it was hit
	if a.Done {
		_ = after(ctx, s, a.object, a.did("result()"), "", &came)
	} else {
		move := a.mouse("mouseMoved", "none", 0, 0)
		press, release := a.mouse("mousePressed", "left", 1, 1), a.mouse("mouseReleased", "left", 0, 1)
		events := []input{press, release}
		if readers.Of(p).document.alone() { // no other document can come in between
			events = []input{move, press, release}
		} else if there, ended, err := a.inputs(ctx, s, "moved", "hit()", move, flush); ended {
			return true, err
		} else if string(there) != `"done"` { // what Playwright's expectHitTarget answers
			_ = after(ctx, s, a.object, a.did("result()"), "", nil)
			return false, nil
		}
		told, ended, err := a.inputs(ctx, s, "pressed", "result()", events...)
		if ended {
			return true, err
		}
		_ = json.Unmarshal(told, &came)
	}
	switch came {
	case "missed":
		return false, nil
	case "unseen":
		return true, ErrUnseen
	}
	if !courses.Of(p).Arrived(ctx, s) {
		return true, ErrUnended
	}
	readers.Of(p).answered.Add(1)
	endAct(p, s)
	return true, nil
}

// did is an expression about what the library knows of the click.
func (a *aimed) did(what string) string {
	return fmt.Sprintf("this.page.clicks.get(%d).%s", a.id, what)
}

// flush brings a document the move before it: of a move alone it hears with its next frame. It is no
// event to the page, since the key makes no character.
var flush = input{"Input.dispatchKeyEvent", map[string]any{"type": "char", "windowsVirtualKeyCode": 27}}

// input is a method of DevTools and its parameters.
type input struct {
	method string
	params map[string]any
}

// mouse is an event of the mouse there.
func (a *aimed) mouse(kind, button string, buttons, count int) input {
	return input{"Input.dispatchMouseEvent", map[string]any{"type": kind, "button": button, "buttons": buttons,
		"x": a.X, "y": a.Y, "modifiers": 0, "clickCount": count}}
}

// unheard is how long an event that the page has taken may go without the library's word.
const unheard = 20 * time.Millisecond

// inputs sends events, and waits until the page has taken them. told is what the library says of
// them: tells is a promise of that, and now says it at once, for events that the page never heard of. It is
// nil if the document is gone. ended reports that the page or the call has ended.
func (a *aimed) inputs(
	ctx context.Context, s *cdp.Session, tells, now string, list ...input,
) (told json.RawMessage, ended bool, err error) {
	answer, taken := make(chan json.RawMessage, 1), make(chan error, len(list))
	ask := func(what string, answer chan<- json.RawMessage) { // each has its own: a late answer must not fill another's
		s.Send("Runtime.callFunctionOn", map[string]any{"objectId": a.object,
			"functionDeclaration": "function() { return " + a.did(what) + " }", "awaitPromise": true, "returnByValue": true}, func(raw json.RawMessage, err error) {
			var reply struct {
				Result struct{ Value json.RawMessage }
			}
			_ = json.Unmarshal(raw, &reply)
			answer <- reply.Result.Value
		})
	}
	ask(tells, answer)
	for _, e := range list {
		s.Send(e.method, e.params, func(_ json.RawMessage, err error) { taken <- err })
	}
	waiting := time.NewTimer(time.Hour)
	defer waiting.Stop()
	for left := len(list); ; {
		heard := answer
		if left > 0 {
			heard = nil
		}
		select {
		case <-taken: //nolint:errcheck // an error: the click has closed the page
			if left--; left == 0 {
				waiting.Reset(unheard)
			}
		case told = <-heard:
			return told, false, nil
		case <-waiting.C:
			answer = make(chan json.RawMessage, 1)
			ask(now, answer)
		case <-ctx.Done():
			return nil, true, ErrUntaken
		case <-s.Gone():
			return nil, true, nil
		}
	}
}

// ErrUnended: the click happened, but its effects did not end in time.
var ErrUnended = fmt.Errorf("%w: the click has not ended", playwright.ErrTimeout)

// ErrUntaken: the click was sent, but the page did not confirm it in time.
var ErrUntaken = fmt.Errorf("%w: the page has not taken the click", playwright.ErrTimeout)

// ErrUnseen: the click was made, and the element's document saw nothing of it.
var ErrUnseen = provider.Errorf(provider.KindFailed,
	"the element's document saw nothing of the click: a frame that came in between may have got it").
	WithHint("look at the page: something there was clicked")

// IsOwn reports whether an error of a click is none of the driver's.
func IsOwn(err error) bool {
	return errors.Is(err, ErrUnended) || errors.Is(err, ErrUntaken) || errors.Is(err, ErrUnseen)
}

// pointer is a page's mouse. The driver has its own record of it.
type pointer struct {
	mu    sync.Mutex
	at    *aimed // where our click has put it since the driver moved it
	moves int64  // of tools, by us or the driver
	made  int64  // number of our clicks
	quiet int64  // and of those that awaited no frame
	hand  bool   // a tool holds a button or a key, or held one
}

var pointers browser.State[*browser.Page, pointer]

func (m *pointer) moved(at *aimed) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.moves++
	if m.at = at; at != nil {
		m.made++
		if at.quiet {
			m.quiet++
		}
	}
}

func (m *pointer) isHeld() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.hand
}

// Moved records that the driver moves the page's mouse.
func Moved(p *browser.Page) { pointers.Of(p).moved(nil) }

// Moves counts the tools that have moved the page's mouse to an element or to a point.
func Moves(p *browser.Page) int64 {
	m := pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.moves
}

// Held records that a button or a key is held. From then on the driver clicks.
func Held(p *browser.Page) {
	m := pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hand = true
}

// SyncMouse moves the driver's mouse to the page's mouse position.
func SyncMouse(p *browser.Page) error {
	m := pointers.Of(p)
	m.mu.Lock()
	at := m.at
	m.at = nil
	m.mu.Unlock()
	if at == nil {
		return nil
	}
	return p.PW.Mouse().Move(at.X, at.Y)
}
