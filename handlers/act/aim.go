package act

import (
	"fmt"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// A page may put a frame of another site where the mouse or a finger is about to press: it hears of a move
// before the press. So who is hit is tested after the move. The driver does so for what is clicked by a
// selector (package bundle); this is for presses at points, drags and drops.

// framesAt answers the frames at a point of the viewport, from the outermost on, as a text; "" is none, or one
// that is a part of an element.
const framesAt = `(own, seats, x, y) => {
	const path = [];
	for (let from = document; from;) {
		let at = from.elementFromPoint(x, y);
		for (let inner; (inner = at?.shadowRoot?.elementFromPoint(x, y)) && inner !== at;) at = inner;
		if (!/^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(at?.nodeName)) break;
		for (let e = at; own && e; e = e.assignedSlot ?? e.parentElement ?? e.getRootNode().host) if (e === own) return '';
		if (!seats.has(at)) seats.set(at, seats.given = (seats.given ?? 0) + 1);
		path.push(seats.get(at));
		const box = at.getBoundingClientRect();
		[x, y] = [x - box.left - at.clientLeft, y - box.top - at.clientTop];
		try { from = at.contentDocument; } catch { from = null; }
	}
	return path.join('/');
}`

// frameAt is framesAt with a selector of an element. It knows nothing of elements in frames.
var frameAt = fastpath.Define("frame-at", `(page, sel, [x, y]) => {
	const own = sel ? page.one(sel) : null;
	return sel && !own ? undefined : (`+framesAt+`)(own, page.seats ??= new WeakMap(), x, y);
}`)

// world is where framesAt runs while the fast path is off: DevTools' evaluations are in no trace.
const world = "pwpipe"

// aim is a point of the page's viewport that is about to be pressed, and what was known of it before.
type aim struct {
	c      *tool.Call
	sel    string // of the element there, "" for none, or for one that is looked up in a frame
	x, y   float64
	direct bool   // the page answers past the driver
	before string // the frames at the point, where there is no element to go by
	known  bool
}

// aimAt looks at a point before the mouse moves there. sel is the element there, "" for none.
func aimAt(c *tool.Call, sel string, x, y float64) *aim {
	a := &aim{c: c, sel: sel, x: x, y: y, direct: true}
	if tool.ChosenFrame(c.Page) != nil {
		a.sel = ""
	}
	if _, a.known = a.look(); a.known && a.sel != "" {
		return a
	}
	a.sel = "" // it is in a frame, or is not to be found past the driver
	if a.before, a.known = a.look(); !a.known {
		a.direct = false // as while a trace is recorded
		a.before, a.known = a.look()
	}
	return a
}

// look answers the frames at the point; ok is false where that is not known.
func (a *aim) look() (frames string, ok bool) {
	if a.direct {
		ok = a.c.DirectOnPage(frameAt, a.sel, []float64{a.x, a.y}, &frames)
		return frames, ok
	}
	ask := fmt.Sprintf("(%s)(null, globalThis.seats ??= new WeakMap(), %v, %v)", framesAt, a.x, a.y)
	v, err := a.c.Isolated(world, ask)
	frames, ok = v.(string)
	return frames, ok && err == nil
}

// taken is the error of a frame that is at the point by now and was not before, or that covers the
// element; nil if there is none. done says what has not happened.
func (a *aim) taken(done string) error {
	if now, ok := a.look(); !ok || now == "" || a.sel == "" && (!a.known || now == a.before) {
		return nil
	}
	return provider.Errorf(provider.KindFailed, "the page has put a frame under the mouse at %v, %v on %s: %s",
		a.x, a.y, a.c.Where(), done).
		WithHint("look at the page: the frame would have got it")
}

// heard has the page hear of the last move of the mouse now. Otherwise the page hears of it with its next frame,
// which may come after the press. The key that is sent makes no character, so the page sees no event of it.
func heard(c *tool.Call) {
	_, _ = c.DevTools("Input.dispatchKeyEvent", map[string]any{"type": "char", "windowsVirtualKeyCode": 27})
}
