package devtools

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pwpipe/internal/text/secrets"
)

// Where says where the page is.
type Where struct {
	State     string   `json:"state" own:"yes" doc:"paused, running, or pausing: at the next statement"`
	Reason    string   `json:"reason,omitempty" own:"yes" doc:"why it paused: breakpoint, step, exception, …"`
	Hit       []string `json:"hit,omitempty" own:"yes" doc:"breakpoints that it met"`
	Exception any      `json:"exception,omitempty" doc:"what was thrown"`
	Function  string   `json:"function,omitempty" doc:"name; empty at the top level"`
	URL       string   `json:"url,omitempty" doc:"address of the script"`
	Line      int      `json:"line,omitempty" doc:"from 1"`
	Column    int      `json:"column,omitempty" doc:"from 1"`
	Original  string   `json:"original,omitempty" doc:"source:line:column, where the script has a source map"`
	Returns   any      `json:"returns,omitempty" doc:"value about to be returned"`
	Source    string   `json:"source,omitempty" doc:"lines around, > marks where"`
	Stack     []Frame  `json:"stack,omitempty" doc:"calls, innermost first"`
}

// Frame is a running call.
type Frame struct {
	Function string `json:"function" doc:"name"`
	URL      string `json:"url" doc:"script"`
	Line     int    `json:"line" doc:"from 1"`
	Column   int    `json:"column" doc:"from 1"`
}

// String is the place as a short text: "app.js:12:5, in add".
func (w *Where) String() string {
	s := Location{URL: w.URL, Line: w.Line, Column: w.Column}.String()
	if w.URL == "" {
		s = "a script without a URL" + s
	}
	if w.Function != "" {
		s += ", in " + w.Function
	}
	return s
}

// Location answers where the page is, with the lines around it.
func (d *Debugger) Location(ctx context.Context) (*Where, error) {
	p, armed, _ := d.pauses.state()
	switch {
	case p != nil:
	case armed:
		return &Where{State: "pausing"}, nil
	default:
		return &Where{State: "running"}, nil
	}
	w := d.where(p)
	d.illustrate(ctx, w, p.CallFrames[0].Location.ScriptID)
	return w, ctx.Err()
}

// illustrate adds the lines around the place, and their source.
func (d *Debugger) illustrate(ctx context.Context, w *Where, script string) {
	first, mapURL := 1, ""
	if s := d.scripts.script(script); s != nil {
		first, mapURL = s.Line, s.mapURL
	}
	if text, err := d.source(ctx, script); err == nil {
		w.Source = d.page.excerpt(text, first, w.Line, w.Column)
	}
	if mapURL == "" {
		return
	}
	short, cancel := context.WithTimeout(ctx, busyTime)
	defer cancel()
	if file, line, column, ok := d.maps.original(short, Location{URL: w.URL, Line: w.Line, Column: w.Column}, mapURL); ok {
		w.Original = fmt.Sprintf("%s:%d:%d", file, line, column)
	}
}

// maxStack is the number of calls that are shown.
const maxStack = 20

// where describes a pause, without the source.
func (d *Debugger) where(p *pause) *Where {
	w := &Where{State: "paused", Reason: reason(p), Hit: d.scripts.hit(p.HitBreakpoints)}
	if p.Reason == "exception" || p.Reason == "promiseRejection" {
		w.Exception = d.page.preview(&p.Data)
	}
	for i, f := range p.CallFrames {
		l := d.scripts.location(f.Location)
		if l.URL == "" {
			l.URL = f.URL
		}
		if i == 0 {
			w.Function, w.URL, w.Line, w.Column = f.FunctionName, l.URL, l.Line, l.Column
			if f.ReturnValue != nil && f.ReturnValue.Type != "undefined" {
				w.Returns = d.page.preview(f.ReturnValue)
			}
		}
		if i < maxStack {
			w.Stack = append(w.Stack, Frame{f.FunctionName, l.URL, l.Line, l.Column})
		}
	}
	return w
}

func reason(p *pause) string {
	switch {
	case len(p.HitBreakpoints) > 0:
		return "breakpoint"
	case p.asked:
		return "pause"
	case p.stepped:
		return "step"
	case p.Reason == "other", p.Reason == "ambiguous":
		return "debugger statement"
	case p.Reason == "promiseRejection":
		return "exception"
	}
	return p.Reason
}

// How many lines around the pause are shown, and the width around the column to which
// each is cut.
const (
	contextLines = 3
	lineWidth    = 160
)

// excerpt shows the lines around a place in a text, whose first line has a given
// number.
func (p *Page) excerpt(text string, first, line, column int) string {
	lines := strings.Split(text, "\n")
	at := line - first
	if at < 0 || at >= len(lines) {
		return ""
	}
	var b strings.Builder
	end := min(len(lines)-1, at+contextLines)
	digits := len(strconv.Itoa(first + end))
	for i := max(0, at-contextLines); i <= end; i++ {
		mark, from := " ", 0
		if i == at {
			mark, from = ">", column-1
		}
		fmt.Fprintf(&b, "%s %*d | %s\n", mark, digits, first+i, p.window(strings.TrimRight(lines[i], "\r"), from))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// window is the part of a line around a column, for minified lines. If secrets are
// masked the column is approximate.
func (p *Page) window(line string, from int) string {
	if utf8.RuneCountInString(line) <= lineWidth {
		return line
	}
	line = p.hide(line)
	r := []rune(line)
	first := max(0, min(from-lineWidth/4, len(r)-lineWidth))
	last := min(len(r), first+lineWidth)
	start := secrets.CutAt(line, len(string(r[:first])))
	end := secrets.CutAt(line, len(string(r[:last])))
	out := line[start:max(start, end)]
	if start > 0 {
		out = "…" + out
	}
	if end < len(line) {
		out += "…"
	}
	return out
}
