package handlers

import (
	_ "embed"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// maxLogs is how many lines of a page's console are kept.
const maxLogs = 5000

// pageLogs are the last lines of a page's console, and its errors.
type pageLogs struct {
	once  sync.Once
	mu    sync.Mutex
	lines []string
}

// watchLogs begins to keep the page's console. It listens only on pages that
// scripts use.
func (p *page) watchLogs() {
	p.logs.once.Do(func() {
		p.pw.OnConsole(func(m playwright.ConsoleMessage) { p.logs.add("[" + m.Type() + "] " + m.Text()) })
		p.pw.OnPageError(func(err error) { p.logs.add("[pageerror] " + firstLine(cleanMessage(err))) })
	})
}

func (l *pageLogs) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines = append(l.lines, line); len(l.lines) > maxLogs {
		l.lines = append([]string(nil), l.lines[len(l.lines)-maxLogs:]...)
	}
}

type logsOptions struct {
	Count  *int  `json:"count"`
	Search lines `json:"search"`
}

// latestLogs are the last lines of the console, 100 unless told otherwise.
func latestLogs(c *call, o logsOptions) (any, error) {
	count := 100
	if o.Count != nil {
		count = max(0, *o.Count)
	}
	c.logs.mu.Lock()
	defer c.logs.mu.Unlock()
	found := o.Search.of(c.logs.lines)
	return found[max(0, len(found)-count):], nil
}

type loadOptions struct {
	Timeout float64 `json:"timeout"` // milliseconds, 5000 by default
}

// waitForLoad waits until the document is loaded and the page's requests have
// been quiet, or for as long as the options say: a page that is never quiet is
// no error.
func waitForLoad(c *call, o loadOptions) (any, error) {
	if o.Timeout <= 0 {
		o.Timeout = 5000
	}
	timeout := min(o.Timeout, *c.left())
	begin := time.Now()
	err := c.pw.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateNetworkidle, Timeout: &timeout})
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
	Search   lines              `json:"search"`
}

// cleanHTML is the HTML of an element, or of the page, or the lines of it that
// the options search for.
func cleanHTML(c *call, o cleanOptions) (any, error) {
	loc := o.Locator
	if loc == nil {
		if o.Selector == "" {
			o.Selector = "html"
		}
		sel, err := c.refs.selector(o.Selector)
		if err != nil {
			return nil, err
		}
		loc = c.pw.Locator(sel).First()
	}
	v, err := loc.Evaluate(cleaner, nil, playwright.LocatorEvaluateOptions{Timeout: c.left()})
	if err != nil {
		return nil, c.fail(err, "")
	}
	html, _ := v.(string)
	if o.Search.all() {
		return html, nil
	}
	found := o.Search.of(strings.Split(html, "\n"))
	for i, line := range found {
		found[i] = strings.TrimSpace(line)
	}
	return strings.Join(found, "\n"), nil
}
