package act

import (
	"encoding/json"
	"os"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Drop drops files onto an element.
var Drop = tool.TypedOnPageDo(tool.Act.Acts("drop", "Drop files",
	"Drop files onto an element that takes drops").Within(30*time.Second), drop)

// UploadTools choose files in inputs, and drop them.
func UploadTools() []*provider.Tool {
	uploads := tool.OnPageDo(tool.Act.Acts("upload", "Upload",
		"Choose files in a file input, or in the chooser that an element opens").Within(30*time.Second), upload)
	return []*provider.Tool{uploads, Drop.Tool}
}

type uploadParams struct {
	Sel   tool.Selector   `json:"sel" doc:"selector of the input, or of what opens a file chooser"`
	Files json.RawMessage `json:"files" secrets:"no" file:"yes" doc:"path, or an array of paths; [] chooses none"`
}

// upload is page.setInputFiles, once. An element that is no file input is clicked, and the
// chooser that opens gets the files.
func upload(c *tool.Call, in uploadParams) error {
	sel := string(in.Sel)
	files, err := filePaths(in.Files)
	if err != nil {
		return err
	}
	err = c.WhenReady(sel, waitFor(c, sel), func(timeout *float64) error {
		return tool.Frame(c.Page).SetInputFiles(sel, files, playwright.FrameSetInputFilesOptions{Timeout: timeout})
	})
	if err == nil || !pwerrors.IsNoFileField(err) {
		return err
	}
	taken, done := c.Session.Choosers().Expect(c.Page.Target())
	defer done()
	var clicked error
	opened := make(chan chooser, 1)
	off, told := onChoosers(c.Ctx, c.Page, func(one chooser) {
		select {
		case opened <- one:
		default:
		}
	})
	defer off()
	// The driver clicks, because it must first enable choosers in the browser: a direct
	// click could overtake that.
	dialog, err := c.PW.ExpectFileChooser(func() error {
		if clicked = clickByDriver(c, sel, playwright.FrameClickOptions{}); clicked == nil && told {
			clicked = noneOpened(c, opened)
		}
		return clicked
	}, playwright.PageExpectFileChooserOptions{Timeout: c.Left()})
	if clicked != nil {
		return clicked
	}
	if err != nil {
		e := provider.AsError(c.Fail(err, ""))
		e.Hint = "the element is no file input, and a click on it opened no file chooser"
		return e
	}
	if taken(c.Ctx) {
		return provider.Errorf(provider.KindFailed, "the file chooser that opened was taken by a script, or a client of session.cdp, that listens to those of %s; this tool chose nothing", c.Where()).
			WithHint("page.off('filechooser', …) in the script leaves file choosers to this tool")
	}
	answered.Of(c.Page).Add(1)
	return c.Fail(dialog.SetFiles(files), sel)
}

// noneOpened waits for the chooser that a click opens. One that can't be answered is an error at once;
// that none has opened in time, the driver says.
func noneOpened(c *tool.Call, opened <-chan chooser) error {
	late := time.NewTimer(c.TimeLeft())
	defer late.Stop()
	select {
	case one := <-opened:
		if one.BackendNodeID == 0 {
			return provider.Errorf(provider.KindFailed, "%s", noPicker).
				WithHint("most such pages have a file input, or a place to drop on (drop), for other browsers")
		}
	case <-late.C:
	case <-c.Ctx.Done():
	}
	return nil
}

// filePaths reads the parameter files: a path or an array of paths, all of which must
// exist.
func filePaths(raw json.RawMessage) ([]string, error) {
	paths := []string{}
	var one string
	if string(raw) != "null" && json.Unmarshal(raw, &one) == nil {
		paths = append(paths, one)
	} else if string(raw) == "null" || json.Unmarshal(raw, &paths) != nil {
		return nil, provider.Errorf(provider.KindArgs, "files: expected a path or an array of paths, got %s", raw)
	}
	for _, f := range paths {
		if err := files.MayTouch(f); err != nil {
			return nil, err
		}
		info, err := os.Stat(f)
		if err != nil {
			return nil, provider.Errorf(provider.KindArgs, "files: %w", err)
		}
		if err := files.MayUpload(f); err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() && !info.IsDir() {
			return nil, provider.Errorf(provider.KindArgs, "files: %s is not a file", f)
		}
	}
	return paths, nil
}
