package agent

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/snapshot"
)

// label is one label as the ref engine drew it; lengths are CSS pixels of the
// frame's viewport.
type label struct {
	Ref    string    `json:"ref"`
	Role   string    `json:"role"`
	Colour string    `json:"colour"`
	Label  labelRect `json:"label"`
	Box    labelRect `json:"box"` // of the element
}

type labelRect struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// drawLabels draws labels at the controls of the page's snapshot, and with pictures at these
// too, in the page and in its frames. They go with the next action, or after half a minute.
func drawLabels(c *tool.Call, pictures bool) (all []label, root *snapshot.Node, err error) {
	if root, err = tree(c, ""); err != nil {
		return nil, nil, err
	}
	if all, err = labelFrame(c, "", "", pictures); err != nil {
		return nil, nil, err
	}
	ways := []string{""}
	root.Frames(func(iframe *snapshot.Node) {
		sel, err := refs.Named.Of(c.Page).Selector(iframe.Ref)
		if err != nil || !slices.ContainsFunc(iframe.Kids, func(n *snapshot.Node) bool { return n.Ref != "" }) {
			return
		}
		list, err := labelFrame(c, sel+refs.EnterFrame, refs.Named.Of(c.Page).FrameFor(sel), pictures)
		if err != nil {
			return // the frame has gone, or never came: it has nothing to show
		}
		all = append(all, list...)
		ways = append(ways, sel+refs.EnterFrame)
	})
	view := seen.Of(c.Page)
	view.mu.Lock()
	view.labelled = ways
	view.mu.Unlock()
	c.OnAct(func(ctx context.Context) { unlabel((&tool.Call{Ctx: ctx, Page: c.Page})) })
	return all, root, nil
}

func labelFrame(c *tool.Call, way, frame string, pictures bool) (list []label, err error) {
	verb := "ref=!labels "
	if pictures {
		verb = "ref=!labels-all "
	}
	timeout := min(*c.Left(), float64(frameTime.Milliseconds()))
	text, err := c.PW.TextContent(way+verb+frame, playwright.PageTextContentOptions{Timeout: &timeout})
	if err != nil {
		return nil, c.Fail(err, "")
	}
	return list, json.Unmarshal([]byte(text), &list)
}

// unlabel takes the labels away, if there are any.
func unlabel(c *tool.Call) {
	view := seen.Of(c.Page)
	view.mu.Lock()
	ways := view.labelled
	view.labelled = nil
	view.mu.Unlock()
	for _, way := range ways {
		timeout := min(*c.Left(), float64(frameTime.Milliseconds()))
		// A page or a frame that is gone took its labels with it.
		_, _ = c.PW.TextContent(way+"ref=!unlabel", playwright.PageTextContentOptions{Timeout: &timeout})
	}
}
