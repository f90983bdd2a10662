package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/read"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// PageTools go to pages, read them and act on them.
func PageTools() []*provider.Tool {
	goto_ := tool.RPC.Acts("page.goto", "Go to", "Go to a URL and wait until it has loaded").Within(45 * time.Second)
	return []*provider.Tool{
		tool.OnPage(goto_, rpcGoto),
		tool.OnPage(tool.RPC.Waits("page.waitFor", "Wait", "Wait for a load state, or for a time").Within(45*time.Second), rpcWaitFor),
		tool.OnPage(tool.RPC.Acts("page.reload", "Reload", "Reload the page").Within(45*time.Second), rpcReload),
		tool.OnPage(tool.RPC.Reads("page.text", "Visible text", "Get the visible text of an element").Direct(), rpcText),
		tool.OnPage(tool.RPC.Reads("page.content", "HTML", "Get the HTML of the page as it is now"), rpcContent),
		tool.OnPage(tool.RPC.Acts("page.evaluate", "Evaluate", "Evaluate JavaScript in the page"), rpcEvaluate),
		tool.OnPage(tool.RPC.Acts("page.click", "Click", "Click an element"), rpcClick),
		tool.OnPage(tool.RPC.Acts("page.fill", "Fill", "Fill an input field"), rpcFill),
		tool.OnPage(tool.RPC.Acts("page.press", "Press a key", "Press a key on an element"), rpcPress),
	}
}

// at is where a navigation ended.
type at struct {
	URL   string `json:"url" doc:"of the page now"`
	Title string `json:"title" doc:"of the page now"`
}

// here is the page's URL and title.
func here(c *tool.Call) (at, error) {
	title, err := c.PW.Title()
	return at{c.PW.URL(), title}, c.Fail(err, "")
}

type gotoParams struct {
	URL       tool.URL `json:"url" doc:"absolute, or relative to the base URL"`
	WaitUntil string   `json:"waitUntil,omitempty" doc:"when it counts as loaded" enum:"load,domcontentloaded,networkidle,commit" default:"networkidle"`
}

// reachState is what Playwright is to wait for; the network is ours to wait for.
func reachState(s string) *playwright.WaitUntilState {
	state := playwright.WaitUntilState(s)
	if s == "networkidle" {
		state = "load"
	}
	return &state
}

// rpcGoto is page.goto.
func rpcGoto(c *tool.Call, in gotoParams) (at, error) {
	if err := c.NavigateTo(string(in.URL), reachState(in.WaitUntil)); err != nil {
		return at{}, err
	}
	return arrived(c, in.WaitUntil)
}

// arrived waits for the network where that was asked for.
func arrived(c *tool.Call, until string) (at, error) {
	if until == "networkidle" {
		if err := c.NetworkIdle(); err != nil {
			return at{}, err
		}
	}
	return here(c)
}

type reloadParams struct {
	WaitUntil string `json:"waitUntil,omitempty" doc:"when it counts as loaded" enum:"load,domcontentloaded,networkidle,commit" default:"networkidle"`
}

// rpcReload is page.reload.
func rpcReload(c *tool.Call, in reloadParams) (at, error) {
	defer c.StopLoadingIfCancelled()()
	if err := c.Reload(reachState(in.WaitUntil)); err != nil {
		return at{}, c.NavError(err, c.PW.URL())
	}
	return arrived(c, in.WaitUntil)
}

type waitForParams struct {
	State string `json:"state" secrets:"no" doc:"load state, or idleFor to let ms pass" enum:"load,domcontentloaded,networkidle,idleFor"`
	MS    *int   `json:"ms,omitempty" doc:"milliseconds for idleFor, 1000 if left out" min:"0" max:"600000"`
}

type stateResult struct {
	State string `json:"state" own:"yes" doc:"as asked"`
}

// rpcWaitFor is page.waitForLoadState, or a pause.
func rpcWaitFor(c *tool.Call, in waitForParams) (stateResult, error) {
	if in.State == "idleFor" {
		pause := time.Second
		if in.MS != nil {
			pause = time.Duration(*in.MS) * time.Millisecond
		}
		select {
		case <-time.After(pause):
		case <-c.Ctx.Done():
			return stateResult{}, c.Ctx.Err()
		}
		return stateResult{in.State}, nil
	}
	if in.State == "networkidle" {
		return stateResult{in.State}, c.NetworkIdle()
	}
	err := loadstate.Loaded(c.Ctx, c.Page, c.PW.MainFrame(), playwright.LoadState(in.State), c.TimeLeft())
	return stateResult{in.State}, c.Fail(err, "")
}

