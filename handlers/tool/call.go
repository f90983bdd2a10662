package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/internal/machine/tricks"
	"pwpipe/provider"
)

// Call is one call of a tool on a page.
type Call struct {
	Ctx context.Context
	*browser.Page
	notes *RefNotes     // what stands for its refs in a log, nil where none is written
	waits time.Duration // of a part that has less time than the whole, else 0
	long  error         // the document's answer was too long, else nil
	sent  *atomic.Bool  // input was sent to the page; nil where nobody asks
}

// Sends notes that input is sent to the page now, past Playwright's waits for an element.
func (c *Call) Sends() {
	if c.sent != nil {
		c.sent.Store(true)
	}
}

// orClosed is how an act ended: well where it answers nothing and its effect was to close its own page.
func (c *Call) orClosed(out any, err error, spec Spec, silent bool) (any, error) {
	if err == nil || !silent || spec.Effect != provider.Acts || !c.WasClosed() ||
		!c.sent.Load() && !pwerrors.Acting(provider.AsError(err).Err) {
		return out, err
	}
	return provider.None{}, nil
}

// UpTo is the call for a part of it that takes no longer than d, unless the
// caller gave a deadline of its own: one that is not the tool's.
func (c *Call) UpTo(d, tools time.Duration) *Call {
	if provider.RequestFrom(c.Ctx).Deadline != tools {
		return c
	}
	part := *c
	part.Ctx, part.waits = atMost(c.Ctx, d), d
	return &part
}

// Sparing is the call for a part of it that leaves some time for what comes
// after: d, but no more than half of what is left.
func (c *Call) Sparing(d time.Duration) *Call {
	left := c.TimeLeft()
	part := *c
	part.Ctx = atMost(c.Ctx, left-min(d, left/2))
	return &part
}

// atMost is ctx with a deadline in d. The whole call's end frees it.
func atMost(ctx context.Context, d time.Duration) context.Context {
	short, cancel := context.WithTimeout(ctx, d)
	context.AfterFunc(ctx, cancel)
	return short
}

// After is how long the call may take, or the part of it that c is.
func (c *Call) After() time.Duration {
	return cmp.Or(c.waits, provider.RequestFrom(c.Ctx).Deadline)
}

// margin is how much earlier than our deadline Playwright's own timeout is
// set, so that there is time to find out why and say it.
const (
	margin    = 100 * time.Millisecond
	maxMargin = 300 * time.Millisecond
)

// Left is the time that a Playwright call may take, in milliseconds.
func (c *Call) Left() *float64 {
	deadline, _ := c.Ctx.Deadline()
	d := time.Until(deadline)
	if d > 4*margin {
		d -= min(max(margin, d/20), maxMargin)
	} else {
		d = d * 3 / 4
	}
	return playwright.Float(max(1, float64(d.Microseconds())/1000))
}

// Attempt runs something that waits for an element and may be repeated without
// harm, in slices, until it is done or the deadline is near.
func (c *Call) Attempt(sel string, act func(timeout *float64) error) error {
	var reason error // the last error that said why
	guess := c.Guess()
	defer guess.Done()
	for slice := guess.slice(); ; slice = browser.Slice {
		if c.long != nil {
			return c.long
		}
		timeout := c.Left()
		last := *timeout <= float64(slice.Milliseconds())
		if !last {
			timeout = playwright.Float(float64(slice.Milliseconds()))
		}
		err := act(timeout)
		if err == nil {
			return nil
		}
		obstacle := pwerrors.Obstacle(err)
		if obstacle != "" {
			reason = err
		}
		if !last && (reason == nil || obstacle != "") {
			if over := guess.over(err, sel); over != nil {
				return over
			}
		}
		if last && reason != nil && errors.Is(err, playwright.ErrTimeout) {
			err = reason // the last attempt may have been too short to find out
		}
		if last || !errors.Is(err, playwright.ErrTimeout) || c.Ctx.Err() != nil {
			return c.Fail(err, sel)
		}
	}
}

// Once runs something with the mouse that must not happen twice, such as a click: an attempt that times out may
// have clicked and be waiting for the page that loads. The wait for the element is the act without acting (trial).
func (c *Call) Once(sel string, act func(timeout *float64, trial bool) error) error {
	c.MovesMouse()
	return c.WhenReady(sel,
		func(timeout *float64) error { c.freePointer(); return act(timeout, true) }, // it may have been locked meanwhile
		func(timeout *float64) error { return act(timeout, false) })
}

