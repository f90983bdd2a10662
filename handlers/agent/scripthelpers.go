package agent

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
)

type logsOptions struct {
	Count  *int   `json:"count"`
	Search search `json:"search"`
}

// latestLogs are the last lines of the page's console, and its errors, 100
// unless told otherwise, as far back as the session keeps them.
func latestLogs(c *tool.Call, o logsOptions) (any, error) {
	count := 100
	if o.Count != nil {
		count = max(0, *o.Count)
	}
	found := []string{}
	fastpath.CatchUp(c.Page)
	for _, e := range events.Recorded.Of(c.Session).Since(0, events.EventConsole, events.EventPageError) {
		line := "[" + e.Type + "] " + e.Text
		if e.Kind == events.EventPageError {
			line = "[pageerror] " + pwerrors.FirstLine(e.Text)
		}
		if e.Page == c.Name && o.Search.match(line) {
			found = append(found, line)
		}
	}
	return found[max(0, len(found)-count):], nil
}

type loadOptions struct {
	Timeout float64 `json:"timeout"` // milliseconds, 5000 by default
}

// waitForLoad waits until the document is loaded and the page's requests have
// been quiet, or for as long as the options say: a page that is never quiet is
// no error.
func waitForLoad(c *tool.Call, o loadOptions) (any, error) {
	if o.Timeout <= 0 {
		o.Timeout = 5000
	}
	begin := time.Now()
	fastpath.CatchUp(c.Page)
	within := min(time.Duration(o.Timeout*float64(time.Millisecond)), c.TimeLeft())
	err := loadstate.Loaded(c.Ctx, c.Page, *playwright.LoadStateLoad, within)
	if err == nil {
		// Not the load state: it is about the document's first moment without
		// requests, however long ago.
		ctx, cancel := context.WithTimeout(c.Ctx, within-time.Since(begin))
		defer cancel()
		err = loadstate.Busy.Of(c.Page).Idle(ctx, time.Time{}, false)
	}
	return map[string]any{"success": err == nil, "waitTimeMs": time.Since(begin).Milliseconds()}, nil
}

// cleaner is a function that writes an element's HTML without what says
// nothing: scripts, styles, comments, hidden parts, attributes of layout.
//
//go:embed clean.js
var cleaner string

type cleanOptions struct {
	Locator  playwright.Locator `json:"locator"`
	Selector string             `json:"selector"`
	Search   search             `json:"search"`
}

// cleanHTML is the HTML of an element, or of the page, or the lines of it that
// the options search for.
func cleanHTML(c *tool.Call, o cleanOptions) (any, error) {
	loc := o.Locator
	if loc == nil {
		if o.Selector == "" {
			o.Selector = "html"
		}
		sel, err := refs.Named.Of(c.Page).Selector(o.Selector)
		if err != nil {
			return nil, err
		}
		loc = c.PW.Locator(sel).First()
	}
	v, err := loc.Evaluate(cleaner, nil, playwright.LocatorEvaluateOptions{Timeout: c.Left()})
	if err != nil {
		return nil, c.Fail(err, "")
	}
	html, _ := v.(string)
	if o.Search == "" {
		return html, nil
	}
	var found []string
	for line := range strings.SplitSeq(html, "\n") {
		if o.Search.match(line) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return strings.Join(found, "\n"), nil
}
