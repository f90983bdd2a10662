// Package marks marks elements for people who watch, in films and pictures.
package marks

import (
	"net/url"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Highlight marks an element, or takes all marks away.
var Highlight = tool.TypedOnPageDo(tool.Record.Acts("highlight", "Highlight",
	"Mark an element for people: in windows, pictures and films; without one: take all marks away").
	OwnAnswers(), highlight)

// Params are the parameters of [Highlight].
type Params struct {
	Sel  tool.Selector `json:"sel,omitempty" doc:"selector"`
	Text string        `json:"text,omitempty" secrets:"no" doc:"a word beside it"`
}

// longestMark is the longest text of a mark, in characters.
const longestMark = 100

// frameWait is how long a frame may take to lose its marks, in milliseconds.
const frameWait = 2000

// highlight draws a mark at the first match of a selector, in the page's top layer.
// Playwright's own highlight shows the selector and takes no text.
func highlight(c *tool.Call, in Params) error {
	switch {
	case in.Sel == "" && in.Text != "":
		return provider.Errorf(provider.KindArgs, "text: a word needs the element that it is for: sel")
	case in.Sel == "":
		return unhighlight(c)
	}
	text := []rune(in.Text)
	if len(text) > longestMark {
		text = append(text[:longestMark-1], '…')
	}
	mark := string(in.Sel) + " >> nth=0 >> ref=!highlight " + url.PathEscape(string(text))
	return c.Attempt(string(in.Sel), func(timeout *float64) error {
		_, err := tool.Frame(c.Page).TextContent(mark, playwright.FrameTextContentOptions{Timeout: timeout})
		return err
	})
}

// unhighlight takes the marks away in all frames. A frame that is gone took its own with it.
func unhighlight(c *tool.Call) error {
	for _, f := range tool.Documents(c.Page) {
		timeout := min(*c.Left(), frameWait)
		_, err := f.TextContent("ref=!unhighlight", playwright.FrameTextContentOptions{Timeout: &timeout})
		if err != nil && f == c.PW.MainFrame() {
			return c.Fail(err, "")
		}
	}
	return nil
}
