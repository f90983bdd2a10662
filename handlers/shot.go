package handlers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func shotTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(Core.Acts("shot", "Screenshot", "Write a screenshot to a file; its path").OwnAnswers(), shot),
		onPage(Core.Acts("eshot", "Screenshot of element", "Write a screenshot of an element to a file; its path").OwnAnswers(), elementShot),
	}
}

type shotParams struct {
	Path    WritePath `json:"path" doc:".png, .jpg or .jpeg file"`
	Full    bool      `json:"full,omitempty" doc:"the whole page"`
	Quality int       `json:"quality,omitempty" doc:"of JPEG" min:"1" max:"100"`
}

// shot is page.screenshot.
func shot(c *call, in shotParams) (string, error) {
	path := string(in.Path)
	o := playwright.PageScreenshotOptions{FullPage: &in.Full}
	var err error
	if o.Type, o.Quality, err = pictureFormat(path, "", in.Quality); err != nil {
		return "", err
	}
	o.Timeout = c.left()
	picture, err := c.pw.Screenshot(o)
	if err != nil {
		return "", c.fail(err, "")
	}
	return path, writeFile(path, picture)
}

type eshotParams struct {
	Sel  Selector  `json:"sel" doc:"selector"`
	Path WritePath `json:"path" doc:".png, .jpg or .jpeg file"`
}

// elementShot is locator.screenshot of the first match.
func elementShot(c *call, in eshotParams) (string, error) {
	path := string(in.Path)
	sel := string(in.Sel)
	kind, _, err := pictureFormat(path, "", 0)
	if err != nil {
		return "", err
	}
	var picture []byte
	err = c.attempt(sel, func(timeout *float64) (err error) {
		picture, err = c.frame().Locator(sel).First().Screenshot(playwright.LocatorScreenshotOptions{Type: kind, Timeout: timeout})
		return err
	})
	if err != nil {
		return "", err
	}
	return path, writeFile(path, picture)
}

// pictureFormat is the type of a picture, by its file's ending, else by its MIME
// type, and its quality, if it has one. It looks at the path before any picture
// is taken.
func pictureFormat(path, mime string, quality int) (kind *playwright.ScreenshotType, q *int, err error) {
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
		if mime != "" && mime != mimeOf(kind) {
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

const mimeJPEG, mimePNG = "image/jpeg", "image/png"

func mimeOf(kind *playwright.ScreenshotType) string {
	if *kind == *playwright.ScreenshotTypeJpeg {
		return mimeJPEG
	}
	return mimePNG
}

// checkTarget refuses to write outside of the allowed folders, and where a file
// of that name would not be what it seems.
func checkTarget(path string) error {
	if err := checkPlace(path); err != nil {
		return err
	}
	return mayTouch(path)
}

// checkPlace refuses names of files that lead through a dangling link, or to a
// link, a folder or a device.
func checkPlace(path string) error {
	refuse := func(format string, args ...any) error {
		return provider.Errorf(provider.KindArgs, "path: %s", fmt.Sprintf(format, args...))
	}
	if path == "" || strings.ContainsRune(path, 0) {
		return refuse("expected the name of a file, got %q", path)
	}
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return refuse("%s is a folder; name a file in it", path)
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return refuse("%s is not a folder", dir)
		}
		if errors.Is(err, fs.ErrNotExist) {
			if link, err := os.Readlink(dir); err == nil {
				return refuse("%s is a dangling link to %s", dir, link)
			}
		}
		if err == nil || dir == filepath.Dir(dir) {
			break
		}
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return refuse("%v", err)
	case info.Mode()&fs.ModeSymlink != 0:
		link, _ := os.Readlink(path)
		if _, err := os.Stat(path); err != nil {
			return refuse("%s is a dangling link to %s", path, link)
		}
		return refuse("%s is a link to %s; name that file itself", path, link)
	case info.IsDir():
		return refuse("%s is a folder; name a file in it", path)
	case !info.Mode().IsRegular():
		return refuse("%s is not a regular file", path)
	}
	return nil
}

func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	var own *provider.Error
	if errors.As(err, &own) {
		return err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return provider.Errorf(provider.KindFailed, "can't write %s: %w", path, err)
}
