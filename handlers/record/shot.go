// Package record writes what happened to files: pictures, PDF, films, traces, logs.
package record

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools are the pictures of profile core.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Core.Acts("shot", "Screenshot", "Write a screenshot to a file; its path").OwnAnswers(), shot),
		tool.OnPage(tool.Core.Acts("eshot", "Screenshot of element",
			"Write a screenshot of an element to a file; its path").OwnAnswers(), elementShot),
	}
}

type shotParams struct {
	Path    tool.WritePath `json:"path" doc:".png, .jpg or .jpeg file"`
	Full    bool           `json:"full,omitempty" doc:"the whole page"`
	Quality int            `json:"quality,omitempty" doc:"of JPEG" min:"1" max:"100"`
}

// shot is page.screenshot.
func shot(c *tool.Call, in shotParams) (string, error) {
	path := string(in.Path)
	o := playwright.PageScreenshotOptions{FullPage: &in.Full}
	var err error
	if o.Type, o.Quality, err = tool.PictureFormat(path, "", in.Quality); err != nil {
		return "", err
	}
	picture, err := c.Screenshot(o)
	if err != nil {
		return "", err
	}
	return path, c.WriteFile(path, picture)
}

type eshotParams struct {
	Sel  tool.Selector  `json:"sel" doc:"selector"`
	Path tool.WritePath `json:"path" doc:".png, .jpg or .jpeg file"`
}

// elementShot is locator.screenshot of the first match.
func elementShot(c *tool.Call, in eshotParams) (string, error) {
	path := string(in.Path)
	kind, _, err := tool.PictureFormat(path, "", 0)
	if err != nil {
		return "", err
	}
	picture, err := c.ScreenshotOf(tool.Frame(c.Page), string(in.Sel), playwright.PageScreenshotOptions{Type: kind})
	if err != nil {
		return "", err
	}
	return path, c.WriteFile(path, picture)
}