type rpcTextParams struct {
	Selector  tool.Selector `json:"selector,omitempty" doc:"selector" default:"body"`
	MaxChars  int           `json:"maxChars,omitempty" doc:"longest text, in characters; max does the same" default:"90000" min:"1" max:"1000000"`
	Normalize bool          `json:"normalize,omitempty" doc:"take out carriage returns, spaces at ends of lines and runs of empty lines" default:"true"`
}

type textResult struct {
	Text string `json:"text" doc:"visible text"`
	rest
	// Fallback says why the text is that of the whole page.
	Fallback string `json:"fallback,omitempty" doc:"why this is the text of the whole page instead"`
}

// fallbackTime is kept for the text of the whole page.
const fallbackTime = 1500 * time.Millisecond

// rpcText is read.VisibleText. Where no element of that selector can be read, it
// returns the text of the page, and says so.
func rpcText(c *tool.Call, in rpcTextParams) (textResult, error) {
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
	out.Text, out.rest = cut(c, out.Text, in.MaxChars)
	return out, nil
}

// rest is what follows a text that was cut, as in a reply that is cut.
type rest struct {
	Left   int    `json:"left,omitempty" doc:"characters that follow"`
	Cursor string `json:"cursor,omitempty" own:"yes" doc:"what the tool more takes to go on"`
}

// cut bounds a text by the tool's own parameter, 0 for none, and the request's
// max.
func cut(c *tool.Call, text string, most int) (string, rest) {
	if m := provider.RequestFrom(c.Ctx).Max; m > 0 && (most == 0 || m < most) {
		most = m
	}
	p := provider.Cut(c.Ctx, text, most)
	return p.Text, rest{p.Left, p.Cursor}
}

var (
	reLineEnds = regexp.MustCompile(`[ \t]+\n`)
	reGaps     = regexp.MustCompile(`\n{3,}`)
)

// normalize takes out what has no meaning in text.
func normalize(s string) string {
	s = strings.ReplaceAll(s, "\r", "")
	s = reGaps.ReplaceAllString(reLineEnds.ReplaceAllString(s, "\n"), "\n\n")
	return strings.TrimSpace(s)
}

type htmlResult struct {
	HTML string `json:"html" doc:"of the document"`
	rest
}

// rpcContent is page.content.
func rpcContent(c *tool.Call, _ tool.NoParams) (htmlResult, error) {
	html, err := c.PW.Content()
	out := htmlResult{}
	out.HTML, out.rest = cut(c, html, 0)
	return out, c.Fail(err, "")
}

type evaluateParams struct {
	Expression string          `json:"expression" doc:"expression, in which arg is the argument, or a function to call with it"`
	Arg        json.RawMessage `json:"arg,omitempty" doc:"any JSON"`
}

type evaluateResult struct {
	Result json.RawMessage `json:"result" doc:"its JSON value"`
}

// rpcEvaluate is page.evaluate.
func rpcEvaluate(c *tool.Call, in evaluateParams) (evaluateResult, error) {
	arg := in.Arg
	if len(arg) == 0 {
		arg = json.RawMessage("null")
	}
	code := fmt.Sprintf("() => { const arg = %s; const value = (%s\n); return typeof value === 'function' ? value(arg) : value }", jsLiteral(arg), in.Expression)
	raw, err := c.Evaluate(code, nil)
	return evaluateResult{raw}, err
}

// jsLiteral is JSON as part of a script.
func jsLiteral(raw json.RawMessage) string {
	return strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(raw))
}

type clickParams struct {
	Selector  tool.Selector `json:"selector" doc:"selector"`
	Button    string        `json:"button,omitempty" doc:"mouse button" enum:"left,right,middle" default:"left"`
	Modifiers []string      `json:"modifiers,omitempty" doc:"keys held: Alt, Control, ControlOrMeta, Meta, Shift"`
}

func rpcClick(c *tool.Call, in clickParams) (okResult, error) {
	held, err := tool.Modifiers("modifiers", in.Modifiers)
	if err != nil {
		return okResult{}, err
	}
	return ok, act.ClickWith(c, string(in.Selector), in.Button, held, 1)
}

type rpcFillParams struct {
	Selector tool.Selector `json:"selector" doc:"selector"`
	Value    string        `json:"value" doc:"text"`
}

func rpcFill(c *tool.Call, in rpcFillParams) (okResult, error) {
	return ok, act.Fill(c, string(in.Selector), in.Value)
}

type rpcPressParams struct {
	Selector tool.Selector `json:"selector" doc:"selector"`
	Key      string        `json:"key" doc:"key, such as Enter or Control+a"`
}

func rpcPress(c *tool.Call, in rpcPressParams) (okResult, error) {
	if err := tool.CheckKey(in.Key); err != nil {
		return okResult{}, err
	}
	return ok, act.Press(c, string(in.Selector), in.Key)
}
