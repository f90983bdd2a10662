package mcptools

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/files"
)

// levels lists the levels of console lines, the most severe first.
var levels = []string{"error", "warning", "info", "debug"}

// levelOf returns the level of a line.
func levelOf(e events.Event) string {
	switch {
	case e.Kind == events.EventPageError || e.Type == "error" || e.Type == "assert":
		return "error"
	case e.Type == "warning":
		return "warning"
	case slices.Contains([]string{"clear", "debug", "endGroup", "profile", "profileEnd", "startGroup",
		"startGroupCollapsed", "trace"}, e.Type):
		return "debug"
	}
	return "info"
}

// shownAt reports whether a line is shown at a level: the lines of the level, and more severe ones.
func shownAt(level string, e events.Event) bool {
	return slices.Index(levels, levelOf(e)) <= slices.Index(levels, cmp.Or(level, "info"))
}

// consoleLine writes a line as Playwright MCP does, with further lines indented.
func consoleLine(e events.Event) string {
	if e.Kind == events.EventPageError {
		return continued(cmp.Or(e.Stack, e.Text))
	}
	return continued(fmt.Sprintf("[%s] %s @ %s:%d", strings.ToUpper(e.Type), e.Text, e.URL, max(0, e.Line-1)))
}

// console returns the lines of a page's console: of its document, or of earlier ones too.
func (c *call) console(page string, all bool) []events.Event {
	from := int64(0)
	if m := kept.Of(c.session); !all {
		m.mu.Lock()
		from = m.since[page]
		m.mu.Unlock()
	}
	return c.recorded(page, from, events.EventConsole, events.EventPageError)
}

// recorded returns the events of a page after the event from.
func (c *call) recorded(page string, from int64, kinds ...string) []events.Event {
	list := events.Recorded.Of(c.session).Since(from, kinds...)
	return slices.DeleteFunc(list, func(e events.Event) bool { return e.Page != page })
}

// severe counts the errors and warnings among lines of the console.
func severe(lines []events.Event) (errors, warnings int) {
	for _, e := range lines {
		switch {
		case e.Kind == events.EventPageError || e.Type == "error":
			errors++
		case e.Type == "warning":
			warnings++
		}
	}
	return errors, warnings
}

// consoleLog is the file with the console lines of a document.
type consoleLog struct {
	path    string
	newest  int64 // the last event that was written
	lines   int
	started time.Time
}

// logged appends new console lines to the file of the page's document. It returns their place,
// such as console.log#L3-L5, or "" if there are none. With --output-mode=stdout it returns the
// lines.
func (c *call) logged(p *browser.Page) string {
	m := kept.Of(c.session)
	m.mu.Lock()
	defer m.mu.Unlock()
	log := m.logs[p.Name]
	if log == nil {
		log = &consoleLog{newest: m.since[p.Name], started: time.Now()}
		m.logs[p.Name] = log
	}
	var text strings.Builder
	if m.reset == p.Name {
		m.reset = ""
		fmt.Fprintf(&text, "[%8dms] Page crashed and was reset to about:blank.\n", 0)
	}
	for _, e := range c.recorded(p.Name, log.newest, events.EventConsole, events.EventPageError) {
		log.newest = e.Seq
		if shownAt(c.options.Console, e) {
			fmt.Fprintf(&text, "[%8dms] %s\n", max(0, e.Time.Sub(log.started).Milliseconds()), c.hide(consoleLine(e)))
		}
	}
	if text.Len() == 0 {
		return ""
	}
	if c.options.Output == "stdout" {
		return "\n" + strings.TrimSuffix(text.String(), "\n")
	}
	if log.path == "" {
		path, _, err := c.file("", "console", "log")
		if err != nil {
			return ""
		}
		log.path = path
	}
	before, _ := os.ReadFile(log.path)
	if files.WritePrivate(log.path, append(before, text.String()...)) != nil {
		return ""
	}
	first := log.lines + 1
	log.lines += strings.Count(text.String(), "\n")
	if first == log.lines {
		return fmt.Sprintf(" %s#L%d", c.relative(log.path), first)
	}
	return fmt.Sprintf(" %s#L%d-L%d", c.relative(log.path), first, log.lines)
}

type consoleParams struct {
	Level    string `json:"level,omitempty" doc:"lowest" enum:"error,warning,info,debug" default:"info"`
	All      bool   `json:"all,omitempty" doc:"earlier documents too"`
	Filename string `json:"filename,omitempty" doc:"filename"`
}

func consoleMessages(c *call, in consoleParams) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	all := c.console(p.Name, in.All)
	errors, warnings := severe(all)
	head := []string{fmt.Sprintf("Total messages: %d (Errors: %d, Warnings: %d)", len(all), errors,
		warnings)}
	var lines []string
	for _, e := range all {
		if shownAt(in.Level, e) {
			lines = append(lines, consoleLine(e))
		}
	}
	if len(lines) != len(all) {
		head = append(head, fmt.Sprintf("Returning %d messages for level %q", len(lines), in.Level))
	}
	text := strings.Join(append(append(head, ""), lines...), "\n")
	return c.orSave("Console", text, in.Filename, "console", "log")
}
