package tool

import (
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Frame is where selectors are looked up and scripts run: the frame that was
// chosen, or the page's own.
func Frame(p *browser.Page) playwright.Frame {
	if f := ChosenFrame(p); f != nil {
		return f
	}
	return p.PW.MainFrame()
}

// OnAll calls a function in the page with all elements that match, without
// waiting: frame.evalOnSelectorAll. That looks for them in the page's own world,
// where refs are unknown; elements by a ref are found first, and handed over.
func OnAll(f playwright.Frame, sel, function string) (any, error) {
	if !strings.Contains(sel, "ref=") {
		return f.EvalOnSelectorAll(sel, function)
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
	return f.Evaluate(function, found)
}

// chosen is the frame that calls on a page work in.
var chosen = browser.State[*browser.Page, frameInUse]{New: func(p *browser.Page) *frameInUse {
	u := &frameInUse{}
	p.OnLeave(func() {
		if f := u.get(); f != nil && f.IsDetached() { // a change of the URL alone leaves frames where they are
			u.set(nil)
		}
	})
	return u
}}

type frameInUse struct {
	mu    sync.Mutex
	frame playwright.Frame // nil for the page itself
}

func (u *frameInUse) get() playwright.Frame {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.frame
}

func (u *frameInUse) set(f playwright.Frame) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.frame = f
}

// ChosenFrame is the frame that the tool frame chose, nil for none.
func ChosenFrame(p *browser.Page) playwright.Frame { return chosen.Of(p).get() }

// UseFrame has calls on a page work in a frame; nil is the page itself.
func UseFrame(p *browser.Page, f playwright.Frame) { chosen.Of(p).set(f) }

// FrameGone is the error of a call in a frame that is gone.
func FrameGone(at browser.Where) error {
	e := provider.Errorf(provider.KindNoTarget, "the chosen frame is gone from %s", at).
		WithHint("`frame` without a selector goes back to the page")
	e.Page, e.URL = at.Page, at.URL
	return e
}
