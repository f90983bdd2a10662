package fastpath

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/navwatch"
)

// aims is Playwright's click up to where the mouse is moved: see the file.
//
//go:embed click.js
var aims string

// courses are where pages are about to go, of which a click and a fill have to know.
var courses browser.State[*browser.Page, navwatch.Course]

var clickable = define("click", aims)

// Click is page.click, of an element that is ready at once and in view: what
// Playwright does in the page, before and after the mouse, are a message each.
// byDriver does all that, and the waiting, where it is not so; then nothing was
// clicked. It ends when a navigation that it began has come, and when the driver has
// heard what came of it. Errors are byDriver's, [ErrUnended] and [ErrUntaken].
func Click(ctx context.Context, p *browser.Page, sel string, byDriver func() error) error {
	s, hand := p.Direct(), pointers.Of(p)
	if s == nil || hand.driven() || readers.Of(p).elsewhere(ctx) {
		return byDriver()
	}
	c := courses.Of(p)
	if c.Still(s) {
		if a := aim(ctx, p, s, sel); a != nil {
			hand.moved(a)
			if done, err := a.press(ctx, p, s); done {
				return err
			}
		}
	}
	return c.Driven(ctx, s, byDriver)
}

// aimed is a click that is about to be made.
type aimed struct {
	X, Y   float64 // CSS pixels of the viewport
	object string  // DevTools id of the library that waits for it
	id     int64
}

var clicks atomic.Int64

// aim finds out where to click, nil where that is the driver's to do.
func aim(ctx context.Context, p *browser.Page, s *cdp.Session, sel string) (a *aimed) {
	most := patience(ctx)
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	late := time.Now().Add(most * 9 / 10).UnixMilli()
	id := clicks.Add(1)
	q := &question{kind: clickable.name, sel: sel, arg: []any{id, p.PW.URL(), late}, ctx: ctx, acts: true, answer: make(chan json.RawMessage, 1)}
	r := readers.Of(p)
	r.ask(q)
	if raw := q.wait(most); string(raw) != "true" {
		return nil
	}
	object := r.document.asked()
	if after(ctx, s, object, fmt.Sprintf("this.page.aimed(%d)", id), &a) != nil || a == nil {
		return nil
	}
	a.object, a.id = object, id
	return a
}

// after asks the document for what it has ready since a question.
func after(ctx context.Context, s *cdp.Session, object, what string, to any) error {
	var reply struct {
		Result    struct{ Value json.RawMessage }
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	err := s.Call(ctx, "Runtime.callFunctionOn", map[string]any{"objectId": object, "functionDeclaration": "function() { return " + what + " }",
		"awaitPromise": true, "returnByValue": true, "userGesture": true}, &reply)
	if err != nil || reply.Exception != nil {
		return fmt.Errorf("%s: %w %s", what, err, reply.Exception)
	}
	if reply.Result.Value == nil { // undefined
		return nil
	}
	return json.Unmarshal(reply.Result.Value, to)
}

// press clicks there. done is false where the page saw nothing of it, as something
// else got into the way.
func (a *aimed) press(ctx context.Context, p *browser.Page, s *cdp.Session) (done bool, err error) {
	pressed := make(chan error, 3)
	for _, e := range []struct {
		kind, button   string
		buttons, count int
	}{{"mouseMoved", "none", 0, 0}, {"mousePressed", "left", 1, 1}, {"mouseReleased", "left", 0, 1}} {
		s.Send("Input.dispatchMouseEvent", map[string]any{"type": e.kind, "button": e.button, "buttons": e.buttons,
			"x": a.X, "y": a.Y, "modifiers": 0, "clickCount": e.count}, func(_ json.RawMessage, err error) { pressed <- err })
	}
	for range 3 {
		select {
		case <-pressed: // an error is that of a page that the click has closed
		case <-ctx.Done():
			return true, ErrUntaken
		case <-s.Gone():
			return true, nil
		}
	}
	hit := true
	_ = after(ctx, s, a.object, fmt.Sprintf("this.page.hit(%d)", a.id), &hit) // the document may be gone by now: then it was hit
	if !hit {
		return false, nil
	}
	if !courses.Of(p).Arrived(ctx, s) {
		return true, ErrUnended
	}
	readers.Of(p).answered.Add(1)
	catchUp(p)
	return true, nil
}

// ErrUnended is of a click that was made, and what came of it did not end in time.
var ErrUnended = fmt.Errorf("%w: the click has not ended", playwright.ErrTimeout)

// ErrUntaken is of a click that was sent to the page, which did not say in time that
// it has taken it.
var ErrUntaken = fmt.Errorf("%w: the page has not taken the click", playwright.ErrTimeout)

// pointer is a page's mouse, of which the driver keeps its own account.
type pointer struct {
	mu   sync.Mutex
	at   *aimed // where a click of ours has put it since the driver moved it
	made int64  // clicks of ours
	hand bool   // a tool holds a button or a key, or did
}

var pointers browser.State[*browser.Page, pointer]

func (m *pointer) moved(at *aimed) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at = at; at != nil {
		m.made++
	}
}

// Clicked is how many clicks of a page took the direct line: for tests.
func Clicked(p *browser.Page) int64 {
	m := pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.made
}

func (m *pointer) driven() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.hand
}

// Moved notes that the driver moves the page's mouse.
func Moved(p *browser.Page) { pointers.Of(p).moved(nil) }

// Held notes that a button or a key is held: clicks are the driver's from then on.
func Held(p *browser.Page) {
	m := pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hand = true
}

// SyncMouse has the driver's mouse go to where the page's is.
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
