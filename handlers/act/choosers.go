package act

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
)

// answered counts the file choosers of a page that the tool upload has answered.
var answered browser.State[*browser.Page, atomic.Int64]

// maxChooser bounds a message about file choosers to the browser.
const maxChooser = time.Second

// chooser is a file chooser that opened: of a file input, or of showOpenFilePicker, showSaveFilePicker or
// showDirectoryPicker. DevTools reports the latter and can't answer them: the page gets an AbortError.
type chooser struct {
	Mode          string
	BackendNodeID int // of the input, 0 for none
}

// noPicker says so.
const noPicker = "the page asked for a file or a folder with showOpenFilePicker, showSaveFilePicker or " +
	"showDirectoryPicker, whose dialog nothing can answer here: it was told that the person cancelled (AbortError)"

// onChoosers has the browser report a page's file choosers to fn, until off is called. In a browser that a
// person uses they open as always: then, and without a line to the page, ok is false.
func onChoosers(ctx context.Context, p *browser.Page, fn func(chooser)) (off func(), ok bool) {
	s := p.Direct()
	if s == nil || p.Session.Borrows() {
		return func() {}, false
	}
	unhear := s.On("Page.fileChooserOpened", func(params json.RawMessage) {
		var one chooser
		_ = json.Unmarshal(params, &one)
		fn(one)
	})
	intercept := func(on bool) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxChooser)
		defer cancel()
		return s.Call(ctx, "Page.setInterceptFileChooserDialog", map[string]any{"enabled": on}, nil)
	}
	s.Send("Page.enable", nil, nil)
	if intercept(true) != nil {
		unhear()
		return func() {}, false
	}
	return func() {
		_ = intercept(false) // it is answered after earlier events
		unhear()
	}, true
}

// WatchChoosers has the browser report a page's file choosers, until what it returns is called:
// that says whether one opened, which nobody answered.
func WatchChoosers(ctx context.Context, p *browser.Page) func() []string {
	var several, picker atomic.Bool
	var opened atomic.Int64
	before := answered.Of(p).Load()
	off, ok := onChoosers(ctx, p, func(one chooser) {
		if one.BackendNodeID == 0 {
			picker.Store(true)
			return
		}
		several.Store(one.Mode == "selectMultiple")
		opened.Add(1)
	})
	if !ok {
		return func() []string { return nil }
	}
	taken := p.Session.Choosers().Since(p.Target())
	return func() (lines []string) {
		off()
		if picker.Load() {
			lines = append(lines, noPicker)
		}
		if opened.Load() <= answered.Of(p).Load()-before || taken(ctx) {
			return lines
		}
		line := "a file chooser opened"
		if several.Load() {
			line += " (for several files)"
		}
		return append(lines, line+": upload, with what opened it as selector, chooses files")
	}
}
