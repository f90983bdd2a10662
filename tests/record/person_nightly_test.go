//go:build evidence

package record_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pwpipe/internal/pipetest"
)

// answers waits for a dialog, and answers it.
func (p *person) answers(accept bool, text string) {
	p.t.Helper()
	pipetest.Eventually(p.t, "a dialog", func() bool {
		ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Second)
		defer cancel()
		return p.page.Call(ctx, "Page.handleJavaScriptDialog", pipetest.Object{"accept": accept, "promptText": text}, nil) == nil
	})
}

// chooses has the browser's file dialog end with files.
func (p *person) chooses(css string, files ...string) {
	p.t.Helper()
	var r struct{ Result struct{ ObjectID string } }
	p.call(p.page, "Runtime.evaluate", pipetest.Object{"expression": element(css, "")}, &r)
	p.call(p.page, "DOM.setFileInputFiles", pipetest.Object{"files": files, "objectId": r.Result.ObjectID}, nil)
}

// bar clicks an item of the recorder's bar.
func (p *person) bar(title string) {
	p.t.Helper()
	pipetest.Eventually(p.t, title+" in the bar", func() bool {
		id := p.inBar(title)
		var box struct{ Model struct{ Content []float64 } }
		if id == 0 || p.page.Call(p.t.Context(), "DOM.getBoxModel", pipetest.Object{"nodeId": id}, &box) != nil || len(box.Model.Content) < 6 {
			return false
		}
		c := box.Model.Content
		for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
			p.call(p.page, "Input.dispatchMouseEvent", pipetest.Object{"type": kind, "x": (c[0] + c[4]) / 2, "y": (c[1] + c[5]) / 2,
				"button": "left", "clickCount": 1}, nil)
		}
		return true
	})
}

// picking waits until the recorder takes the next click for a pick, or does no longer.
func (p *person) picking(is bool) {
	p.t.Helper()
	pipetest.Eventually(p.t, fmt.Sprintf("picking: %v", is), func() bool {
		var document struct{ Root node }
		p.call(p.page, "DOM.getDocument", pipetest.Object{"depth": -1, "pierce": true}, &document)
		return document.Root.any(func(n node) bool {
			class := " " + n.attribute("class") + " "
			return strings.HasPrefix(n.attribute("title"), "Assert") && strings.Contains(class, " toggled ")
		}) == is
	})
}
