// Package reach finds text without a selector, and waits for it.
package reach

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// Tools find visible texts, and click at points.
func Tools() []*provider.Tool {
	const doc = "Where the visible elements with a text are, in frames and shadow roots too"
	return []*provider.Tool{
		tool.OnPage(tool.Reach.Reads("find", "Find text", doc).Direct(), findText),
		tool.Alias(tool.Reach.Second("click-at", "Click at a point", "Click at a point of the viewport, such as a centre that find answered"),
			"mouse-click", nil, provider.As{Param: "x", Doc: "CSS pixels from the left edge of the viewport"},
			provider.As{Param: "y", Doc: "CSS pixels from its top edge"},
			provider.As{Param: "scroll", Fixed: json.RawMessage("true")}),
		tool.Alias(tool.MCP.Second("browser_find_text", "Find text", doc), "find", nil),
	}
}

type findParams struct {
	Text  string `json:"text" doc:"ignoring case unless exact"`
	Exact bool   `json:"exact,omitempty" doc:"the whole text" default:"false"`
}

// findResult says where a text was found. Coordinates are CSS pixels of the
// page's viewport, as click-at takes them.
type findResult struct {
	Matches []match `json:"matches" doc:"at most 1000, in the order of the document, the main frame first"`
	Count   int     `json:"count" doc:"how many there are"`
}

type match struct {
	Text    string  `json:"text" doc:"the text found"`
	Context *string `json:"context" doc:"up to 100 characters around it, null if there is no more"`
	TagName string  `json:"tagName" doc:"the element's tag, in lower case"`
	Box     textBox `json:"boundingBox" doc:"of the element"`
	Center  point   `json:"center" doc:"where to click"`
}

type textBox struct {
	X      int `json:"x" doc:"left edge"`
	Y      int `json:"y" doc:"top edge"`
	Width  int `json:"width" doc:"width"`
	Height int `json:"height" doc:"height"`
}

type point struct {
	X int `json:"x" doc:"from the left"`
	Y int `json:"y" doc:"from the top"`
}

// findScript walks the text nodes of one frame.
//
//go:embed findtext.js
var findScript string

var findMatches = fastpath.Define("find", "(page, sel, asked) => ("+findScript+")(asked)")

// maxMatches bounds a reply.
const maxMatches = 1000

// findText walks every frame of the page.
func findText(c *tool.Call, in findParams) (findResult, error) {
	if in.Text == "" {
		return findResult{}, provider.Errorf(provider.KindArgs, `text: expected some text, got ""`)
	}
	out := findResult{Matches: []match{}}
	main := c.PW.MainFrame()
	if err := findIn(c, main, in, &out); err != nil {
		return out, c.Fail(err, "")
	}
	for _, f := range tool.Documents(c.Page) {
		if f != main {
			_ = findIn(c, f, in, &out) // a frame that is gone by now is no error
		}
		if c.Ctx.Err() != nil {
			return out, c.Ctx.Err()
		}
	}
	return out, nil
}

func findIn(c *tool.Call, f playwright.Frame, in findParams, out *findResult) error {
	dx, dy, visible, err := frameOffset(f)
	if err != nil || !visible {
		return err
	}
	asked := map[string]any{"text": in.Text, "exact": in.Exact, "most": maxMatches}
	var text string
	if f.ParentFrame() != nil || !c.DirectOnPage(findMatches, "", asked, &text) {
		v, err := f.Evaluate(findScript, asked)
		if err != nil {
			return err
		}
		text, _ = v.(string)
	}
	var got struct {
		Count int `json:"count"`
		Found []struct {
			match
			Rect [4]float64 `json:"box"`
		} `json:"found"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return fmt.Errorf("the page broke the search: %w", err)
	}
	out.Count += got.Count
	for _, m := range got.Found {
		if len(out.Matches) == maxMatches {
			break
		}
		x, y, w, h := m.Rect[0]+dx, m.Rect[1]+dy, m.Rect[2], m.Rect[3]
		if m.Context != nil {
			short := secrets.Cut(c.Hide(*m.Context), 100)
			m.Context = &short
		}
		m.Box = textBox{round(x), round(y), round(w), round(h)}
		m.Center = point{round(x + w/2), round(y + h/2)}
		out.Matches = append(out.Matches, m.match)
	}
	return nil
}

func round(f float64) int { return int(math.Round(f)) }

// frameOffset is where a frame's content begins in the page's viewport, if the frame is
// visible.
func frameOffset(f playwright.Frame) (x, y float64, visible bool, err error) {
	for f.ParentFrame() != nil {
		el, err := f.FrameElement()
		if err != nil {
			return 0, 0, false, err
		}
		v, err := el.Evaluate(`el => {
			const r = el.getBoundingClientRect(), s = getComputedStyle(el);
			if (!r.width || !r.height || s.visibility !== "visible") return "";
			return JSON.stringify([r.x + el.clientLeft + parseFloat(s.paddingLeft), r.y + el.clientTop + parseFloat(s.paddingTop)]);
		}`)
		_ = el.Dispose()
		var at [2]float64
		if s, _ := v.(string); err != nil || s == "" || json.Unmarshal([]byte(s), &at) != nil {
			return 0, 0, false, err
		}
		x, y, f = x+at[0], y+at[1], f.ParentFrame()
	}
	return x, y, true, nil
}
