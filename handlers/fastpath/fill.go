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

// Fill is page.fill, of an element that is ready at once: what Playwright does in
// the page in one message, and the text in another. byDriver does all that, and
// the waiting, where it is not so; then nothing was changed. It ends when the
// driver has heard what came of it.
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

// fill reports whether it is done. What has begun is waited for even where
// nobody waits for the call any more: it must not come after the next.
func fill(ctx context.Context, p *browser.Page, sel, text string) bool {
	late, most := time.Now().Add(patience(ctx)), browser.Slice
	if end, ok := ctx.Deadline(); ok { // half of it is the driver's, which words what is late
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
