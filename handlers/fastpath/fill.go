package fastpath

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"pwpipe/handlers/browser"
)

// putIn is Playwright's fill up to where it types: see the file.
//
//go:embed fill.js
var putIn string

var fillable = define("fill", putIn)

// Fill is page.fill for an element that is ready. It does what Playwright does in the
// page with one message, and inserts the text with another. In other cases byDriver
// does all of it, including the wait; then nothing was changed. Fill ends when the
// driver knows its effects.
func Fill(ctx context.Context, p *browser.Page, sel, text string, byDriver func() error) error {
	s := p.Direct()
	if s == nil || text == "" || readers.Of(p).elsewhere(ctx) { // what is emptied is so by a key
		return byDriver()
	}
	c := courses.Of(p)
	if c.Still(s) && fill(ctx, p, sel, text) {
		return nil
	}
	return c.Driven(ctx, s, byDriver)
}

// fill reports whether the element was filled. Once begun, it runs to its end even if
// nobody waits for the call: it must not come after the next call.
func fill(ctx context.Context, p *browser.Page, sel, text string) bool {
	late, most := time.Now().Add(patience(ctx)), browser.Slice
	if end, ok := ctx.Deadline(); ok { // the driver gets half of the time, to report what is late
		most = min(most, time.Until(end)/2)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	q := &question{kind: fillable.name, sel: sel, arg: []any{p.PW.URL(), late.UnixMilli(), text}, ctx: ctx, acts: true, answer: make(chan json.RawMessage, 1)}
	r := readers.Of(p)
	r.ask(q)
	if raw := q.wait(most); string(raw) != "true" {
		return false
	}
	s := p.Direct()
	if s == nil || s.Call(ctx, "Input.insertText", map[string]any{"text": text}, nil) != nil {
		return false
	}
	r.answered.Add(1)
	catchUp(p)
	return true
}
