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
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// DragParams are the parameters of [Drag].
type DragParams struct {
	From  tool.Selector `json:"from" doc:"selector of what to drag"`
	To    tool.Selector `json:"to" doc:"selector of where to drop it"`
	Steps int           `json:"steps,omitempty" doc:"how many moves on the way" default:"10" min:"1" max:"1000"`
	Hold  int           `json:"hold,omitempty" doc:"milliseconds to hold before the first move, for lists that want a long press" min:"0" max:"10000"`
}

// startPixels is the length of the first move. Drags begin after a few pixels, so that
// a click is not a drag.
const startPixels = 12

// drag is page.dragAndDrop with the moves that pointer-event libraries need: they start
// a drag after a few pixels, and measure and draw between moves. It waits for both ends
// first, so an attempt that is given up has not begun.
func drag(c *tool.Call, in DragParams) error {
	to := string(in.To)
	for _, sel := range []string{to, string(in.From)} { // starting with last: it must be in view
		if err := awaitVisible(c, sel); err != nil {
			return err
		}
	}
	if err := moveOver(c, tool.SelParam{Sel: in.From}); err != nil {
		return err
	}
	x, y, err := middle(c, string(in.From))
	if err != nil {
		return err
	}
	if err := c.Ctx.Err(); err != nil {
		return err
	}
	c.Sends()
	at := aimAt(c, string(in.From), x, y)
	heard(c)
	if err := at.taken("it was not dragged"); err != nil {
		return err
	}
	if err := c.PW.Mouse().Down(); err != nil {
		return c.Fail(err, "")
	}
	if err = at.seen(true, false); err == nil {
		err = at.taken("it was not dragged")
	}
	if err == nil {
		err = dragTo(c, x, y, in)
	}
	if err != nil {
		_ = c.PW.Mouse().Move(outside, outside) // where it is dropped on nothing
	}
	if up := c.PW.Mouse().Up(); err == nil && up == nil {
		err = at.seen(false, true)
	} else if err == nil {
		err = up
	}
	drawn(c)
	return c.Fail(err, to)
}

// outside is a coordinate that is out of the viewport.
const outside = -10

func awaitVisible(c *tool.Call, sel string) error {
	return c.Attempt(sel, func(timeout *float64) error {
		_, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{Timeout: timeout})
		return err
	})
}

// dragTo moves the held element from its place to the target's middle.
func dragTo(c *tool.Call, x, y float64, in DragParams) error {
	to := string(in.To)
	if in.Hold > 0 {
		if err := c.Pause(time.Duration(in.Hold) * time.Millisecond); err != nil {
			return err
		}
	}
	move := func(toX, toY float64) error {
		if err := c.Ctx.Err(); err != nil {
			return err
		}
		err := c.PW.Mouse().Move(toX, toY)
		drawn(c)
		return err
	}
	tx, ty, err := middle(c, to)
	if err != nil {
		return err
	}
	if in.Steps > 1 {
		if err := move(x+toward(x, tx), y+toward(y, ty)); err != nil {
			return err
		}
	}
	// A distant target is scrolled into view now, during the drag.
	if err := tool.Frame(c.Page).Locator(to).First().ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: c.Left()}); err != nil {
		return err
	}
	if tx, ty, err = middle(c, to); err != nil {
		return err
	}
	at := aimAt(c, to, tx, ty)
	for i := 1; i <= in.Steps; i++ {
		part := float64(i) / float64(in.Steps)
		if err := move(x+(tx-x)*part, y+(ty-y)*part); err != nil {
			return err
		}
	}
	if err := move(tx, ty); err != nil { // some libraries accept the target only after a second move over it
		return err
	}
	heard(c)
	return at.taken("it was dropped on nothing")
}

// toward is the first step from a to b.
func toward(a, b float64) float64 { return max(-startPixels, min(startPixels, b-a)) }

// middle is the middle of the first match, in the viewport.
func middle(c *tool.Call, sel string) (x, y float64, err error) {
	box, err := tool.Frame(c.Page).Locator(sel).First().BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: c.Left()})
	if err != nil {
		return 0, 0, c.Fail(err, sel)
	}
	if box == nil {
		return 0, 0, provider.Errorf(provider.KindFailed, "%q is not visible on %s", sel, c.Where())
	}
	return box.X + box.Width/2, box.Y + box.Height/2, nil
}

// drawnScript ends when the page has drawn the effects of the last move, or after a
// moment if it does not draw.
const drawnScript = `() => new Promise(done => { setTimeout(done, 100); requestAnimationFrame(() => requestAnimationFrame(done)) })`

func drawn(c *tool.Call) { _, _ = tool.Frame(c.Page).Evaluate(drawnScript) }

// dropper runs in the page: see the file.
//
//go:embed drop.js
var dropper string

// maxDrop bounds the files of one drop: their bytes go through the page.
const maxDrop = 50 << 20

// DropParams are the parameters of [Drop].
type DropParams struct {
	Sel   tool.Selector   `json:"sel" doc:"selector of the drop target"`
	Files json.RawMessage `json:"files" secrets:"no" file:"yes" doc:"path, or an array of paths"`
}

// drop gives files to an element that accepts drops: dragenter, dragover and drop with
// a DataTransfer.
func drop(c *tool.Call, in DropParams) error {
	sel := string(in.Sel)
	paths, err := filePaths(in.Files)
	if err != nil {
		return err
	}
	files, err := readFiles(paths)
	if err != nil {
		return err
	}
	if err := awaitVisible(c, sel); err != nil {
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
			WithHint("it did not cancel dragover; for a file input use upload")
	}
	return nil
}

// readFiles reads files in the form from which the page makes File objects.
func readFiles(paths []string) ([]any, error) {
	if len(paths) == 0 {
		return nil, provider.Errorf(provider.KindArgs, "files: the list is empty")
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
