package handlers

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func rpcPageTools() []*provider.Tool {
	goto_ := RPC.Acts("page.goto", "Go to", "Go to a URL and wait until it has loaded").Within(45 * time.Second)
	return []*provider.Tool{
		onPage(goto_, rpcGoto),
		onPage(RPC.Waits("page.waitFor", "Wait", "Wait for a load state, or for a time").Within(45*time.Second), rpcWaitFor),
		onPage(RPC.Acts("page.reload", "Reload", "Reload the page").Within(45*time.Second), rpcReload),
		onPage(RPC.Reads("page.text", "Visible text", "Get the visible text of an element"), rpcText),
		onPage(RPC.Reads("page.content", "HTML", "Get the HTML of the page as it is now"), rpcContent),
		onPage(RPC.Acts("page.evaluate", "Evaluate", "Evaluate JavaScript in the page"), rpcEvaluate),
		onPage(RPC.Acts("page.click", "Click", "Click an element"), rpcClick),
		onPage(RPC.Acts("page.fill", "Fill", "Fill an input field"), rpcFill),
		onPage(RPC.Acts("page.press", "Press a key", "Press a key on an element"), rpcPress),
	}
}

// at is where a navigation ended.
type at struct {
	URL   string `json:"url" doc:"of the page now"`
	Title string `json:"title" doc:"of the page now"`
}

// here is the page's URL and title.
func (c *call) here() (at, error) {
	title, err := c.pw.Title()
	return at{c.pw.URL(), title}, c.fail(err, "")
}

