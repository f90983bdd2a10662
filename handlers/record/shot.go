// Package record writes what happened to files: pictures, PDF, films, traces, logs.
package record

import (
	"path/filepath"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools are core's pictures.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Core.Acts("shot", "Screenshot", "Write a screenshot to a file; its path").OwnAnswers(), shot),
		tool.OnPage(tool.Core.Acts("eshot", "Screenshot of element", "Write a screenshot of an element to a file; its path").OwnAnswers(), elementShot),
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
	if o.Type, o.Quality, err = PictureFormat(path, "", in.Quality); err != nil {
		return "", err
	}
	o.Timeout = c.Left()
	picture, err := c.PW.Screenshot(o)
	if err != nil {
		return "", c.Fail(err, "")
	}
	return path, files.WriteFile(path, picture)
}

type eshotParams struct {
	Sel  tool.Selector  `json:"sel" doc:"selector"`
	Path tool.WritePath `json:"path" doc:".png, .jpg or .jpeg file"`
}

// elementShot is locator.screenshot of the first match.
func elementShot(c *tool.Call, in eshotParams) (string, error) {
	path := string(in.Path)
	sel := string(in.Sel)
	kind, _, err := PictureFormat(path, "", 0)
	if err != nil {
		return "", err
	}
	var picture []byte
	err = c.Attempt(sel, func(timeout *float64) (err error) {
		picture, err = tool.Frame(c.Page).Locator(sel).First().Screenshot(playwright.LocatorScreenshotOptions{Type: kind, Timeout: timeout})
		return err
	})
	if err != nil {
		return "", err
	}
	return path, files.WriteFile(path, picture)
}

// PictureFormat is the type of a picture, by its file's ending, else by its MIME
// type, and its quality, if it has one. It looks at the path before any picture
// is taken.
func PictureFormat(path, mime string, quality int) (kind *playwright.ScreenshotType, q *int, err error) {
	refuse := func(format string, args ...any) (*playwright.ScreenshotType, *int, error) {
		return nil, nil, provider.Errorf(provider.KindArgs, format, args...)
	}
	kind = playwright.ScreenshotTypePng
	if mime == mimeJPEG {
		kind = playwright.ScreenshotTypeJpeg
	}
	if path != "" || mime == "" { // a file is wanted
		switch ending := strings.ToLower(filepath.Ext(path)); ending {
		case ".png":
			kind = playwright.ScreenshotTypePng
		case ".jpg", ".jpeg":
			kind = playwright.ScreenshotTypeJpeg
		case "":
			return refuse("path: %s has no ending; a picture is .png, .jpg or .jpeg", path)
		default:
			return refuse("path: a picture is .png, .jpg or .jpeg, not %s", ending)
		}
		if mime != "" && mime != MimeOf(kind) {
			return refuse("mime: %s is no %s; without mime the ending decides", path, mime)
		}
	}
	if quality == 0 {
		return kind, nil, nil
	}
	if *kind != *playwright.ScreenshotTypeJpeg {
		return refuse("quality: only a JPEG has one; a PNG loses nothing")
	}
	return kind, &quality, nil
}

const mimeJPEG, MimePNG = "image/jpeg", "image/png"

// MimeOf is the MIME type of a picture.
func MimeOf(kind *playwright.ScreenshotType) string {
	if *kind == *playwright.ScreenshotTypeJpeg {
		return mimeJPEG
	}
	return MimePNG
}
