package scripts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pwpipe/features/devtools"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/handlers/agent"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

const executeDoc = "Run Playwright JavaScript; a last expression or return is the result. In scope: page, context, " +
	"state (kept), $('e5') = page.locator of a ref, expect, console, fetch, require, accessibilitySnapshot({selector}), " +
	"getCleanHTML({selector}), waitForPageLoad(), getLatestLogs({search}), screenshotWithAccessibilityLabels(). " +
	"Says what happened (dialog, error) and what changed of the outline, all of a new page's. " +
	"Limits: 30 s a script, 10 s an element. Debugger, editor, styles, React: tool help, about execute"

// executeMore is what the tool help adds: names that scripts need rarely.
const executeMore = `More in scope: getCDPSession({page}), showAriaRefLabels({interactiveOnly}), hideAriaRefLabels();
createDebugger({cdp}): setBreakpoint({file, line, condition}), waitForPaused({timeout}), inspectLocalVariables(),
  evaluate({expression}), stepOver(), stepInto(), stepOut(), resume(), listScripts({search}), setPauseOnExceptions({state}) …
createEditor({cdp}): list({search}), search({query}), read({url}), edit({url, oldString, newString})
getStylesForLocator({locator}), formatStylesAsText(styles), getReactSource({locator})
require: path, url, util, buffer, assert, events, stream, zlib, crypto, os, fs, http, https, playwright.
An expect waits 5 s, navigation and waitFor… as long as the script has (timeout, seconds).
A snapshot folds lists of more than 12 like items only beyond its budget; search looks through all of them.`

// earlyHooks has the process of scripts started with a session's first page; where
// the tools that are listed have none, with the first after scripts have run and
// the session was reset.
var earlyHooks = browser.Hooks{Page: func(p *browser.Page) {
	if p.Session.Browser.Config.Scripts.Early || HasRun(p.Session) {
		go Prepare(p, helpers)
	}
}}

// helpers are the functions that scripts have beside Playwright's.
var helpers = Helpers{Named: withDevtools(agent.Helpers()), Plain: devtools.PlainHelpers}

func withDevtools(named map[string]func(*tool.Call, map[string]any) (any, error)) map[string]Helper {
	all := map[string]Helper{"devtools": devtools.DevtoolsHelper, "getStylesForLocator": agent.WithOptions(devtools.StylesHelper),
		"getReactSource": agent.WithOptions(devtools.ReactHelper)}
	for name, helper := range named {
		all[name] = helper
	}
	return all
}

// Execute runs a script.
var Execute = provider.Typed[ExecuteParams, Executed]{Tool: executeTool()}

// Tools run scripts.
func Tools() []*provider.Tool { return []*provider.Tool{Execute.Tool} }

func executeTool() *provider.Tool {
	spec := tool.Agent.Acts("execute", "Execute", executeDoc).Scripting()
	spec.More = executeMore
	return tool.OnReadyPage(spec, Fetch, execute)
}

// ExecuteParams are the parameters of [Execute].
type ExecuteParams struct {
	Code    string `json:"code" doc:"e.g. await $('e5').click(); await $('e5').dragTo($('e9'))"`
	Outline string `json:"outline,omitempty" doc:"default diff" enum:"diff,whole,none"`
}

// Executed is what a script answered.
type Executed struct {
	Result  json.RawMessage   `json:"result,omitempty" doc:"value, as JSON; nothing for undefined"`
	Console []scripthost.Line `json:"console,omitempty" doc:"lines that the script wrote"`
	Outline string            `json:"outline,omitempty" doc:"the page after the script, or what changed of it"`
	Images  []provider.Image  `json:"images,omitempty" doc:"pictures among the values"`
}

// Content shows the console's lines, the result and the pictures:
// provider.Content.
func (e Executed) Content() (string, []provider.Image) {
	text := consoleText(e.Console)
	var s *string
	if json.Unmarshal(e.Result, &s) == nil && s != nil && *s != "" {
		text += *s
	} else {
		text += string(e.Result) // "" and null as JSON has them, undefined not at all
	}
	text = strings.TrimRight(text, "\n")
	if e.Outline != "" {
		text = strings.TrimLeft(text+"\n"+e.Outline, "\n")
	}
	if text == "" && len(e.Images) == 0 {
		text = "ok"
	}
	return text, e.Images
}

