package check

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/orisano/pixelmatch"
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type expectShotParams struct {
	Path   tool.ReadPath `json:"path" doc:"PNG file to compare with"`
	Sel    tool.Selector `json:"sel,omitempty" doc:"selector of an element; nothing for the viewport"`
	Ratio  float64       `json:"ratio,omitempty" doc:"share of the pixels that may differ" min:"0" max:"1"`
	Full   bool          `json:"full,omitempty" doc:"the whole page rather than the viewport"`
	Update bool          `json:"update,omitempty" doc:"write the file anew instead of comparing"`
}

// expectShot is expect(page).toHaveScreenshot: it retries until page and picture agree.
// If it fails, it writes the actual picture and the difference beside the file.
func expectShot(c *tool.Call, in expectShotParams) error {
	path := string(in.Path)
	if err := files.CheckEnding("path", path, ".png"); err != nil {
		return err
	}
	if in.Update {
		if err := files.CheckTarget(path); err != nil {
			return err
		}
		seen, err := still(c, in)
		if err != nil {
			return err
		}
		return c.WriteFile(path, seen)
	}
	want, err := readPicture(path)
	if err != nil {
		return err
	}
	var seen []byte
	var d difference
	for {
		picture, err := still(c, in)
		if late := (*provider.Error)(nil); seen != nil && errors.As(err, &late) && late.Kind == provider.KindTimeout {
			return unlike(c, in, seen, d) // the last attempt that there was time for
		}
		if err != nil {
			return err
		}
		seen = picture
		if d, err = compare(want, seen); err != nil {
			return err
		}
		if d.matches(in.Ratio) {
			return nil
		}
		if left := *c.Left(); left < 2*float64(pauseBetween.Milliseconds()) {
			return unlike(c, in, seen, d)
		}
		if err := c.Pause(pauseBetween); err != nil {
			return err
		}
	}
}

// still is a picture in which nothing blinks or moves.
func still(c *tool.Call, in expectShotParams) ([]byte, error) {
	return c.ScreenshotOf(tool.Frame(c.Page), string(in.Sel), playwright.PageScreenshotOptions{FullPage: &in.Full,
		Animations: playwright.ScreenshotAnimationsDisabled, Caret: playwright.ScreenshotCaretHide, Scale: playwright.ScreenshotScaleCss})
}

// A picture that is compared has as many pixels as a page may show at most. A file of few bytes may
// unpack to any number.
const (
	maxPicture = 128 << 20 // bytes of its file
	maxPixels  = 128_000_000
)

func readPicture(path string) (image.Image, error) {
	data, err := files.Read(path, maxPicture)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, provider.Errorf(provider.KindFailed, "there is no picture %s to compare with", path).
			WithHint("look at the page, then call it once with update: true")
	}
	if err != nil {
		return nil, provider.Errorf(provider.KindFailed, "%w", err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err == nil && size.Width*size.Height > maxPixels {
		return nil, provider.Errorf(provider.KindLimit, "%s has %d by %d pixels, and a picture may have %d", path,
			size.Width, size.Height, maxPixels)
	}
	if err != nil {
		return nil, provider.Errorf(provider.KindFailed, "%s is not a PNG file: %w", path, err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, provider.Errorf(provider.KindFailed, "%s is not a PNG file: %w", path, err)
	}
	return want, nil
}

// difference is the difference of two pictures.
type difference struct {
	want, got image.Point // sizes
	pixels    int
	picture   image.Image // nil if the sizes differ
}

func (d difference) matches(ratio float64) bool {
	return d.want == d.got && float64(d.pixels) <= ratio*float64(d.want.X*d.want.Y)
}

// compare counts the pixels that look different to a person.
func compare(want image.Image, seen []byte) (difference, error) {
	got, err := png.Decode(bytes.NewReader(seen))
	if err != nil {
		return difference{}, provider.Errorf(provider.KindInternal, "reading the screenshot: %w", err)
	}
	d := difference{want: want.Bounds().Size(), got: got.Bounds().Size()}
	if d.want != d.got {
		return d, nil
	}
	d.pixels, err = pixelmatch.MatchPixel(want, got, pixelmatch.Threshold(0.2), pixelmatch.WriteTo(&d.picture))
	return d, err
}

// unlike makes the error and writes the pictures that show it.
func unlike(c *tool.Call, in expectShotParams, seen []byte, d difference) error {
	path := string(in.Path)
	base := strings.TrimSuffix(path, filepath.Ext(path))
	actual := base + ".actual.png"
	if err := files.CheckTarget(actual); err == nil {
		_ = c.WriteFile(actual, seen)
	}
	at := c.Where()
	e := provider.Errorf(provider.KindFailed, "expected %s to look like %s, got a picture of %dx%d instead of %dx%d; it is %s",
		at, path, d.got.X, d.got.Y, d.want.X, d.want.Y, actual)
	if d.picture != nil {
		var b bytes.Buffer
		diff := base + ".diff.png"
		if files.CheckTarget(diff) == nil && png.Encode(&b, d.picture) == nil {
			_ = c.WriteFile(diff, b.Bytes())
		}
		e.Msg = fmt.Sprintf("expected %s to look like %s, got %d different pixels (%.2f%%) after %s; see %s and %s",
			at, path, d.pixels, 100*float64(d.pixels)/float64(d.want.X*d.want.Y), pwerrors.Seconds(provider.RequestFrom(c.Ctx).Deadline), actual, diff)
	}
	e.Page, e.URL = at.Page, at.URL
	return e
}
