package mcptools

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/files"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/pages"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// tab is a page as answers describe it.
type tab struct {
	pages.Info
	isolated         string // name of its context, "" for none
	status           int
	errors, warnings int
	lines            int
}

// shows adds what the page shows after the call: a changed title or URL, the snapshot, and
// new events.
func (c *call) shows() {
	if c.look.closed {
		return
	}
	m := kept.Of(c.session)
	c.beginAll()
	tabs, current := c.tabsNow()
	wants := c.look.snapshot && c.options.Snapshot != "none" || c.look.whole
	changed := m.changedTabs(tabs)
	if wants || changed {
		if len(tabs) != 1 {
			c.tabs = tabLines(tabs)
		}
		if current != nil {
			c.describe(current)
		}
	}
	if c.modal = m.modalLines(); len(c.modal) > 0 || current == nil {
		return
	}
	p, err := c.session.Page(c.ctx, "")
	if err != nil {
		return
	}
	c.offers = c.offered()
	if wants {
		if err := c.snapshotOf(p); err != nil {
			c.failed(worded(provider.AsError(err)))
		}
		if c.modal = m.modalLines(); len(c.modal) > 0 {
			c.snapshot = nil
			return
		}
	}
	c.tell(p)
}

// describe writes the section about the current page.
func (c *call) describe(t *tab) {
	c.shownPage = []string{"- Page URL: " + t.URL}
	if t.Title != "" {
		c.shownPage = append(c.shownPage, "- Page Title: "+continued(t.Title))
	}
	if t.isolated != "" {
		c.shownPage = append(c.shownPage, "- Isolated context: "+continued(t.isolated))
	}
	if t.status > 0 && (t.status < 200 || t.status > 299) {
		c.shownPage = append(c.shownPage, strings.TrimSpace(fmt.Sprintf("- HTTP status: %d %s", t.status,
			http.StatusText(t.status))))
	}
	if t.errors+t.warnings > 0 {
		c.shownPage = append(c.shownPage, fmt.Sprintf("- Console: %d errors, %d warnings", t.errors, t.warnings))
	}
}

// tabsNow returns the open pages in their order, and the current one.
func (c *call) tabsNow() (tabs []tab, current *tab) {
	if len(c.session.OpenPages()) == 0 {
		return nil, nil
	}
	if kept.Of(c.session).open() != nil { // titles can't be read
		for _, p := range c.session.OpenPages() {
			name, ctx, active := c.session.HandlesOf(p)
			tabs = append(tabs, tab{Info: pages.Info{Page: name, URL: p.PW.URL(), Active: active, Context: ctx,
				Silent: true}})
		}
	} else {
		open, err := pages.List.Call(c.ctx, provider.Request{}, tool.NoParams{})
		if err != nil {
			return nil, nil
		}
		for _, p := range open {
			tabs = append(tabs, tab{Info: p})
		}
	}
	for i := range tabs {
		c.count(&tabs[i])
		tabs[i].isolated = kept.Of(c.session).isolatedAs(tabs[i].Context)
		if tabs[i].Active {
			current = &tabs[i]
		}
	}
	return tabs, current
}

// tabLines lists pages, a line each.
func tabLines(tabs []tab) (lines []string) {
	if len(tabs) == 0 {
		return []string{"No open tabs. Navigate to a URL to create one."}
	}
	for i, t := range tabs {
		current := ""
		if t.Active {
			current = " (current)"
		}
		line := fmt.Sprintf("- %d:%s [%s](%s)", i, current, continued(t.Title), t.URL)
		if t.isolated != "" {
			line += " [isolatedContext: " + continued(t.isolated) + "]"
		}
		lines = append(lines, line)
	}
	return lines
}

// changedTabs keeps the pages as they are now, and reports whether they changed since the last
// answer. A page whose title can't be read now (it is busy, or has a dialog) keeps the title of the
// last answer.
func (m *memory) changedTabs(now []tab) (changed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.tabs
	m.tabs = map[string]tab{}
	for i := range now {
		t := &now[i]
		before, ok := old[t.Page]
		if !ok {
			before = tab{Info: pages.Info{Page: t.Page, Title: "about:blank", URL: "about:blank"}}
		}
		if t.Silent && t.URL == before.URL {
			t.Title, t.Opener, t.Silent = before.Title, before.Opener, before.Silent
		}
		m.tabs[t.Page] = *t
		changed = changed || before != *t
	}
	return changed
}