// WhenReady runs an act that must not happen twice: an act that times out may have happened, and the page may still be
// busy with its event. So only wait is repeated, which waits for the element. An element that is ready needs no wait.
func (c *Call) WhenReady(sel string, wait, act func(timeout *float64) error) error {
	if why, _, err := c.why(sel); err == nil && why != ready {
		if err := c.Attempt(sel, wait); err != nil {
			return err
		}
	}
	if err := c.Ctx.Err(); err != nil {
		return err
	}
	return c.Fail(act(c.Left()), sel)
}

// Fail words an error of Playwright about this call's page.
func (c *Call) Fail(err error, sel string) error {
	if err == nil || pwerrors.IsClosed(err) {
		return err // [browser.Await] knows what is gone
	}
	if f := ChosenFrame(c.Page); f != nil && f.IsDetached() {
		return FrameGone(c.Where())
	}
	if errors.Is(err, playwright.ErrTimeout) && !loadstate.Busy.Of(c.Page).Leaving() {
		c.Page.Late() // it may hang
	}
	e := provider.AsError(Failure(err, sel, c.After(), c.Where()))
	if known := refs.AsStale(c.Page, pwerrors.CleanMessage(err)); known != nil {
		e.Msg, e.Hint = known.Msg, known.Hint
	}
	switch {
	case sel == "" || !errors.Is(err, playwright.ErrTimeout):
	case errors.Is(err, fastpath.ErrUnended) || pwerrors.Clicked(err):
		e.Kind, e.Msg = provider.KindTimeout, fmt.Sprintf("clicked %q, but the page it leads to did not answer within %s", sel, pwerrors.Seconds(c.After()))
		e.Hint = "it may come yet: go on with wait or txt"
	case errors.Is(err, fastpath.ErrUntaken) || pwerrors.Clicking(err):
		e.Kind = provider.KindTimeout
		e.Msg = fmt.Sprintf("the mouse went to click %q, but the page did not take that within %s; it may have been clicked",
			sel, pwerrors.Seconds(c.After())) + c.lateLock()
	case pwerrors.Pressing(err):
		e.Kind = provider.KindTimeout
		e.Msg = fmt.Sprintf("the key was sent to %q, but the page did not take it within %s; it may have been pressed", sel, pwerrors.Seconds(c.After()))
		if loadstate.Busy.Of(c.Page).Leaving() {
			e.Msg = fmt.Sprintf("pressed the key in %q, but the page it leads to did not answer within %s", sel, pwerrors.Seconds(c.After()))
			e.Hint = "it may come yet: go on with wait or txt"
		}
	default:
		c.explain(e, sel, err)
	}
	return e
}

// Selector is a selector as people write it, such as a ref, in the driver's form.
func (c *Call) Selector(sel string) (Selector, error) {
	s, err := refs.Named.Of(c.Page).Selector(sel)
	return Selector(s), err
}

// IsGone is [refs.IsGone].
func IsGone(err error) bool { return refs.IsGone(err) }

// FailUnlessGone is Fail for a question that the absence of an element answers: a ref of one that is gone is no error.
func (c *Call) FailUnlessGone(err error, sel string) error {
	if err = c.Fail(err, sel); refs.IsGone(err) {
		return nil
	}
	return err
}

// Frame is where selectors are looked up and scripts run: the frame that was
// chosen, or the page's own.
func Frame(p *browser.Page) playwright.Frame {
	if f := ChosenFrame(p); f != nil {
		return f
	}
	return p.PW.MainFrame()
}

// Documents are the page's frames that have a document, the main frame first. One that has none is
// to load when it is in view, or its server has not answered: who asks it waits for it. The driver
// knows at once (skipEmptyFrames in internal/browser/driver).
func Documents(p *browser.Page) []playwright.Frame {
	return slices.DeleteFunc(p.Frames.All(), func(f playwright.Frame) bool {
		if f.ParentFrame() == nil || f.URL() != "" {
			return false
		}
		_, err := f.Title()
		return err != nil
	})
}

