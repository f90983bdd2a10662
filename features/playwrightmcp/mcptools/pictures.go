package mcptools

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
	_ "golang.org/x/image/webp" // whose sizes are read

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/record"
	"pwpipe/handlers/state"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type screenshotParams struct {
	maybeOnElement
	Type     string `json:"type,omitempty" enum:"png,jpeg,webp" doc:"type"`
	Filename string `json:"filename,omitempty" doc:"filename"`
	FullPage bool   `json:"fullPage,omitempty" doc:"full page"`
	Scale    string `json:"scale,omitempty" enum:"css,device" default:"css" doc:"scale"`
}

func screenshot(c *call, in screenshotParams) error {
	if in.FullPage && in.Target != "" {
		return provider.Errorf(provider.KindArgs, "fullPage cannot be used with element screenshots.")
	}
	p, err := c.page()
	if err != nil {
		return err
	}
	kind := in.kind()
	on, code, err := in.find(c)
	if err != nil {
		return err
	}
	prefix, label := "page", "viewport"
	switch {
	case in.Target != "":
		prefix, label = "element", cmp.Or(in.Element, "element")
		if on, err = driverSelector(p, on); err != nil {
			return err
		}
	case in.FullPage:
		label = "full page"
	}
	path, shown, err := c.file(in.Filename, prefix, kind)
	if err != nil {
		return err
	}
	picture, err := c.picture(p, in, on, kind)
	if err != nil {
		return err
	}
	if err := files.WriteFile(path, picture); err != nil {
		return err
	}
	c.result(fmt.Sprintf("- [Screenshot of %s](%s)", label, shown))
	c.ran(fmt.Sprintf("// Screenshot %s and save it as %s", label, shown),
		fmt.Sprintf("await page.%sscreenshot(%s);", code, literal(in.members(kind, shown, c.actionTime()))))
	if in.Filename == "" {
		answer, err := tool.Answered(picture, p.Session.Browser.Config.MaxImage)
		if err != nil {
			return err
		}
		c.with(func() { c.pictures = append(c.pictures, answer) })
	}
	return nil
}

// kind returns the format of the picture.
func (in screenshotParams) kind() string {
	switch ext := strings.ToLower(filepath.Ext(in.Filename)); {
	case in.Type != "":
		return in.Type
	case ext == ".jpg" || ext == ".jpeg":
		return "jpeg"
	case ext == ".webp":
		return "webp"
	}
	return "png"
}

// members returns the options of the shown code.
func (in screenshotParams) members(kind, path string, limit time.Duration) (list options) {
	if in.FullPage {
		list = append(list, option{"fullPage", true})
	}
	list = append(list, option{"path", path})
	if kind == "jpeg" {
		list = append(list, option{"quality", 90})
	}
	return append(list, option{"scale", in.Scale}, option{"timeout", limit.Milliseconds()}, option{"type", kind})
}

// picture takes a picture of the page, or of the element on.
func (c *call) picture(p *browser.Page, in screenshotParams, on, kind string) ([]byte, error) {
	var quality *int
	if kind == "jpeg" {
		quality = playwright.Int(90)
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.actionTime())
	defer cancel()
	onIt := &tool.Call{Ctx: ctx, Page: p}
	picture, err := onPage(c, p, func() ([]byte, error) {
		return onIt.ScreenshotOf(tool.Frame(p), on, playwright.PageScreenshotOptions{
			Type: tool.Pick[playwright.ScreenshotType](kind), Quality: quality,
			Scale: tool.Pick[playwright.ScreenshotScale](in.Scale), FullPage: &in.FullPage})
	})
	if kind == "webp" && err != nil && strings.Contains(err.Error(), "(png|jpeg)") { // Playwright 1.60 has been asked
		return nil, provider.Errorf(provider.KindArgs, "type: a webp picture can't be taken of the full page, "+
			"or where the focus is in a frame; take png or jpeg")
	}
	return picture, err
}

type pdfParams struct {
	Filename string `json:"filename,omitempty" doc:"file; default: a name with the time"`
}

func savePDF(c *call, in pdfParams) error {
	path, shown, err := c.file(in.Filename, "page", "pdf")
	if err != nil {
		return err
	}
	if _, err := record.PDF.Call(c.ctx, provider.Request{}, record.PDFParams{Path: tool.WritePath(path)}); err != nil {
		return err
	}
	c.result(fmt.Sprintf("- [Page as pdf](%s)", shown))
	c.ran(fmt.Sprintf("await page.pdf({ path: %s });", quote(shown)))
	return nil
}

type atParams struct {
	X float64 `json:"x" doc:"CSS pixels"`
	Y float64 `json:"y" doc:"CSS pixels"`
}

type buttonParams struct {
	Button string `json:"button,omitempty" enum:"left,right,middle" doc:"mouse button"`
}

type wheelParams struct {
	X float64 `json:"deltaX,omitempty" doc:"CSS pixels"`
	Y float64 `json:"deltaY,omitempty" doc:"CSS pixels"`
}

