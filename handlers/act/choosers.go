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

// WatchChoosers has the browser report a page's file choosers, until what it returns is called:
// that says whether one opened, which nobody answered. In a browser that a person uses they open
// as always.
func WatchChoosers(ctx context.Context, p *browser.Page) func() []string {
	nothing := func() []string { return nil }
	s := p.Direct()
	if s == nil || p.Session.Borrows() {
		return nothing
	}
	var several atomic.Bool
	var opened atomic.Int64
	before := answered.Of(p).Load()
	off := s.On("Page.fileChooserOpened", func(params json.RawMessage) {
		var e struct{ Mode string }
		_ = json.Unmarshal(params, &e)
		several.Store(e.Mode == "selectMultiple")
		opened.Add(1)
	})
	intercept := func(on bool) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxChooser)
		defer cancel()
		return s.Call(ctx, "Page.setInterceptFileChooserDialog", map[string]any{"enabled": on}, nil)
	}
	s.Send("Page.enable", nil, nil)
	if intercept(true) != nil {
		off()
		return nothing
	}
	taken := p.Session.Choosers().Since(p.Target())
	return func() []string {
		_ = intercept(false) // it is answered after earlier events
		off()
		if opened.Load() <= answered.Of(p).Load()-before || taken(ctx) {
			return nil
		}
		line := "a file chooser opened"
		if several.Load() {
			line += " (for several files)"
		}
		return []string{line + ": upload, with what opened it as selector, chooses files"}
	}
}
