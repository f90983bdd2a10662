package handlers

import (
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func frameTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(Act.Acts("frame", "Choose frame", "Work inside a frame from now on, until the page navigates; without a selector: in the page itself again"), chooseFrame),
		onPage(Act.Reads("frames", "List frames", "List the page's frames").Within(5*time.Second), listFrames),
	}
}

// frame is where selectors are looked up and scripts run: the frame that was
// chosen, or the page's own.
func (p *page) frame() playwright.Frame {
	if f := p.chosenFrame(); f != nil {
		return f
	}
	return p.pw.MainFrame()
}

// chosen is the frame that calls on a page work in.
var chosen = State[*page, frameInUse]{New: func(p *page) *frameInUse {
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

// chosenFrame is the frame that the tool frame chose, nil for none.
func (p *page) chosenFrame() playwright.Frame { return chosen.Of(p).get() }

func (p *page) useFrame(f playwright.Frame) { chosen.Of(p).set(f) }

func frameGone(at where) error {
	e := provider.Errorf(provider.KindNoTarget, "the chosen frame is gone from %s", at).
		WithHint("`frame` without a selector goes back to the page")
	e.Page, e.URL = at.page, at.url
	return e
}

type frameParams struct {
	Sel Selector `json:"sel,omitempty" doc:"selector of an iframe inside the frame in use; \"..\" for the frame above; nothing for the page"`
}

// frameInfo says which frame it is.
type frameInfo struct {
	Name   string `json:"name" doc:"the name attribute"`
	URL    string `json:"url" doc:"address of its document"`
	Parent string `json:"parent,omitempty" doc:"address of the frame above it"`
	InUse  bool   `json:"inUse" doc:"whether calls work in it"`
}

// chooseFrame sets the frame that later calls of the page work in. A
// navigation of the page resets it, as it does away with every frame.
func chooseFrame(c *call, in frameParams) (frameInfo, error) {
	sel := string(in.Sel)
	if f := c.chosenFrame(); f != nil && f.IsDetached() && in.Sel != "" {
		return frameInfo{}, frameGone(c.where())
	}
	switch in.Sel {
	case "":
		c.useFrame(nil)
		return c.frameInfo(c.frame()), nil
	case "..":
		if up := c.frame().ParentFrame(); up == nil || up.ParentFrame() == nil {
			c.useFrame(nil)
		} else {
			c.useFrame(up)
		}
		return c.frameInfo(c.frame()), nil
	}
	var f playwright.Frame
	err := c.attempt(sel, func(timeout *float64) error {
		el, err := c.frame().WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout})
		if err != nil {
			return err
		}
		f, err = el.ContentFrame()
		if err == nil && f == nil {
			return provider.Errorf(provider.KindFailed, "%q is not a frame", sel).WithHint("`frames` lists them")
		}
		return err
	})
	if err != nil {
		return frameInfo{}, err
	}
	c.useFrame(f)
	return c.frameInfo(f), nil
}

func (c *call) frameInfo(f playwright.Frame) frameInfo {
	i := frameInfo{Name: f.Name(), URL: f.URL(), InUse: f == c.frame()}
	if up := f.ParentFrame(); up != nil {
		i.Parent = up.URL()
	}
	return i
}

// listFrames is page.frames. A word with the page lets the news of frames come
// first that an eval, on a line of its own, has added or removed.
func listFrames(c *call, _ noParams) ([]frameInfo, error) {
	timeout := min(*c.left(), 500)
	_, _ = c.pw.TextContent("ref=!state", playwright.PageTextContentOptions{Timeout: &timeout})
	list := []frameInfo{}
	for _, f := range c.frames.all() {
		list = append(list, c.frameInfo(f))
	}
	return list, nil
}