// count adds the numbers of console lines, and the HTTP status of the document.
func (c *call) count(t *tab) {
	lines := c.console(t.Page, false)
	t.lines = len(lines)
	t.errors, t.warnings = severe(lines)
	at, _, _ := strings.Cut(t.URL, "#")
	for _, e := range c.recorded(t.Page, 0, events.EventResponse) {
		if from, _, _ := strings.Cut(e.URL, "#"); e.Type == "document" && from == at {
			t.status = e.Status
		}
	}
}

// navigates notes that the page is sent to a URL: browser_network_requests lists requests from here.
func (m *memory) navigates(p *browser.Page) {
	m.leaves(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[p.Name] = m.since[p.Name]
}

// leaves notes that a page leaves its document: the events from here belong to the next one.
func (m *memory) leaves(p *browser.Page) {
	newest := events.Recorded.Of(p.Session).Newest()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.since[p.Name] = newest
	delete(m.logs, p.Name)
}

// onPage runs fn, which reads a page, under the policy and until the call's deadline.
func onPage[T any](c *call, p *browser.Page, fn func() (T, error)) (T, error) {
	return withPage(c, p, provider.Reads, fn)
}

// withPage is onPage for an fn that may act.
func withPage[T any](c *call, p *browser.Page, effect provider.Effect, fn func() (T, error)) (T, error) {
	return guard.Guarded(c.ctx, p, effect, "", func() (T, error) {
		if effect == provider.Acts {
			events.MarkActs(p)
			p.BeforeAct(c.ctx)
		}
		return browser.Await(c.ctx, p.Engine, p, fn)
	})
}

// snapshotOf takes the snapshot for the answer. A dialog that opens ends the wait.
func (c *call) snapshotOf(p *browser.Page) error {
	text, err := c.tree(p, c.look.target, c.look.depth, c.look.boxes || !c.look.whole && c.options.Boxes)
	if err != nil || kept.Of(c.session).open() != nil {
		return err
	}
	text = c.hide(text)
	text = c.offers + text
	c.outline = text
	if c.look.file == "" && (c.look.whole && c.options.Output != "file" || c.options.Output == "stdout") {
		if c.look.target == "" && c.look.depth == nil {
			text = folded(text)
		}
		c.snapshot, c.yaml = []string{text}, true
		return nil
	}
	path, shown, err := c.file(c.look.file, "page", "yml")
	if err != nil {
		return err
	}
	if err := files.WritePrivate(path, []byte(text)); err != nil {
		return err
	}
	c.snapshot = []string{fmt.Sprintf("- [Snapshot](%s)", shown)}
	return nil
}

// bodiless answers documents without a body, such as an SVG file: why nothing in it can be told, if so.
var bodiless = fastpath.Define("bodiless", `() => document.body || document.readyState === 'loading' ? undefined :
	document.documentElement ? '' : 'the document has no root element'`)

// tree takes Playwright's own snapshot of a page, or of an element.
func (c *call) tree(p *browser.Page, target string, depth *int, boxes bool) (text string, err error) {
	if target == "" {
		var why string
		if ok, _ := fastpath.Read(c.ctx, p, bodiless, "", nil, &why); ok { // Playwright would wait for a body
			if why != "" {
				return "- text: " + why, nil
			}
			target = ":root"
		}
	}
	opened := kept.Of(c.session).changes()
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	own := *c
	own.ctx = ctx
	type outcome struct {
		text string
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		text, err := onPage(&own, p, func() (string, error) {
			if target != "" {
				return p.PW.Locator(target).AriaSnapshot(playwright.LocatorAriaSnapshotOptions{
					Mode: playwright.AriaSnapshotModeAi, Depth: depth, Boxes: &boxes})
			}
			return p.PW.AriaSnapshot(playwright.PageAriaSnapshotOptions{
				Mode: playwright.AriaSnapshotModeAi, Depth: depth, Boxes: &boxes})
		})
		done <- outcome{text, err}
	}()
	select {
	case o := <-done:
		return focused(o.text), o.err
	case <-opened:
		return "", nil
	}
}

// tell adds the events since the last answer: console lines and downloads.
func (c *call) tell(p *browser.Page) {
	fastpath.CatchUp(p)
	if line := c.logged(p); line != "" {
		c.events = append(c.events, "- New console entries:"+line)
	}
	m := kept.Of(c.session)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.downloads {
		line := "- Downloading file " + continued(d.name) + " ..."
		if d.path != "" {
			line = fmt.Sprintf("- Downloaded file %s to %q", continued(d.name), c.shown(d.path))
		}
		c.events = append(c.events, line)
	}
	m.downloads = nil
}
