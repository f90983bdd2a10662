package act

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// FrameTools choose and list frames.
func FrameTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Act.Acts("frame", "Choose frame",
			"Work inside a frame from now on, until the page navigates; without a selector: in the page itself again"),
			chooseFrame),
		tool.OnPage(tool.Act.Reads("frames", "List frames", "List the page's frames").Within(5*time.Second), listFrames),
	}
}

type frameParams struct {
	Sel tool.Selector `json:"sel,omitempty" doc:"selector of an iframe inside the frame in use; \"..\" for the frame above; nothing for the page"`
}

// frameInfo identifies a frame.
type frameInfo struct {
	Name   string `json:"name" doc:"the name attribute"`
	URL    string `json:"url" doc:"address of its document"`
	Parent string `json:"parent,omitempty" doc:"address of the frame above it"`
	InUse  bool   `json:"inUse" doc:"whether calls work in it"`
}

// chooseFrame sets the frame in which later calls of the page work. A navigation of the
// page resets it, since all frames go.
func chooseFrame(c *tool.Call, in frameParams) (frameInfo, error) {
	sel := string(in.Sel)
	if f := tool.ChosenFrame(c.Page); f != nil && f.IsDetached() && in.Sel != "" {
		return frameInfo{}, tool.FrameGone(c.Where())
	}
	var f playwright.Frame // nil for the page
	switch in.Sel {
	case "":
	case "..":
		if up := tool.Frame(c.Page).ParentFrame(); up != nil && up.ParentFrame() != nil {
			f = up
		}
	default:
		err := c.Attempt(sel, func(timeout *float64) error {
			el, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
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
	}
	tool.UseFrame(c.Page, f)
	return infoOf(c, tool.Frame(c.Page)), nil
}

func infoOf(c *tool.Call, f playwright.Frame) frameInfo {
	i := frameInfo{Name: f.Name(), URL: f.URL(), InUse: f == tool.Frame(c.Page)}
	if up := f.ParentFrame(); up != nil {
		i.Parent = up.URL()
	}
	return i
}

// listFrames is page.frames. A round trip to the page first lets events arrive of
// frames that an eval, on another connection, added or removed.
func listFrames(c *tool.Call, _ tool.NoParams) ([]frameInfo, error) {
	timeout := min(*c.Left(), 500)
	_, _ = c.PW.TextContent("ref=!state", playwright.PageTextContentOptions{Timeout: &timeout})
	list := []frameInfo{}
	for _, f := range c.Frames.All() {
		list = append(list, infoOf(c, f))
	}
	return list, nil
}