func moveMouse(c *call, in atParams) error {
	c.ran(fmt.Sprintf("// Move mouse to (%v, %v)", in.X, in.Y), fmt.Sprintf("await page.mouse.move(%v, %v);",
		in.X, in.Y))
	return do(c, act.MouseMove, act.MoveParams{X: in.X, Y: in.Y})
}

// button presses or releases a button of the mouse.
func button(title string, ours provider.Typed[act.ButtonParams, provider.None],
	method string) func(*call, buttonParams) error {
	return func(c *call, in buttonParams) error {
		c.ran("// "+title, "await page.mouse."+method+"("+literal(options{{"button", in.Button}})+");")
		return do(c, ours, act.ButtonParams{Button: in.Button})
	}
}

func turnWheel(c *call, in wheelParams) error {
	c.ran("// Scroll mouse wheel", fmt.Sprintf("await page.mouse.wheel(%v, %v);", in.X, in.Y))
	return do(c, act.Wheel, act.WheelParams{DX: in.X, DY: in.Y})
}

type clickAtParams struct {
	atParams
	buttonParams
	Count *int     `json:"clickCount,omitempty" doc:"clicks"`
	Delay *float64 `json:"delay,omitempty" doc:"milliseconds that the button is down"`
}

func clickAt(c *call, in clickAtParams) error {
	c.snapshotAfter()
	button := act.ButtonParams{Button: in.Button}
	list := options{{"button", in.Button}}
	if in.Count != nil {
		list = append(list, option{"clickCount", *in.Count})
	}
	if in.Delay != nil {
		list = append(list, option{"delay", *in.Delay})
	}
	more := literal(list)
	if more != "" {
		more = ", " + more
	}
	c.ran(fmt.Sprintf("// Click mouse at coordinates (%v, %v)", in.X, in.Y),
		fmt.Sprintf("await page.mouse.click(%v, %v%s);", in.X, in.Y, more))
	if in.Delay != nil && orZero(in.Count) > 1 {
		return provider.Errorf(provider.KindArgs, "delay: works for one click only; leave out delay or clickCount")
	}
	return c.settled(func() error {
		if in.Delay == nil {
			return do(c, act.MouseClick, act.MouseClickParams{X: in.X, Y: in.Y, Button: in.Button, Count: in.Count})
		}
		err := c.inTurn(with(act.MouseMove, act.MoveParams{X: in.X, Y: in.Y}), with(act.MouseDown, button))
		if err != nil {
			return err
		}
		delay := time.Duration(*in.Delay * float64(time.Millisecond))
		_ = (&tool.Call{Ctx: c.ctx}).Pause(delay) // the button goes up anyway
		return do(c, act.MouseUp, button)
	})
}

type dragAtParams struct {
	X  float64 `json:"startX" doc:"CSS pixels"`
	Y  float64 `json:"startY" doc:"CSS pixels"`
	X2 float64 `json:"endX" doc:"CSS pixels"`
	Y2 float64 `json:"endY" doc:"CSS pixels"`
}

func dragAt(c *call, in dragAtParams) error {
	c.snapshotAfter()
	c.ran(fmt.Sprintf("// Drag mouse from (%v, %v) to (%v, %v)", in.X, in.Y, in.X2, in.Y2),
		fmt.Sprintf("await page.mouse.move(%v, %v);", in.X, in.Y), "await page.mouse.down();",
		fmt.Sprintf("await page.mouse.move(%v, %v);", in.X2, in.Y2), "await page.mouse.up();")
	return c.settled(func() error {
		return c.inTurn(with(act.MouseMove, act.MoveParams{X: in.X, Y: in.Y}), with(act.MouseDown, act.ButtonParams{}),
			with(act.MouseMove, act.MoveParams{X: in.X2, Y: in.Y2}), with(act.MouseUp, act.ButtonParams{}))
	})
}

type stateParams struct {
	Filename string `json:"filename" doc:"file" secrets:"no" file:"yes"`
}

func saveState(c *call, in pdfParams) error {
	path, shown, err := c.file(in.Filename, "storage-state", "json")
	if err != nil {
		return err
	}
	if _, err := state.Save.Call(c.ctx, provider.Request{}, state.SaveParams{Path: tool.WritePath(path)}); err != nil {
		return err
	}
	c.result(fmt.Sprintf("- [Storage state](%s)", shown))
	c.ran(fmt.Sprintf("await page.context().storageState({ path: %s });", quote(shown)))
	return nil
}

func restoreState(c *call, in stateParams) error {
	path := c.absolute(in.Filename)
	if err := c.mayTouch(path); err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	if err := do(c, state.ClearCookies, state.ClearCookiesParams{}); err != nil {
		return err
	}
	if _, err := state.Load.Call(c.ctx, provider.Request{}, state.LoadParams{Path: tool.ReadPath(path)}); err != nil {
		return err
	}
	c.result("Storage state restored from " + in.Filename)
	c.ran(fmt.Sprintf("await page.context().setStorageState(%s);", quote(in.Filename)))
	return nil
}