// OnAll calls a function in the page with all elements that match and with arg, without
// waiting: frame.evalOnSelectorAll. That looks for them in the page's own world,
// where refs are unknown; elements by a ref are found first, and handed over.
func OnAll(f playwright.Frame, sel, function string, arg any) (any, error) {
	if !strings.Contains(sel, "ref=") {
		return f.EvalOnSelectorAll(sel, function, arg)
	}
	found, err := f.QuerySelectorAll(sel)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, e := range found {
			_ = e.Dispose()
		}
	}()
	function = strings.TrimRight(function, "; \n")
	return f.Evaluate("([all, arg]) => ("+function+")(all, arg)", []any{found, arg})
}

// chosen is the frame that calls on a page work in, nil for the page itself.
var chosen = browser.State[*browser.Page, atomic.Pointer[playwright.Frame]]{
	New: func(p *browser.Page) *atomic.Pointer[playwright.Frame] {
		own := &atomic.Pointer[playwright.Frame]{}
		p.OnLeave(func() {
			f := own.Load()
			if f != nil && *f != nil && (*f).IsDetached() { // a change of the URL alone leaves frames where they are
				own.CompareAndSwap(f, nil)
			}
		})
		return own
	}}

// ChosenFrame is the frame that the tool frame chose, nil for none.
func ChosenFrame(p *browser.Page) playwright.Frame {
	if f := chosen.Of(p).Load(); f != nil {
		return *f
	}
	return nil
}

// UseFrame has calls on a page work in a frame; nil is the page itself.
func UseFrame(p *browser.Page, f playwright.Frame) { chosen.Of(p).Store(&f) }

// FrameGone is the error of a call in a frame that is gone.
func FrameGone(at browser.Where) error {
	e := provider.Errorf(provider.KindNoTarget, "the chosen frame is gone from %s", at).
		WithHint("`frame` without a selector goes back to the page")
	e.Page, e.URL = at.Page, at.URL
	return e
}

// Direct asks the document that selectors are looked up in, in place of a call
// into Playwright. Where it reports false Playwright is to be called: it waits,
// and words the error.
func (c *Call) Direct(kind fastpath.Kind, sel string, arg, to any) bool {
	if ChosenFrame(c.Page) != nil {
		provider.TurnFrom(c.Ctx).Pass()
		return false
	}
	return c.DirectOnPage(kind, sel, arg, to)
}

var (
	noDirectReads  = tricks.Off(tricks.DirectReads)
	noDirectFills  = tricks.Off(tricks.DirectFills)
	noDirectClicks = tricks.Off(tricks.DirectClicks)
)

// DirectOnPage is Direct for the whole page, whatever frame was chosen. If an answer is too
// long, it does not ask again.
func (c *Call) DirectOnPage(kind fastpath.Kind, sel string, arg, to any) (ok bool) {
	if noDirectReads {
		provider.TurnFrom(c.Ctx).Pass()
		return false
	}
	ok, c.long = fastpath.Read(c.Ctx, c.Page, kind, sel, arg, to)
	return ok
}

// FillDirect is page.fill past the driver, where that can be; byDriver where not.
func (c *Call) FillDirect(sel, text string, byDriver func() error) error {
	if ChosenFrame(c.Page) != nil || noDirectFills {
		return byDriver()
	}
	return fastpath.Fill(c.Ctx, c.Page, sel, text, byDriver)
}

// ClickDirect is page.click past the driver, where that can be; byDriver where not.
func (c *Call) ClickDirect(sel string, byDriver func() error) error {
	if ChosenFrame(c.Page) != nil || noDirectClicks {
		return byDriver()
	}
	err := fastpath.Click(c.Ctx, c.Page, sel, byDriver)
	if fastpath.IsOwn(err) {
		return c.Fail(err, sel)
	}
	return err
}

// MovesMouse notes that a call has the driver move the page's mouse.
func (c *Call) MovesMouse() {
	c.freePointer()
	fastpath.Moved(c.Page)
}

// Holds notes that a button or a key is held.
func (c *Call) Holds() { fastpath.Held(c.Page) }

// Mouse is the page's, where it stands: for tools that go by that.
func (c *Call) Mouse() (playwright.Mouse, error) {
	c.freePointer()
	c.Sends()
	return c.PW.Mouse(), c.Fail(fastpath.SyncMouse(c.Page), "")
}

// catchUp has the driver's events there for a tool that may answer by them. One
// that asks directly needs none, and one that acts goes by the driver.
func catchUp(spec provider.Spec, pages ...*browser.Page) {
	if !spec.TakesTurns && (spec.Effect == provider.Reads || spec.Effect == provider.Waits) {
		fastpath.CatchUp(pages...)
	}
}
