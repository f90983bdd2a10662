package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/refs"
)

// About is what an element is known by. It stands beside a recorded request, so that a
// replay can find the element that it became.
type About struct {
	Tag         string `json:"tag"`
	Role        string `json:"role,omitempty"`
	Type        string `json:"type,omitempty"` // of an input
	TestID      string `json:"testid,omitempty"`
	Name        string `json:"name,omitempty"` // accessible
	Label       string `json:"label,omitempty"`
	Placeholder string `json:"placeholder,omitempty"`
	Text        string `json:"text,omitempty"`
	ID          string `json:"id,omitempty"`
	Attr        string `json:"attr,omitempty"` // its attribute name
	Within      string `json:"within,omitempty"`
	Heading     string `json:"heading,omitempty"`
	Before      string `json:"before,omitempty"`
	After       string `json:"after,omitempty"`
	Same        int    `json:"same,omitempty"` // elements of its role and name
	// Src is what a frame shows: the path, and the origin where that is another.
	Src string `json:"src,omitempty"`
	// Frames are those around the element, from the page on.
	Frames []About `json:"frames,omitempty"`
}

// Line is a recorded request, in the order in which its members stand in a script.
type Line struct {
	ID      int             `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
	Page    string          `json:"page,omitempty"`
	Timeout float64         `json:"timeout,omitempty"`
	Note    string          `json:"note,omitempty"` // what a replay needs
	// Element is what the elements of its selectors were, by the parameter's name, for a
	// replay that repairs.
	Element map[string]About `json:"element,omitempty"`
}

// Write writes the line, with its end. What could steer a terminal is escaped.
func (l Line) Write(w io.Writer) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return err
	}
	_, err := io.WriteString(w, reSteers.ReplaceAllStringFunc(b.String(), func(s string) string {
		r, _ := utf8.DecodeRuneInString(s)
		return fmt.Sprintf(`\u%04x`, r)
	}))
	return err
}

// reSteers finds what JSON leaves as it is: control characters, and what turns the
// direction of the text.
var reSteers = regexp.MustCompile("[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

// about describes the first element of a selector, if there is one now.
func (c *Call) Describe(sel string) (about About, found bool) {
	if mask := c.Session.Browser.Config.Mask; mask != nil && mask(sel) != sel {
		return about, false
	}
	texts, err := browser.Await(c.Ctx, c.Engine, c.Page, func() ([]string, error) {
		return described(Frame(c.Page), sel)
	})
	if err != nil || len(texts) == 0 {
		return about, false
	}
	list := make([]About, len(texts))
	for i, text := range texts {
		if json.Unmarshal([]byte(c.Hide(text)), &list[i]) != nil {
			return about, false
		}
	}
	about = list[len(list)-1]
	about.Frames = list[:len(list)-1]
	return about, true
}

// described asks the engine of refs about the first element of a selector, and about the
// frames around it, which come first.
func described(f playwright.Frame, sel string) ([]string, error) {
	e, err := f.QuerySelector(sel)
	if err != nil || e == nil {
		return nil, err
	}
	defer func() { _ = e.Dispose() }()
	if way, _ := refs.InFrame(sel); way != "" {
		return answersOf(f, e, "about")
	}
	text, err := TextOf(e.QuerySelector("ref=!about"))
	return []string{text}, err
}

// textOf is the text of what the engine of refs answered, "" for none.
func TextOf(answer playwright.ElementHandle, err error) (string, error) {
	if err != nil || answer == nil {
		return "", err
	}
	defer func() { _ = answer.Dispose() }()
	return answer.TextContent()
}

// Standing is a selector that stands by itself for the first element of another: unique
// in the frame where selectors are looked up, whatever refs the other has.
func (c *Call) Standing(sel string) (standing string, err error) {
	err = c.Attempt(sel, func(timeout *float64) error {
		f := Frame(c.Page)
		e, err := f.WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
			State: playwright.WaitForSelectorStateAttached, Timeout: timeout})
		if err != nil {
			return err
		}
		parts, err := answersOf(f, e, "standing")
		for i := range parts {
			parts[i] = refs.Public(parts[i])
		}
		standing = strings.Join(parts, refs.EnterFrame)
		return err
	})
	return standing, err
}

// generated is Generated in the page's main frame. Where nothing matches, the driver is asked.
var generated = fastpath.Define("generated", `(page, sel, testId) => {
	const element = page.one(sel);
	return element ? page.injected.generateSelector(element, { testIdAttributeName: testId }).selector : undefined;
}`)

// Generated is what Playwright's generator of selectors writes for the first element of
// another selector in frame f of page p, from the page's main frame; "" where nothing matches now.
// testID is the attribute of test ids.
func Generated(ctx context.Context, p *browser.Page, f playwright.Frame, sel, testID string) (made string, err error) {
	if f == p.PW.MainFrame() {
		if ok, err := fastpath.Read(ctx, p, generated, sel, testID, &made); ok || err != nil {
			return made, err
		}
	}
	e, err := f.QuerySelector(sel)
	if err != nil || e == nil {
		return "", err
	}
	parts, err := answersOf(f.Page().MainFrame(), e, "generated "+testID)
	return strings.Join(parts, refs.EnterFrame), err
}

// answersOf asks the engine of refs something about an element, and about the frames
// around it up to f. The outermost comes first.
func answersOf(f playwright.Frame, e playwright.ElementHandle, verb string) (parts []string, err error) {
	for {
		made, err := TextOf(e.QuerySelector("ref=!" + verb))
		if err != nil {
			return nil, err
		}
		parts = append([]string{made}, parts...)
		of, err := e.OwnerFrame()
		if err != nil || of == nil || of == f || of.ParentFrame() == nil {
			return parts, err
		}
		if e, err = of.FrameElement(); err != nil {
			return nil, err
		}
	}
}
