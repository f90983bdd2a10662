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

// latestLogs are the last lines of the console: options count and search.
func latestLogs(c *call, o map[string]any) (any, error) {
	search, _ := o["search"].(string)
	count := 100
	switch n := o["count"].(type) {
	case int64:
		count = int(n)
	case float64:
		count = int(n)
	}
	c.logs.mu.Lock()
	defer c.logs.mu.Unlock()
	found := []string{}
	for _, line := range c.logs.lines {
		if strings.Contains(line, search) {
			found = append(found, line)
		}
	}
	return found[max(0, len(found)-count):], nil
}

// waitForLoad waits until the document is loaded and the page's requests have
// been quiet, at most options.timeout (ms, 5000 by default): a page that is
// never quiet is no error.
func waitForLoad(c *call, o map[string]any) (any, error) {
	most := 5000.0
	switch n := o["timeout"].(type) {
	case int64:
		most = float64(n)
	case float64:
		most = n
	}
	timeout := min(most, *c.left())
	begin := time.Now()
	err := c.pw.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateNetworkidle, Timeout: &timeout})
	return map[string]any{"success": err == nil, "waitTimeMs": time.Since(begin).Milliseconds()}, nil
}

// cleaner is a function that writes an element's HTML without what says
// nothing: scripts, styles, comments, hidden parts, attributes of layout.
//
//go:embed clean.js
var cleaner string

// cleanHTML is the HTML of an element, or of the page: options selector or
// locator, and search.
func cleanHTML(c *call, o map[string]any) (any, error) {
	loc, _ := o["locator"].(playwright.Locator)
	if loc == nil {
		sel, _ := o["selector"].(string)
		if sel == "" {
			sel = "html"
		}
		sel, err := c.refs.selector(sel)
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
	search, _ := o["search"].(string)
	if search == "" {
		return html, nil
	}
	var found []string
	for line := range strings.Lines(html) {
		if strings.Contains(line, search) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return strings.Join(found, "\n"), nil
}
