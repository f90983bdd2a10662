package act

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// A page may put a frame of another site where the mouse or a finger is about to press: it hears of a move
// before the press. So who is hit is tested after the move. The driver does so for what is clicked by a
// selector (package bundle); this is for presses at points, drags and drops.

// framesAt tells what is at a point: see the file.
//
//go:embed aim.js
var framesAt string

// seat is what framesAt answers.
type seat struct {
	Frames string // at the point, from the outermost on; "" for none, or one that is a part of the element
	Others bool   // the page has frames of other origins, and would hear of a press there
	Doc    string // the document, by a random name
	Begun  int    // events of presses that begin, which it has seen since it was first asked
	Ended  int    // and of those that end

	Clicked int  // and events of the mouse that follow a touch, such as click
	Refused bool // the page has prevented the default of the last touches: no such event follows
}

// frameAt is framesAt with a selector of an element. It knows nothing of elements in frames. A slow page gets time
// to answer: without its answer nobody knows where a press went.
var frameAt = fastpath.DefineLong("frame-at", `(page, sel, [x, y]) => {
	const own = sel ? page.one(sel) : null;
	return sel && !own ? undefined : (`+framesAt+`)(own, page.presses ??= {}, x, y);
}`)

// world is where framesAt runs while the fast path is off: DevTools' evaluations are in no trace.
const world = "pwpipe"

// aim is a point of the page's viewport that is about to be pressed, and what was known of it before.
type aim struct {
	c      *tool.Call
	sel    string // of the element there, "" for none, or for one that is looked up in a frame
	x, y   float64
	direct bool  // the page answers past the driver
	moves  int64 // of the page's mouse that tools have made until then
	before seat  // of the last look, where no button was pressed since
	known  bool
}

// aimAt looks at a point before the mouse moves there. sel is the element there, "" for none.
func aimAt(c *tool.Call, sel string, x, y float64) *aim {
	a := &aim{c: c, sel: sel, x: x, y: y, direct: true}
	if tool.ChosenFrame(c.Page) != nil {
		a.sel = ""
	}
	if a.before, a.known = a.look(); a.known && a.sel != "" {
		return a
	}
	a.sel = "" // it is in a frame, or is not to be found past the driver
	if a.before, a.known = a.look(); !a.known {
		a.direct = false // as while a trace is recorded
		a.before, a.known = a.look()
	}
	return a
}

// keep notes that the mouse is there now.
func (a *aim) keep() {
	a.moves = fastpath.Moves(a.c.Page)
	moved.Of(a.c.Page).Store(a)
}

// look tells what is at the point; ok is false where that is not known.
func (a *aim) look() (now seat, ok bool) {
	if a.direct {
		at := []float64{a.x, a.y}
		if ok = a.c.DirectOnPage(frameAt, a.sel, at, &now); !ok && a.known && a.sel != "" { // it has gone
			ok = a.c.DirectOnPage(frameAt, "", at, &now)
		}
		return now, ok
	}
	v, err := a.c.Isolated(world,
		fmt.Sprintf("JSON.stringify((%s)(null, globalThis.presses ??= {}, %v, %v))", framesAt, a.x, a.y))
	text, _ := v.(string)
	return now, err == nil && json.Unmarshal([]byte(text), &now) == nil
}

// taken is the error of a frame that is at the point by now and was not before, or that covers the
// element; nil if there is none. done says what has not happened.
func (a *aim) taken(done string) error {
	now, ok := a.look()
	if !ok || now.Frames == "" || a.sel == "" && (!a.known || now.Frames == a.before.Frames) {
		now.Frames, now.Others = a.before.Frames, now.Others || a.before.Others
		a.before = now
		return nil
	}
	return provider.Errorf(provider.KindFailed, "the page has put a frame under the mouse at %v, %v on %s: %s",
		a.x, a.y, a.c.Where(), done).
		WithHint("look at the page: the frame would have got it")
}

// seen is the error of a press at a place without a frame that the page has not seen since taken: a frame that
// came in between has got it. ended asks for its end too.
func (a *aim) seen(begun, ended bool) error {
	now, ok := a.look()
	if !ok || !a.known || a.sel == "" && a.before.Frames != "" || now.Doc != a.before.Doc || !a.before.Others && !now.Others ||
		(!begun || now.Begun > a.before.Begun) && (!ended || now.Ended > a.before.Ended) {
		return nil
	}
	return errUnseen(a)
}

func errUnseen(a *aim) error {
	return provider.Errorf(provider.KindFailed,
		"the page saw nothing of the mouse at %v, %v on %s: a frame that came in between may have got it",
		a.x, a.y, a.c.Where()).
		WithHint("look at the page: something there was pressed")
}

// tapped is seen for a touch that has ended: unless the page refuses it, a click follows, which may go elsewhere.
func (a *aim) tapped() error {
	err := a.seen(false, true)
	for late := time.Now().Add(time.Second); err == nil; {
		now, ok := a.look()
		if !ok || !a.known || now.Doc != a.before.Doc || !a.before.Others && !now.Others ||
			now.Frames != "" && a.sel == "" || now.Refused || now.Clicked > a.before.Clicked {
			return nil
		}
		if time.Now().After(late) {
			return errUnseen(a)
		}
		err = a.c.Pause(10 * time.Millisecond)
	}
	return err
}

// heard has the page hear of the last move of the mouse now. Otherwise the page hears of it with its next frame,
// which may come after the press. The key that is sent makes no character, so the page sees no event of it.
func heard(c *tool.Call) {
	_, _ = c.DevTools("Input.dispatchKeyEvent", map[string]any{"type": "char", "windowsVirtualKeyCode": 27})
}
