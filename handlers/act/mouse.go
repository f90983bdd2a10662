package act

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/clipboard"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// MouseTools move the mouse and press its buttons at points of the viewport.
func MouseTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPageDo(tool.Act.Acts("mouse-move", "Move mouse",
			"Move the mouse to a place in the viewport, in CSS pixels"), mouseMove),
		tool.OnPageDo(tool.Act.Acts("mouse-down", "Mouse down", "Hold a mouse button down"), mouseDown),
		tool.OnPageDo(tool.Act.Acts("mouse-up", "Mouse up", "Let a mouse button go"), mouseUp),
		tool.OnPageDo(tool.Act.Acts("mouse-click", "Click at",
			"Click at a place in the viewport, in CSS pixels"), mouseClick),
		tool.OnPageDo(tool.Act.Acts("wheel", "Mouse wheel", "Turn the mouse wheel by pixels"), wheel),
	}
}

type moveParams struct {
	X     float64 `json:"x" doc:"pixels from the left"`
	Y     float64 `json:"y" doc:"pixels from the top"`
	Steps int     `json:"steps,omitempty" doc:"how many moves on the way" default:"1" min:"1" max:"1000"`
}

// mouseMove is mouse.move.
func mouseMove(c *tool.Call, in moveParams) error {
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	return c.Fail(m.Move(in.X, in.Y, playwright.MouseMoveOptions{Steps: &in.Steps}), "")
}

type buttonParams struct {
	Button string `json:"button,omitempty" doc:"mouse button" enum:"left,middle,right" default:"left"`
}

// mouseDown is mouse.down.
func mouseDown(c *tool.Call, in buttonParams) error {
	if err := clipboard.MayUse(c.Page, in.Button); err != nil {
		return err
	}
	button := playwright.MouseButton(in.Button)
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	c.Holds()
	return c.Fail(m.Down(playwright.MouseDownOptions{Button: &button}), "")
}

// mouseUp is mouse.up.
func mouseUp(c *tool.Call, in buttonParams) error {
	button := playwright.MouseButton(in.Button)
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	return c.Fail(m.Up(playwright.MouseUpOptions{Button: &button}), "")
}

type mouseClickParams struct {
	X      float64 `json:"x" doc:"pixels from the left"`
	Y      float64 `json:"y" doc:"pixels from the top"`
	Button string  `json:"button,omitempty" doc:"mouse button" enum:"left,middle,right" default:"left"`
	Count  int     `json:"count,omitempty" doc:"how many clicks" default:"1" min:"1" max:"3"`
}

// mouseClick is mouse.click.
func mouseClick(c *tool.Call, in mouseClickParams) error {
	if err := clipboard.MayUse(c.Page, in.Button); err != nil {
		return err
	}
	button := playwright.MouseButton(in.Button)
	c.MovesMouse()
	return c.Fail(c.PW.Mouse().Click(in.X, in.Y, playwright.MouseClickOptions{Button: &button, ClickCount: &in.Count}), "")
}

type wheelParams struct {
	DX float64 `json:"dx" doc:"pixels to the right"`
	DY float64 `json:"dy" doc:"pixels down"`
}

// wheel is mouse.wheel at the mouse's position.
func wheel(c *tool.Call, in wheelParams) error {
	m, err := c.Mouse()
	if err != nil {
		return err
	}
	return c.Fail(m.Wheel(in.DX, in.DY), "")
}