func consoleText(lines []scripthost.Line) string {
	var b strings.Builder
	for _, l := range lines {
		if l.Level != "log" {
			b.WriteString("[" + l.Level + "] ")
		}
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// execute runs a script. What it had written to the console before it failed
// is part of the error.
func execute(c *tool.Call, in ExecuteParams) (Executed, error) {
	// The script's own deadline comes a little before the request's, so that
	// what it printed can be answered.
	ctx := c.Ctx
	if deadline, ok := ctx.Deadline(); ok {
		d := time.Until(deadline)
		short, cancel := context.WithTimeout(ctx, d-min(d/10, 250*time.Millisecond))
		defer cancel()
		ctx = short
	}
	res, err := Run(ctx, c, helpers, in.Code)
	fastpath.Ahead(c.Session)
	if err != nil {
		return Executed{}, scriptError(c, err, res.Console)
	}
	agent.Ran(c.Page, res.Went, res.Clicked)
	out := bounded(ctx, Executed{Result: res.Value, Console: res.Console})
	for _, img := range res.Images {
		answer, err := tool.Answered(img, c.Session.Browser.Config.MaxImage)
		if err != nil {
			return Executed{}, err
		}
		out.Images = append(out.Images, answer)
	}
	r := provider.RequestFrom(c.Ctx)
	if look := r.Outline; look != "" && look != "none" && !r.IsFollowed() && !c.IsPaused() {
		if out.Outline, err = agent.AfterScript(c, look == "diff"); err != nil {
			out.Outline = "(no outline: " + err.Error() + ")" // the script did run
		}
	}
	return out, nil
}

// maxAnswered is how much a script answers over MCP where max does not say, in characters.
const maxAnswered = 20_000

// bounded cuts what a script printed and answered, for a model whose call
// does not say how much; the tool more has the rest.
func bounded(ctx context.Context, out Executed) Executed {
	if r := provider.RequestFrom(ctx); r.Max > 0 || !r.Tell {
		return out
	}
	if console := provider.Cut(ctx, consoleText(out.Console), maxAnswered); console.Cursor != "" {
		out.Console = []scripthost.Line{{Level: "log", Text: console.ForPeople()}}
	}
	text := string(out.Result)
	if s := ""; json.Unmarshal(out.Result, &s) == nil && s != "" {
		text = s
	}
	if result := provider.Cut(ctx, text, maxAnswered); result.Cursor != "" {
		out.Result, _ = json.Marshal(result.ForPeople())
	}
	return out
}

// scriptError words what a script ended with.
func scriptError(c *tool.Call, err error, console []scripthost.Line) error {
	at := c.Where()
	e := &provider.Error{Kind: provider.KindFailed, Page: at.Page, URL: at.URL, Err: err, Log: consoleText(console)}
	var failure *scripthost.Failure
	switch {
	case errors.Is(err, context.Canceled) && c.Ctx.Err() != nil:
		return c.Ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind = provider.KindTimeout
		e.Msg = fmt.Sprintf("the script did not end within %s on %s and was stopped", pwerrors.Seconds(provider.RequestFrom(c.Ctx).Deadline), at)
		e.Hint = "await every promise; give more time with timeout"
		if c.IsPaused() {
			e.Hint = "the page is paused in the debugger and answers nothing else; dbg.resume() or debug-resume lets it go on"
		}
	case errors.As(err, &failure):
		if stale := refs.AsStale(c.Page, failure.Msg); stale != nil {
			e.Msg, e.Hint = stale.Msg, stale.Hint
			break
		}
		head, log := pwerrors.SplitLog(failure.Msg)
		f := *failure
		f.Msg = shortStrict(c.Hide(head), c.Short)
		if failure.Name == "TimeoutError" && log != "" {
			f.Msg += " " + strings.TrimPrefix(pwerrors.FirstLine(log), "- ")
		}
		e.Msg = f.Error()
		e.Log += log
		switch {
		case strings.Contains(head, "blocked: "):
			e.Kind = provider.KindBlocked
		case strings.Contains(head, "the script met its limit"):
			e.Kind = provider.KindTimeout
		case strings.Contains(head, "over a limit: "):
			e.Kind = provider.KindLimit
		}
	default:
		e.Msg = err.Error()
	}
	if errors.Is(err, scripthost.ErrDeaf) {
		e.Msg += "; it is in a step that can't be interrupted: if it stays there, the next script gets a fresh process and an empty state"
	}
	if len(console) > 0 {
		e.Msg += "; console: " + c.Short(strings.TrimSpace(consoleText(console)), 2000)
	}
	return e
}
