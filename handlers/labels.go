package handlers

import (
	"encoding/base64"
	"encoding/json"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/snapshot"
	"pwpipe/provider"
)

const screenshotDoc = "Picture of the page; with labels also refs on controls, and the snapshot"

type labelledParams struct {
	Labels   bool   `json:"labels,omitempty" doc:"refs on controls"`
	Selector string `json:"selector,omitempty" doc:"only this element"`
	FullPage bool   `json:"fullPage,omitempty" doc:"beyond the viewport"`
	Path     string `json:"path,omitempty" doc:"write it here"`
}

// picture is a screenshot, with the snapshot that its labels belong to.
type picture struct {
	Path     string          `json:"path,omitempty" own:"yes" doc:"file that was written"`
	Image    *provider.Image `json:"image,omitempty" doc:"the picture"` // where no path was given
	Snapshot string          `json:"snapshot,omitempty" doc:"what the labels belong to"`
}

// Content shows the picture and the snapshot: provider.Content.
func (p picture) Content() (string, []provider.Image) {
	text := p.Snapshot
	if p.Path != "" {
		text = p.Path + "\n" + text
	}
	if p.Image == nil {
		return text, nil
	}
	return text, []provider.Image{*p.Image}
}

// screenshot is page.screenshot, or locator.screenshot of the first match.
func screenshot(c *call, in labelledParams) (out picture, err error) {
	kind := playwright.ScreenshotTypePng
	if in.Path != "" {
		if kind, err = pictureType(in.Path); err != nil {
			return out, err
		}
	}
	if in.Labels {
		root, err := c.tree("")
		if err != nil {
			return out, err
		}
		if _, err := c.label(root, false); err != nil {
			return out, err
		}
		out.Snapshot = snapshot.Text(root.Outline(snapshot.Options{}))
	}
	data, err := c.capture(in, kind)
	if err != nil {
		return out, err
	}
	if in.Path != "" {
		out.Path = in.Path
		return out, writeFile(in.Path, data)
	}
	out.Image = &provider.Image{MIME: "image/png", Base64: base64.StdEncoding.EncodeToString(data)}
	return out, nil
}

func (c *call) capture(in labelledParams, kind *playwright.ScreenshotType) (data []byte, err error) {
	if in.Selector == "" {
		data, err = c.pw.Screenshot(playwright.PageScreenshotOptions{Type: kind, FullPage: &in.FullPage,
			Scale: playwright.ScreenshotScaleCss, Timeout: c.left()})
		return data, c.fail(err, "")
	}
	err = c.attempt(in.Selector, func(timeout *float64) (err error) {
		data, err = c.pw.Locator(in.Selector).First().Screenshot(playwright.LocatorScreenshotOptions{Type: kind,
			Scale: playwright.ScreenshotScaleCss, Timeout: timeout})
		return err
	})
	return data, err
}

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

// label draws labels at the controls of a snapshot, and with pictures at these
// too, in the page and in its frames. They go with the next action, or after half a minute.
func (c *call) label(root *snapshot.Node, pictures bool) ([]label, error) {
	all, err := c.labelFrame("", "", pictures)
	if err != nil {
		return nil, err
	}
	ways := []string{""}
	root.Frames(func(iframe *snapshot.Node) {
		sel, err := c.refs.selector(iframe.Ref)
		if err != nil || len(iframe.Kids) == 0 || iframe.Kids[0].Ref == "" {
			return
		}
		list, err := c.labelFrame(sel+enterFrame, c.refs.frameFor(sel), pictures)
		if err != nil {
			return // the frame has gone, or never came: it has nothing to show
		}
		all = append(all, list...)
		ways = append(ways, sel+enterFrame)
	})
	c.view.mu.Lock()
	c.view.labelled = ways
	c.view.mu.Unlock()
	return all, nil
}

func (c *call) labelFrame(way, frame string, pictures bool) (list []label, err error) {
	verb := "ref=!labels "
	if pictures {
		verb = "ref=!labels-all "
	}
	timeout := min(*c.left(), float64(frameTime.Milliseconds()))
	text, err := c.pw.TextContent(way+verb+frame, playwright.PageTextContentOptions{Timeout: &timeout})
	if err != nil {
		return nil, c.fail(err, "")
	}
	return list, json.Unmarshal([]byte(text), &list)
}

// unlabel takes the labels away, if there are any.
func (c *call) unlabel() {
	c.view.mu.Lock()
	ways := c.view.labelled
	c.view.labelled = nil
	c.view.mu.Unlock()
	for _, way := range ways {
		timeout := min(*c.left(), float64(frameTime.Milliseconds()))
		// A page or a frame that is gone took its labels with it.
		_, _ = c.pw.TextContent(way+"ref=!unlabel", playwright.PageTextContentOptions{Timeout: &timeout})
	}
}
