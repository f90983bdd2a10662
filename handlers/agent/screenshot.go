package agent

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// screenshotTool declares a tool whose result is a picture: profiles rpc and agent
// have one each.
func screenshotTool() *provider.Tool {
	spec := tool.Agent.Acts("screenshot", "Screenshot", "Picture of the page; with labels also the snapshot")
	spec.Also = []string{"rpc"}
	spec.More = "It shows the page to a model: the picture is the answer. For a file alone take shot."
	return tool.OnPage(spec, screenshot)
}

type screenshotParams struct {
	FullPage bool           `json:"fullPage,omitempty" doc:"beyond the viewport"`
	MIME     string         `json:"mime,omitempty" doc:"type" enum:"image/png,image/jpeg"`
	Labels   bool           `json:"labels,omitempty" doc:"refs on controls"`
	Selector tool.Selector  `json:"selector,omitempty" doc:"only this element"`
	Path     tool.WritePath `json:"path,omitempty" doc:"write it here"`
	Quality  int            `json:"quality,omitempty" doc:"of JPEG" min:"1" max:"100"`
}

// picture is a screenshot, with the snapshot that its labels belong to.
type picture struct {
	Path     string  `json:"path,omitempty" own:"yes" doc:"file that was written"`
	MIME     string  `json:"mime,omitempty" own:"yes" doc:"type of the picture"`
	Base64   string  `json:"base64,omitempty" own:"picture" doc:"its bytes, where no path was given"`
	Scale    float64 `json:"scale,omitempty" own:"yes" doc:"what its sides were multiplied by"`
	Snapshot string  `json:"snapshot,omitempty" doc:"what the labels belong to"`
}

// Content shows the picture and the snapshot: provider.Content.
func (p picture) Content() (string, []provider.Image) {
	text := p.Snapshot
	if p.Path != "" {
		text = p.Path + "\n" + text
	}
	if p.Base64 == "" {
		return text, nil
	}
	return text, []provider.Image{{MIME: p.MIME, Base64: p.Base64, Scale: p.Scale}}
}

// screenshot is page.screenshot, or locator.screenshot of the first match.
func screenshot(c *tool.Call, in screenshotParams) (out picture, err error) {
	path := string(in.Path)
	mime := in.MIME
	if mime == "" && in.Path == "" {
		mime = tool.MIMEPNG
	}
	kind, quality, err := tool.PictureFormat(path, mime, in.Quality)
	if err != nil {
		return out, err
	}
	if in.Labels {
		_, root, err := drawLabels(c, false)
		if err != nil {
			return out, err
		}
		out.Snapshot = shown(c, root)
	}
	data, err := capture(c, in, kind, quality)
	if err != nil {
		return out, err
	}
	if in.Path != "" {
		out.Path = path
		return out, c.WriteFile(path, data)
	}
	answer, err := tool.Answered(data, c.Session.Browser.Config.MaxImage)
	out.MIME, out.Base64, out.Scale = answer.MIME, answer.Base64, answer.Scale
	return out, err
}

// capture takes the picture. A place in it is the same place in the viewport, in
// CSS pixels, whatever the screen: mouse-click takes it.
func capture(c *tool.Call, in screenshotParams, kind *playwright.ScreenshotType, quality *int) ([]byte, error) {
	return c.ScreenshotOf(c.PW.MainFrame(), string(in.Selector), playwright.PageScreenshotOptions{Type: kind, Quality: quality,
		FullPage: &in.FullPage, Scale: playwright.ScreenshotScaleCss})
}
