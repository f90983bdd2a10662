package fastpath

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"pwpipe/handlers/browser"
)

//go:embed box.js
var boxed string

var boxes = Define("box", boxed)

// Rect is a part of a document, in CSS pixels.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Box is the box of the first element of a selector in the page's
// main frame, once it stands still. It returns nil where the driver has to find it: for an element
// that is not visible yet, moves, or has to be scrolled to.
func Box(ctx context.Context, p *browser.Page, sel string) (box *Rect) {
	s, r := p.Direct(), readers.Of(p)
	if s == nil || r.elsewhere(ctx) {
		return nil
	}
	id := acts.Add(1)
	var raw json.RawMessage
	if ok, err := Read(ctx, p, boxes, sel, id, &raw); !ok || err != nil {
		return nil
	}
	if string(raw) == "true" {
		ctx, cancel := context.WithTimeout(ctx, MaxPatience)
		defer cancel()
		if after(ctx, s, r.document.asked(), fmt.Sprintf("this.page.aimed(%d)", id), "", &box) != nil {
			return nil
		}
		return box
	}
	if json.Unmarshal(raw, &box) != nil {
		return nil
	}
	return box
}
