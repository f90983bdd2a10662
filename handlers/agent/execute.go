package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/inspect"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/scripts"
	"pwpipe/handlers/tool"
	"pwpipe/internal/script/scripthost"
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

// Hooks has the process of scripts started with a session's first page; where
// the tools that are listed have none, with the first after scripts have run and
// the session was reset.
var Hooks = browser.Hooks{Page: func(p *browser.Page) {
	if p.Session.Browser.Config.Scripts.Early || scripts.HasRun(p.Session) {
		go scripts.Prepare(p, helpersOfScripts)
	}
}}

// helpersOfScripts are the functions that scripts have beside Playwright's.
var helpersOfScripts = scripts.Helpers{
	Named: map[string]scripts.Helper{
		"accessibilitySnapshot": withOptions(snapshotHelper), "screenshotWithAccessibilityLabels": withOptions(labelledHelper),
		"showAriaRefLabels": withOptions(showLabels), "hideAriaRefLabels": withOptions(hideLabels),
		"leaving": withOptions(leaving), "waitForPageLoad": withOptions(waitForLoad), "getLatestLogs": withOptions(latestLogs), "getCleanHTML": withOptions(cleanHTML),
		"devtools": inspect.DevtoolsHelper, "getStylesForLocator": withOptions(inspect.StylesHelper), "getReactSource": withOptions(inspect.ReactHelper),
	},
	Plain: inspect.PlainHelpers,
}

func executeTool() *provider.Tool {
	spec := tool.Agent.Acts("execute", "Execute", executeDoc).Scripting()
	spec.More = executeMore
	return tool.OnReadyPage(spec, scripts.Fetch, execute)
}

// secondNames are what the agent tools are called in the design that they follow. Lists leave them out; their
// timeout is in milliseconds.
func secondNames() []*provider.Tool {
	second := func(name, title, doc, of string, params ...provider.As) *provider.Tool {
		spec := provider.Spec(tool.Agent.Second(name, title, doc))
		spec.TimeoutUnit = time.Millisecond
		return provider.AliasOf(spec, provider.Alias{Of: of, Params: params, Deprecated: true})
	}
	return []*provider.Tool{
		second("browser_execute", "Execute", "Run Playwright JavaScript, by another name", "execute",
			provider.As{Param: "code"}),
		second("browser_search_snapshot", "Search", "Find lines of the snapshot, by another name", "search",
			provider.As{Param: "pattern"}, provider.As{Param: "ignoreCase"}, provider.As{Param: "lineLimit"}),
	}
}

type executeParams struct {
	Code    string `json:"code" doc:"e.g. await $('e5').click(); await page.title()"`
	Outline string `json:"outline,omitempty" doc:"default diff" enum:"diff,whole,none"`
}

// executed is what a script answered.
type executed struct {
	Result  json.RawMessage   `json:"result,omitempty" doc:"value, as JSON; nothing for undefined"`
	Console []scripthost.Line `json:"console,omitempty" doc:"lines that the script wrote"`
	Outline string            `json:"outline,omitempty" doc:"the page after the script, or what changed of it"`
	Images  []provider.Image  `json:"images,omitempty" doc:"pictures among the values"`
}

// Content shows the console's lines, the result and the pictures:
// provider.Content.
func (e executed) Content() (string, []provider.Image) {
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
func execute(c *tool.Call, in executeParams) (executed, error) {
	// The script's own deadline comes a little before the request's, so that
	// what it printed can be answered.
	ctx := c.Ctx
	if deadline, ok := ctx.Deadline(); ok {
		d := time.Until(deadline)
		short, cancel := context.WithTimeout(ctx, d-min(d/10, 250*time.Millisecond))
		defer cancel()
		ctx = short
	}
	res, err := scripts.Run(ctx, c, helpersOfScripts, in.Code)
	fastpath.Ahead(c.Session)
	if err != nil {
		return executed{}, scriptError(c, err, res.Console)
	}
	view := seen.Of(c.Page)
	view.mu.Lock()
	view.went = res.Went
	view.mu.Unlock()
	out := bounded(ctx, executed{Result: res.Value, Console: res.Console})
	for _, img := range res.Images {
		answer, err := tool.Answered(img, c.Session.Browser.Config.MaxImage)
		if err != nil {
			return executed{}, err
		}
		out.Images = append(out.Images, answer)
	}
	r := provider.RequestFrom(c.Ctx)
	if look := r.Outline; look != "" && look != "none" && !r.IsFollowed() && !c.IsPaused() {
		if out.Outline, err = takeSnapshot(c, snapshotParams{Diff: look == "diff"}); err != nil {
			out.Outline = "(no outline: " + err.Error() + ")" // the script did run
		}
	}
	return out, nil
}

// maxAnswered is how much a script answers over MCP where max does not say, in characters.
const maxAnswered = 20_000

// bounded cuts what a script printed and answered, for a model whose call
// does not say how much; the tool more has the rest.
func bounded(ctx context.Context, out executed) executed {
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
		f.Msg = head
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

func snapshotHelper(c *tool.Call, in snapshotParams) (any, error) {
	if in.Selector != "" {
		sel, err := refs.Named.Of(c.Page).Selector(string(in.Selector))
		if err != nil {
			return nil, err
		}
		in.Selector = tool.Selector(sel)
	}
	text, err := takeSnapshot(c, in)
	if err != nil {
		return nil, err
	}
	piece := provider.Cut(c.Ctx, text, in.Max)
	piece.By = "accessibilitySnapshot"
	return piece.ForPeople(), nil
}

// labelOptions are the options of helpers that draw labels.
type labelOptions struct {
	InteractiveOnly *bool `json:"interactiveOnly"` // false adds pictures
}

func (o labelOptions) pictures() bool { return o.InteractiveOnly != nil && !*o.InteractiveOnly }

func labelledHelper(c *tool.Call, o labelOptions) (any, error) {
	_, root, err := drawLabels(c, o.pictures())
	if err != nil {
		return nil, err
	}
	data, err := capture(c, screenshotParams{}, playwright.ScreenshotTypePng, nil)
	if err != nil {
		return nil, err
	}
	return map[string]any{"image": data, "snapshot": shown(c, root)}, nil
}

func showLabels(c *tool.Call, o labelOptions) (any, error) {
	labels, root, err := drawLabels(c, o.pictures())
	if err != nil {
		return nil, err
	}
	return map[string]any{"labelCount": len(labels), "labels": labels, "snapshot": shown(c, root)}, nil
}

func hideLabels(c *tool.Call, _ tool.NoParams) (any, error) {
	unlabel(c)
	return true, nil
}

// resetSession closes the contexts, forgets the script state and opens a
// clean page.
func resetSession(ctx context.Context, s *browser.Session, _ tool.NoParams) (string, error) {
	s.Reset(ctx)
	e, err := s.Running(ctx)
	if err != nil {
		return "", err
	}
	if s.Borrows() { // those tabs are there still, and not clean
		c, _, err := s.NewContext(ctx, e)
		if err != nil {
			return "", err
		}
		p, err := s.NewPage(ctx, e, c)
		if err != nil {
			return "", err
		}
		err = s.Use(ctx, p.Name)
		return p.Name, err
	}
	p, err := s.Page(ctx, "")
	if err != nil {
		return "", err
	}
	return p.Where().Page, nil
}
