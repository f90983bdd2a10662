package service

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/read"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// PageTools go to pages, read them and act on them. Most are second names of tools.
func PageTools() []*provider.Tool {
	goTo := tool.RPC.Second("page.goto", "Go to", "Go to a URL and wait until it has loaded").Within(45 * time.Second)
	reload := tool.RPC.Second("page.reload", "Reload", "Reload the page").Within(45 * time.Second)
	until := provider.As{Param: "waitUntil", Default: "networkidle"}
	sel := tool.As("sel", "selector")
	return []*provider.Tool{
		tool.Alias(goTo, "nav", tool.Answer(locationOf), tool.As("url", ""), until),
		tool.OnPage(tool.RPC.Waits("page.waitFor", "Wait", "Wait for a load state, or for a time").
			Within(45*time.Second), waitFor),
		tool.Alias(reload, "reload", tool.Answer(locationOf), until),
		tool.OnPage(tool.RPC.Reads("page.text", "Visible text", "Get the visible text of an element").Direct(), pageText),
		tool.OnPage(tool.RPC.Reads("page.content", "HTML", "Get the HTML of the page as it is now"), content),
		tool.Alias(tool.RPC.Second("page.evaluate", "Evaluate", "Evaluate JavaScript in the page"),
			"eval", tool.Answer(evaluated), provider.As{Param: "code", Name: "expression",
				Doc: "expression, in which arg is the argument, or a function to call with it"},
			provider.As{Param: "arg", Default: "null"}),
		tool.Alias(tool.RPC.Second("page.click", "Click", "Click an element"),
			"rclick", provider.Always(ok), sel,
			provider.As{Param: "button", Default: "left"},
			provider.As{Param: "keys", Name: "modifiers", Doc: "keys held: Alt, Control, ControlOrMeta, Meta, Shift"}),
		tool.Alias(tool.RPC.Second("page.fill", "Fill", "Fill an input field"),
			"fill", provider.Always(ok), sel, tool.As("val", "value")),
		tool.Alias(tool.RPC.Second("page.press", "Press a key", "Press a key on an element"),
			"press", provider.Always(ok),
			provider.As{Param: "sel", Name: "selector", Doc: "selector", Required: true},
			provider.As{Param: "key", Doc: "key, such as Enter or Control+a"}),
	}
}

// location is where a navigation ended.
type location struct {
	URL   string `json:"url" doc:"of the page now"`
	Title string `json:"title" doc:"of the page now"`
}

// locationOf is the page's URL and title.
func locationOf(c *tool.Call, _ any, _ provider.None) (location, error) {
	title, err := c.PW.Title()
	return location{c.PW.URL(), title}, c.Fail(err, "")
}

type evaluation struct {
	Result json.RawMessage `json:"result" doc:"its JSON value"`
}

func evaluated(_ *tool.Call, _ any, value json.RawMessage) (evaluation, error) {
	return evaluation{value}, nil
}

type waitForParams struct {
	State string `json:"state" secrets:"no" doc:"load state, or idleFor to let ms pass" enum:"load,domcontentloaded,networkidle,idleFor"`
	MS    *int   `json:"ms,omitempty" doc:"milliseconds for idleFor, 1000 if left out" min:"0" max:"600000"`
}

type stateResult struct {
	State string `json:"state" own:"yes" doc:"as asked"`
}

// waitFor is page.waitForLoadState, or a pause.
func waitFor(c *tool.Call, in waitForParams) (stateResult, error) {
	done := stateResult{in.State}
	switch in.State {
	case "idleFor":
		pause := time.Second
		if in.MS != nil {
			pause = time.Duration(*in.MS) * time.Millisecond
		}
		return done, c.Pause(pause)
	case "networkidle":
		return done, c.NetworkIdle()
	}
	err := loadstate.Loaded(c.Ctx, c.Page, playwright.LoadState(in.State), c.TimeLeft())
	return done, c.Fail(err, "")
}

type textParams struct {
	Selector  tool.Selector `json:"selector,omitempty" doc:"selector" default:"body"`
	MaxChars  int           `json:"maxChars,omitempty" doc:"longest text, in characters; max does the same" default:"90000" min:"1" max:"1000000"`
	Normalize bool          `json:"normalize,omitempty" doc:"take out carriage returns, spaces at ends of lines and runs of empty lines" default:"true"`
}

type textResult struct {
	Text string `json:"text" doc:"visible text"`
	remainder
	Fallback string `json:"fallback,omitempty" doc:"why this is the text of the whole page instead"`
}

// fallbackTime is what remains for the text of the whole page.
const fallbackTime = 1500 * time.Millisecond

// pageText is read.VisibleText. If no element of the selector can be read, it returns the
// text of the page, and why.
func pageText(c *tool.Call, in textParams) (textResult, error) {
	sel := string(in.Selector)
	var out textResult
	var err error
	if out.Text, err = read.VisibleText(c.Sparing(fallbackTime), sel); err != nil {
		var e *provider.Error
		if in.Selector == "body" || !errors.As(err, &e) || e.Kind == provider.KindArgs || c.Ctx.Err() != nil {
			return out, err
		}
		out.Fallback = e.Error()
		v, err := c.PW.Evaluate("() => document.body ? document.body.innerText : ''")
		if err != nil {
			return textResult{}, c.Fail(err, "")
		}
		out.Text, _ = v.(string)
	}
	if in.Normalize {
		out.Text = normalize(out.Text)
	}
	out.Text, out.remainder = cut(c, out.Text, in.MaxChars)
	return out, nil
}

// remainder says how to read on after a text was cut.
type remainder struct {
	Left   int    `json:"left,omitempty" doc:"characters that follow"`
	Cursor string `json:"cursor,omitempty" own:"yes" doc:"what the tool more takes to go on"`
}

// cut bounds a text by the tool's own parameter, 0 for none, and the request's max.
func cut(c *tool.Call, text string, maxChars int) (string, remainder) {
	if m := provider.RequestFrom(c.Ctx).Max; m > 0 && (maxChars == 0 || m < maxChars) {
		maxChars = m
	}
	p := provider.Cut(c.Ctx, text, maxChars)
	return p.Text, remainder{p.Left, p.Cursor}
}

var (
	reLineEnds = regexp.MustCompile(`[ \t]+\n`)
	reGaps     = regexp.MustCompile(`\n{3,}`)
)

// normalize removes carriage returns, spaces at ends of lines, and runs of empty lines.
func normalize(s string) string {
	s = strings.ReplaceAll(s, "\r", "")
	s = reGaps.ReplaceAllString(reLineEnds.ReplaceAllString(s, "\n"), "\n\n")
	return strings.TrimSpace(s)
}

type htmlResult struct {
	HTML string `json:"html" doc:"of the document"`
	remainder
}

// content is page.content.
func content(c *tool.Call, _ tool.NoParams) (htmlResult, error) {
	html, err := c.PW.Content()
	out := htmlResult{}
	out.HTML, out.remainder = cut(c, html, 0)
	return out, c.Fail(err, "")
}
