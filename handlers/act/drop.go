package act

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// dropper runs in the page: see the file.
//
//go:embed drop.js
var dropper string

// maxDrop bounds the files of one drop: their bytes go through the page.
const maxDrop = 50 << 20

type dropParams struct {
	Sel   tool.Selector   `json:"sel" doc:"selector of the drop target"`
	Files json.RawMessage `json:"files" secrets:"no" file:"yes" doc:"path, or an array of paths"`
}

// drop gives files to an element that accepts drops: dragenter, dragover and drop with
// a DataTransfer.
func drop(c *tool.Call, in dropParams) error {
	sel := string(in.Sel)
	paths, err := filePaths(in.Files)
	if err != nil {
		return err
	}
	files, err := readFiles(paths)
	if err != nil {
		return err
	}
	if err := c.Attempt(sel, func(timeout *float64) error {
		_, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{Timeout: timeout})
		return err
	}); err != nil {
		return err
	}
	if err := tool.Frame(c.Page).Locator(sel).First().ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: c.Left()}); err != nil {
		return c.Fail(err, sel)
	}
	taken, err := tool.Frame(c.Page).EvalOnSelector(sel, dropper, files)
	if err != nil {
		return c.Fail(err, sel)
	}
	if taken != true {
		return provider.Errorf(provider.KindFailed, "%q takes no drops on %s", sel, c.Where()).
			WithHint("it did not prevent the default of dragover; upload is for file inputs")
	}
	return nil
}

// readFiles reads files in the form from which the page makes File objects.
func readFiles(paths []string) ([]any, error) {
	if len(paths) == 0 {
		return nil, provider.Errorf(provider.KindArgs, "files: there are none")
	}
	var files []any
	total := 0
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, provider.Errorf(provider.KindArgs, "files: %w", err)
		}
		if total += int(min(info.Size(), maxDrop+1)); !info.Mode().IsRegular() || total > maxDrop {
			return nil, provider.Errorf(provider.KindArgs, "files: %s is not a file, or they are more than %d MiB together", path, maxDrop>>20)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, provider.Errorf(provider.KindArgs, "files: %w", err)
		}
		kind := mime.TypeByExtension(filepath.Ext(path))
		if kind == "" {
			kind = http.DetectContentType(data)
		}
		kind, _, _ = strings.Cut(kind, ";")
		files = append(files, map[string]any{"name": filepath.Base(path), "type": kind, "data": base64.StdEncoding.EncodeToString(data)})
	}
	return files, nil
}
