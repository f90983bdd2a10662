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
		onPage(ownAnswers(core("shot", "Screenshot", "Write a screenshot to a file; its path", 10, provider.Acts)), shot),
		onPage(ownAnswers(core("eshot", "Screenshot of element", "Write a screenshot of an element to a file; its path", 10, provider.Acts)), elementShot),
	}
}

type shotParams struct {
	Path string `json:"path" doc:"PNG or JPEG file"`
}

// shot is page.screenshot.
func shot(c *call, in shotParams) (string, error) {
	kind, err := pictureType(in.Path)
	if err != nil {
		return "", err
	}
	picture, err := c.pw.Screenshot(playwright.PageScreenshotOptions{Type: kind, Timeout: c.left()})
	if err != nil {
		return "", c.fail(err, "")
	}
	return in.Path, writeFile(in.Path, picture)
}

type eshotParams struct {
	Sel  string `json:"sel" doc:"selector"`
	Path string `json:"path" doc:"PNG or JPEG file"`
}

// elementShot is locator.screenshot of the first match.
func elementShot(c *call, in eshotParams) (string, error) {
	kind, err := pictureType(in.Path)
	if err != nil {
		return "", err
	}
	var picture []byte
	err = c.attempt(in.Sel, func(timeout *float64) (err error) {
		picture, err = c.frame().Locator(in.Sel).First().Screenshot(playwright.LocatorScreenshotOptions{Type: kind, Timeout: timeout})
		return err
	})
	if err != nil {
		return "", err
	}
	return in.Path, writeFile(in.Path, picture)
}

// pictureType goes by the file's ending, as Playwright does, and looks at the
// path before any picture is taken.
func pictureType(path string) (*playwright.ScreenshotType, error) {
	if err := checkTarget(path); err != nil {
		return nil, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", "":
		return playwright.ScreenshotTypePng, nil
	case ".jpg", ".jpeg":
		return playwright.ScreenshotTypeJpeg, nil
	}
	return nil, provider.Errorf(provider.KindArgs, "path: a picture is .png or .jpeg, not %s", filepath.Ext(path))
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
