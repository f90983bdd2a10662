package devtools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/devtools"
	"pwpipe/internal/script/strictjson"
)

// verb is a method of a script's debugger or editor.
type verb func(c *tool.Call, options json.RawMessage) (any, error)

// asVerb makes a verb of a tool's function: both take the same parameters.
func asVerb[In, Out any](fn func(*tool.Call, In) (Out, error)) verb {
	return func(c *tool.Call, raw json.RawMessage) (any, error) {
		var in In
		if err := strictjson.Decode(raw, &in); err != nil {
			return nil, err
		}
		return fn(c, in)
	}
}

func onDebug[In, Out any](fn func(debugging, In) (Out, error)) verb {
	return asVerb(over(debuggerOf, fn))
}

func onCode[In, Out any](fn func(editing, In) (Out, error)) verb {
	return asVerb(over(editorOf, fn))
}

// verbs are the methods of the objects of createDebugger and createEditor.
var verbs = map[string]verb{
	"enable":        onDebug(silent(func(debugging, tool.NoParams) error { return nil })),
	"setBreakpoint": onDebug(setBreak), "deleteBreakpoint": onDebug(unbreak), "listBreakpoints": onDebug(listBreaks),
	"pause": onDebug(pausePage), "waitForPaused": onDebug(waitForPaused), "getLocation": onDebug(whereIs),
	"scopes": onDebug(locals), "evaluate": onDebug(debugEval), "step": onDebug(step), "resume": onDebug(resume),
	"listScripts": onDebug(listScripts), "setBlackboxPatterns": onDebug(silent(blackbox)), "setPauseOnExceptions": onDebug(silent(onExceptions)),
	"list": onCode(listCode), "search": onCode(searchMatches), "read": onCode(readCode), "edit": onCode(editCode),
}

// searchMatches is searchCode for scripts, which need the places.
func searchMatches(e editing, in searchCodeParams) ([]devtools.Match, error) {
	found, _, err := e.Search(e.ctx, in.Query, in.URL, cmp.Or(in.Limit, 50))
	return found, err
}

// DevtoolsHelper runs a verb: options are {verb, options}.
func DevtoolsHelper(c *tool.Call, o map[string]any) (any, error) {
	name, _ := o["verb"].(string)
	run := verbs[name]
	if run == nil {
		return nil, fmt.Errorf("no %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(verbs)), ", "))
	}
	raw, err := json.Marshal(o["options"])
	if err != nil {
		return nil, err
	}
	return asJSON(run(c, raw))
}

// asJSON is an answer as JSON, or its error.
func asJSON(v any, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(v)
	return json.RawMessage(raw), err
}

type stylesOptions struct {
	Locator  playwright.Locator `json:"locator"`
	Computed []string           `json:"computed"`
	All      bool               `json:"all"`
}

// StylesHelper is getStylesForLocator.
func StylesHelper(c *tool.Call, o stylesOptions) (any, error) {
	return asJSON(styles(c, o.Locator, fmt.Sprint(o.Locator), devtools.StylesOptions{UserAgent: o.All, Computed: o.Computed}))
}

// PlainHelpers are the helpers that answer at once.
func PlainHelpers(s *browser.Session) map[string]func([]any) (any, error) {
	return map[string]func([]any) (any, error){
		"isPaused": func(args []any) (any, error) {
			pw, _ := args[0].(playwright.Page)
			p := s.Find(pw)
			return p != nil && p.IsPaused(), nil
		},
		"formatStylesAsText": func(args []any) (any, error) {
			var styles devtools.Styles
			raw, err := json.Marshal(args[0])
			if err == nil {
				err = json.Unmarshal(raw, &styles)
			}
			if err != nil || styles.Element == "" {
				return nil, fmt.Errorf("formatStylesAsText takes what getStylesForLocator returned")
			}
			return styles.Text(), nil
		},
	}
}

// waitParams are the options of dbg.waitForPaused.
type waitParams struct {
	Timeout float64 `json:"timeout"` // milliseconds
}

// waitForPaused is waitPaused with its own timeout.
func waitForPaused(d debugging, in waitParams) (*devtools.Where, error) {
	ctx, cancel := context.WithTimeout(d.ctx, time.Duration(in.Timeout*float64(time.Millisecond)))
	defer cancel()
	return waitPaused(debugging{ctx, d.Debugger}, tool.NoParams{})
}

type reactOptions struct {
	Locator playwright.Locator `json:"locator"`
}

// ReactHelper is getReactSource.
func ReactHelper(c *tool.Call, o reactOptions) (any, error) {
	return asJSON(reactSource(c, o.Locator, fmt.Sprint(o.Locator)))
}