type gotoParams struct {
	URL       URL    `json:"url" doc:"absolute, or relative to the base URL"`
	WaitUntil string `json:"waitUntil,omitempty" doc:"when it counts as loaded" enum:"load,domcontentloaded,networkidle,commit" default:"networkidle"`
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
func rpcGoto(c *call, in gotoParams) (at, error) {
	if err := c.navigateTo(string(in.URL), reachState(in.WaitUntil)); err != nil {
		return at{}, err
	}
	return c.arrived(in.WaitUntil)
}

// arrived waits for the network where that was asked for.
func (c *call) arrived(until string) (at, error) {
	if until == "networkidle" {
		if err := c.networkIdle(); err != nil {
			return at{}, err
		}
	}
	return c.here()
}

type reloadParams struct {
	WaitUntil string `json:"waitUntil,omitempty" doc:"when it counts as loaded" enum:"load,domcontentloaded,networkidle,commit" default:"networkidle"`
}

// rpcReload is page.reload.
func rpcReload(c *call, in reloadParams) (at, error) {
	defer c.stopLoadingIfCancelled()()
	c.awaitErrorPage(c.ctx)
	if _, err := c.pw.Reload(playwright.PageReloadOptions{WaitUntil: reachState(in.WaitUntil), Timeout: c.left()}); err != nil {
		return at{}, c.navError(err, c.pw.URL())
	}
	return c.arrived(in.WaitUntil)
}

type waitForParams struct {
	State string `json:"state" secrets:"no" doc:"load state, or idleFor to let ms pass" enum:"load,domcontentloaded,networkidle,idleFor"`
	MS    *int   `json:"ms,omitempty" doc:"milliseconds for idleFor, 1000 if left out" min:"0" max:"600000"`
}

type stateResult struct {
	State string `json:"state" own:"yes" doc:"as asked"`
}

// rpcWaitFor is page.waitForLoadState, or a pause.
func rpcWaitFor(c *call, in waitForParams) (stateResult, error) {
	if in.State == "idleFor" {
		pause := time.Second
		if in.MS != nil {
			pause = time.Duration(*in.MS) * time.Millisecond
		}
		select {
		case <-time.After(pause):
		case <-c.ctx.Done():
			return stateResult{}, c.ctx.Err()
		}
		return stateResult{in.State}, nil
	}
	if in.State == "networkidle" {
		return stateResult{in.State}, c.networkIdle()
	}
	err := c.loaded(c.ctx, c.pw.MainFrame(), playwright.LoadState(in.State), c.within())
	return stateResult{in.State}, c.fail(err, "")
}

type rpcTextParams struct {
	Selector  Selector `json:"selector,omitempty" doc:"selector" default:"body"`
	MaxChars  int      `json:"maxChars,omitempty" doc:"longest text, in characters; max does the same" default:"90000" min:"1" max:"1000000"`
	Normalize bool     `json:"normalize,omitempty" doc:"take out carriage returns, spaces at ends of lines and runs of empty lines" default:"true"`
}

type textResult struct {
	Text string `json:"text" doc:"visible text"`
	rest
	// Fallback says why the text is that of the whole page.
	Fallback string `json:"fallback,omitempty" doc:"why this is the text of the whole page instead"`
}

// rpcText is locator.innerText. Where no element of that selector can be read,
// the text is the page's, and says so.
func rpcText(c *call, in rpcTextParams) (textResult, error) {
	sel := string(in.Selector)
	var out textResult
	err := c.attempt(sel, func(timeout *float64) (err error) {
		out.Text, err = c.pw.Locator(sel).First().InnerText(playwright.LocatorInnerTextOptions{Timeout: timeout})
		return err
	})
	if err != nil {
		var e *provider.Error
		if in.Selector == "body" || !errors.As(err, &e) || e.Kind == provider.KindArgs || c.ctx.Err() != nil {
			return out, err
		}
		out.Fallback = e.Error()
		v, err := c.pw.Evaluate("() => document.body ? document.body.innerText : ''")
		if err != nil {
			return textResult{}, c.fail(err, "")
		}
		out.Text, _ = v.(string)
	}
	if in.Normalize {
		out.Text = normalize(out.Text)
	}
	out.Text, out.rest = c.cut(out.Text, in.MaxChars)
	return out, nil
}

// rest is what follows a text that was cut, as in a reply that is cut.
type rest struct {
	Left   int    `json:"left,omitempty" doc:"characters that follow"`
	Cursor string `json:"cursor,omitempty" own:"yes" doc:"what the tool more takes to go on"`
}

// cut bounds a text by the tool's own parameter, 0 for none, and the request's
// max.
func (c *call) cut(text string, most int) (string, rest) {
	if m := provider.RequestFrom(c.ctx).Max; m > 0 && (most == 0 || m < most) {
		most = m
	}
	p := provider.Cut(c.ctx, text, most)
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
func rpcContent(c *call, _ noParams) (htmlResult, error) {
	html, err := c.pw.Content()
	out := htmlResult{}
	out.HTML, out.rest = c.cut(html, 0)
	return out, c.fail(err, "")
}

type evaluateParams struct {
	Expression string          `json:"expression" doc:"expression, in which arg is the argument, or a function to call with it"`
	Arg        json.RawMessage `json:"arg,omitempty" doc:"any JSON"`
}

type evaluateResult struct {
	Result json.RawMessage `json:"result" doc:"its JSON value"`
}

// rpcEvaluate is page.evaluate.
func rpcEvaluate(c *call, in evaluateParams) (evaluateResult, error) {
	arg := in.Arg
	if len(arg) == 0 {
		arg = json.RawMessage("null")
	}
	code := fmt.Sprintf("() => { const arg = %s; const value = (%s\n); return typeof value === 'function' ? value(arg) : value }", jsLiteral(arg), in.Expression)
	raw, err := c.evaluate(code, nil)
	return evaluateResult{raw}, err
}

// jsLiteral is JSON as part of a script.
func jsLiteral(raw json.RawMessage) string {
	return strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(raw))
}

type clickParams struct {
	Selector  Selector `json:"selector" doc:"selector"`
	Button    string   `json:"button,omitempty" doc:"mouse button" enum:"left,right,middle" default:"left"`
	Modifiers []string `json:"modifiers,omitempty" doc:"keys held: Alt, Control, ControlOrMeta, Meta, Shift"`
}

// rpcClick is locator.click.
func rpcClick(c *call, in clickParams) (okResult, error) {
	sel := string(in.Selector)
	var keys []playwright.KeyboardModifier
	for _, m := range in.Modifiers {
		switch m {
		case "Alt", "Control", "ControlOrMeta", "Meta", "Shift":
			keys = append(keys, playwright.KeyboardModifier(m))
		default:
			return okResult{}, provider.Errorf(provider.KindArgs, "modifiers: expected Alt, Control, ControlOrMeta, Meta or Shift, got %q", m)
		}
	}
	if err := c.mayUse(in.Button); err != nil {
		return okResult{}, err
	}
	button := playwright.MouseButton(in.Button)
	return ok, c.once(sel, func(timeout *float64, trial bool) error {
		return c.pw.Locator(sel).First().Click(playwright.LocatorClickOptions{Button: &button, Modifiers: keys, Timeout: timeout, Trial: &trial})
	})
}

type rpcFillParams struct {
	Selector Selector `json:"selector" doc:"selector"`
	Value    string   `json:"value" doc:"text"`
}

// rpcFill is locator.fill.
func rpcFill(c *call, in rpcFillParams) (okResult, error) {
	sel := string(in.Selector)
	return ok, c.attempt(sel, func(timeout *float64) error {
		return c.pw.Locator(sel).First().Fill(in.Value, playwright.LocatorFillOptions{Timeout: timeout})
	})
}

type rpcPressParams struct {
	Selector Selector `json:"selector" doc:"selector"`
	Key      string   `json:"key" doc:"key, such as Enter or Control+a"`
}

// rpcPress is locator.press.
func rpcPress(c *call, in rpcPressParams) (okResult, error) {
	sel := string(in.Selector)
	if err := checkKey(in.Key); err != nil {
		return okResult{}, err
	}
	return ok, c.attempt(sel, func(timeout *float64) error {
		field := c.pw.Locator(sel).First()
		return c.pressed(in.Key, func() error { return field.Focus(playwright.LocatorFocusOptions{Timeout: timeout}) }, func() error {
			return field.Press(in.Key, playwright.LocatorPressOptions{Timeout: timeout})
		})
	})
}
