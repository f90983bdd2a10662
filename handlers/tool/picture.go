package tool

import (
	"path/filepath"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// PictureFormat is the type of a picture, by its file's ending, else by its MIME
// type, and its quality, if it has one. It looks at the path before any picture
// is taken.
func PictureFormat(path, mime string, quality int) (kind *playwright.ScreenshotType, q *int, err error) {
	refuse := func(format string, args ...any) (*playwright.ScreenshotType, *int, error) {
		return nil, nil, provider.Errorf(provider.KindArgs, format, args...)
	}
	kind = playwright.ScreenshotTypePng
	if mime == MIMEJPEG {
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
		if mime != "" && mime != MIMEOf(kind) {
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

// The MIME types of pictures.
const MIMEJPEG, MIMEPNG = "image/jpeg", "image/png"

// MIMEOf is the MIME type of a picture.
func MIMEOf(kind *playwright.ScreenshotType) string {
	if *kind == *playwright.ScreenshotTypeJpeg {
		return MIMEJPEG
	}
	return MIMEPNG
}
