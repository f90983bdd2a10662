package handlers

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func uploadTools() []*provider.Tool {
	return []*provider.Tool{
		onPageDo(Act.Acts("upload", "Upload", "Choose files in a file input, or in the chooser that an element opens").Within(30*time.Second), upload),
		onPageDo(Act.Acts("drop", "Drop files", "Drop files onto an element that takes drops").Within(30*time.Second), drop),
	}
}

type uploadParams struct {
	Sel   Selector        `json:"sel" doc:"selector of the input, or of what opens a file chooser"`
	Files json.RawMessage `json:"files" secrets:"no" doc:"path, or an array of paths; [] chooses none"`
}

// upload is page.setInputFiles. Of an element that is no file input it clicks
// and answers the chooser that opens.
func upload(c *call, in uploadParams) error {
	sel := string(in.Sel)
	files, err := filePaths(in.Files)
	if err != nil {
		return err
	}
	err = c.attempt(sel, func(timeout *float64) error {
		return c.frame().SetInputFiles(sel, files, playwright.FrameSetInputFilesOptions{Timeout: timeout})
	})
	if err == nil || !mentions(err, "Node is not an HTMLInputElement") && !mentions(err, "not an input[type=file]") {
		return err
	}
	chooser, err := c.pw.ExpectFileChooser(func() error {
		return c.frame().Click(sel, playwright.FrameClickOptions{Timeout: c.left()})
	}, playwright.PageExpectFileChooserOptions{Timeout: c.left()})
	if err != nil {
		e := provider.AsError(c.fail(err, ""))
		e.Hint = "the element is no file input, and a click on it opened no file chooser"
		return e
	}
	return c.fail(chooser.SetFiles(files), sel)
}

// filePaths reads files: a path or an array of paths, all of which must be
// there.
func filePaths(raw json.RawMessage) ([]string, error) {
	paths := []string{}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		paths = append(paths, one)
	} else if json.Unmarshal(raw, &paths) != nil || string(raw) == "null" {
		return nil, provider.Errorf(provider.KindArgs, "files: expected a path or an array of paths, got %s", raw)
	}
	for _, f := range paths {
		if err := mayTouch(f); err != nil {
			return nil, err
		}
		info, err := os.Stat(f)
		if err != nil {
			return nil, provider.Errorf(provider.KindArgs, "files: %w", err)
		}
		if err := mayUpload(f); err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() && !info.IsDir() {
			return nil, provider.Errorf(provider.KindArgs, "files: %s is not a file", f)
		}
	}
	return paths, nil
}

// mayUpload refuses a folder that not all of may be given to a page: the browser
// gives away whatever is in it, and where its links lead to.
func mayUpload(path string) error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil // the browser opens no more than this file
	}
	if holdsOthers(path) {
		return provider.Errorf(provider.KindBlocked, "files: %s: not everything in this folder is yours to upload; name a folder or files inside", path)
	}
	real, err := realPath(path)
	if err != nil {
		return provider.Errorf(provider.KindBlocked, "files: %s: %w", path, err)
	}
	return filepath.WalkDir(real, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return provider.Errorf(provider.KindBlocked, "files: %s: %w", path, err)
		}
		if e.Type()&fs.ModeSymlink == 0 {
			return nil
		}
		to, err := realPath(at)
		if _, inside := below(real, to); err != nil || !inside {
			return provider.Errorf(provider.KindBlocked, "files: %s: the link %s in it leads out of the folder", path, at).
				WithHint("remove the link, or name the files one by one")
		}
		return nil
	})
}
