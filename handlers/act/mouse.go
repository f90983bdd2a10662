package act

import (
	"cmp"
	"encoding/json"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools of the mouse.
var (
	MouseMove = tool.TypedOnPageDo(tool.Act.Acts("mouse-move", "Move mouse",
		"Move the mouse to a place in the viewport, in CSS pixels"), mouseMove)
	MouseDown  = tool.TypedOnPageDo(tool.Act.Acts("mouse-down", "Mouse down", "Hold a mouse button down"), mouseDown)
	MouseUp    = tool.TypedOnPageDo(tool.Act.Acts("mouse-up", "Mouse up", "Let a mouse button go"), mouseUp)
	MouseClick = tool.TypedOnPageDo(tool.Act.Acts("mouse-click", "Click at",
		"Click at a place in the viewport, in CSS pixels"), mouseClick)
	Wheel = tool.TypedOnPageDo(tool.Act.Acts("wheel", "Mouse wheel", "Turn the mouse wheel by pixels"), wheel)
)

// MouseTools move the mouse and press its buttons at points of the viewport.
func MouseTools() []*provider.Tool {
	return []*provider.Tool{MouseMove.Tool, MouseDown.Tool, MouseUp.Tool, MouseClick.Tool, Wheel.Tool}
}

// MoveParams are the parameters of [MouseMove].
type MoveParams struct {
	X     float64 `json:"x" doc:"pixels from the left"`
	Y     float64 `json:"y" doc:"pixels from the top"`
	Steps int     `json:"steps,omitempty" doc:"how many moves on the way" default:"1" min:"1" max:"1000"`
}

// mouseMove is mouse.move.
func mouseMove(c *tool.Call, in MoveParams) error {
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	at := aimAt(c, "", in.X, in.Y)
	if err := m.Move(in.X, in.Y, playwright.MouseMoveOptions{Steps: &in.Steps}); err != nil {
		return c.Fail(err, "")
	}
	at.keep()
	return nil
}

// ButtonParams are the parameters of [MouseDown] and [MouseUp].
type ButtonParams struct {
	Button string `json:"button,omitempty" doc:"mouse button" enum:"left,middle,right" default:"left"`
}

// moved is where mouse-move or hover moved the mouse last, and what was known of the point before.
var moved browser.State[*browser.Page, atomic.Pointer[aim]]

// where is the aim of the last move, for a button that is pressed or let go there, or a wheel that is turned. It is an
// error where a frame has come since; done says what has not happened. It is nil where the mouse has moved otherwise.
func where(c *tool.Call, done string) (*aim, error) {
	at := moved.Of(c.Page).Load()
	if at == nil || at.moves != fastpath.Moves(c.Page) {
		return nil, nil
	}
	now := *at
	now.c = c
	return &now, c.Fail(now.taken(done), "")
}

// mouseDown is mouse.down. A frame that the page has put under the mouse since does not get it.
func mouseDown(c *tool.Call, in ButtonParams) error {
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	if err := c.MayClick(in.Button); err != nil {
		return err
	}
	at, err := where(c, "the button was not pressed")
	if err != nil {
		return err
	}
	c.Holds()
	err = m.Down(playwright.MouseDownOptions{Button: tool.Pick[playwright.MouseButton](in.Button)})
	if err == nil && at != nil {
		err = at.seen(true, false)
	}
	return c.Fail(err, "")
}

// mouseUp is mouse.up. Where a frame has come since, the button is let go outside of the viewport.
func mouseUp(c *tool.Call, in ButtonParams) error {
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	at, taken := where(c, "the button was let go outside of the page")
	if taken != nil {
		_ = m.Move(outside, outside)
	}
	err = m.Up(playwright.MouseUpOptions{Button: tool.Pick[playwright.MouseButton](in.Button)})
	if err == nil && at != nil && taken == nil {
		err = at.seen(false, true)
	}
	return c.Fail(cmp.Or(taken, err), "")
}

// MouseClickParams are the parameters of [MouseClick].
type MouseClickParams struct {
	X      float64 `json:"x" doc:"pixels from the left"`
	Y      float64 `json:"y" doc:"pixels from the top"`
	Button string  `json:"button,omitempty" doc:"mouse button" enum:"left,middle,right" default:"left"`
	Count  *int    `json:"count,omitempty" doc:"how many clicks" default:"1" min:"1" max:"3"`
	Scroll bool    `json:"scroll,omitempty" doc:"scroll to a point outside of the viewport, and back" alias:"only"`
}

// mouseClick is mouse.click. Where it scrolls it scrolls back, so that other points
// that its caller knows stay true.
func mouseClick(c *tool.Call, in MouseClickParams) error {
	button := playwright.MouseButton(in.Button)
	c.MovesMouse()
	var dx, dy float64
	if in.Scroll {
		var err error
		if dx, dy, err = scrollTo(c, in.X, in.Y); err != nil {
			return err
		}
	}
	err := c.MayClick(in.Button, in.X-dx, in.Y-dy)
	if err != nil {
		return err
	}
	c.Sends()
	at := aimAt(c, "", in.X-dx, in.Y-dy)
	if err = c.PW.Mouse().Move(at.x, at.y); err == nil {
		heard(c)
		if err = at.taken("it was not clicked"); err == nil {
			err = c.PW.Mouse().Click(at.x, at.y, playwright.MouseClickOptions{Button: &button, ClickCount: in.Count})
		}
		if err == nil {
			err = at.seen(true, true)
		}
	}
	if dx != 0 || dy != 0 {
		_, _ = c.PW.Evaluate("([x, y]) => scrollBy({left: -x, top: -y, behavior: 'instant'})", []float64{dx, dy})
	}
	return c.Fail(err, "")
}

// scrollTo brings a point into the viewport and says by how much it moved.
func scrollTo(c *tool.Call, x, y float64) (dx, dy float64, err error) {
	v, err := c.PW.Evaluate(`([x, y]) => {
		const inside = () => x - dx >= 0 && y - dy >= 0 && x - dx < innerWidth && y - dy < innerHeight;
		let dx = 0, dy = 0;
		if (!inside()) {
			const from = [scrollX, scrollY];
			const left = x < 0 || x >= innerWidth ? x - innerWidth / 2 : 0;
			const top = y < 0 || y >= innerHeight ? y - innerHeight / 2 : 0;
			scrollBy({left, top, behavior: "instant"});
			[dx, dy] = [scrollX - from[0], scrollY - from[1]];
		}
		const reached = inside() || void scrollBy({left: -dx, top: -dy, behavior: "instant"});
		return JSON.stringify([dx, dy, reached ? 1 : 0, innerWidth, innerHeight]);
	}`, []float64{x, y})
	if err != nil {
		return 0, 0, c.Fail(err, "")
	}
	var at [5]float64
	if s, _ := v.(string); json.Unmarshal([]byte(s), &at) != nil {
		return 0, 0, provider.Errorf(provider.KindFailed, "the page broke the search for the point")
	}
	if at[2] == 0 {
		return 0, 0, provider.Errorf(provider.KindArgs, "the point %v, %v is outside of the page; its viewport is %v x %v", x, y, at[3], at[4])
	}
	return at[0], at[1], nil
}

// WheelParams are the parameters of [Wheel].
type WheelParams struct {
	DX float64 `json:"dx" doc:"pixels to the right"`
	DY float64 `json:"dy" doc:"pixels down"`
}

// wheel is mouse.wheel at the mouse's position.
func wheel(c *tool.Call, in WheelParams) error {
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	if _, err := where(c, "the wheel was not turned"); err != nil {
		return err
	}
	return c.Fail(m.Wheel(in.DX, in.DY), "")
}
