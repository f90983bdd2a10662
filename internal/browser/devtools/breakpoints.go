package devtools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Location is a place in a script.
type Location struct {
	URL    string `json:"url" doc:"address of the script"`
	Line   int    `json:"line" doc:"from 1"`
	Column int    `json:"column" doc:"from 1"`

	script string
}

func (l Location) String() string { return fmt.Sprintf("%s:%d:%d", short(l.URL), l.Line, l.Column) }

// Breakpoint is a place where the page pauses.
type Breakpoint struct {
	ID        string     `json:"id" own:"yes" doc:"handle"`
	File      string     `json:"file" own:"yes" doc:"as it was given"`
	Line      int        `json:"line" doc:"as it was given"`
	Column    int        `json:"column,omitempty" doc:"as it was given"`
	Condition string     `json:"condition,omitempty" own:"yes" doc:"pauses only where this is true"`
	Locations []Location `json:"locations" doc:"where it is in scripts that are loaded"`
	Pending   bool       `json:"pending,omitempty" doc:"no script matches yet; it holds for those to come"`

	browserID string
	pattern   string
	re        *regexp.Regexp
}

// SetBreakpoint makes the page pause at a line, at every run or only if a condition is
// true: Debugger.setBreakpointByUrl. file is a part of the script's URL or /a regular
// expression/. Scripts that load later count too. column is 0 for the first place of
// the line. It replaces a breakpoint at the same place.
func (d *Debugger) SetBreakpoint(ctx context.Context, file string, line, column int, condition string) (*Breakpoint, error) {
	b, err := d.newBreakpoint(ctx, file, line, column, condition)
	if err != nil {
		return nil, err
	}
	for _, old := range d.Breakpoints() {
		if old.pattern != b.pattern || old.Line != b.Line || old.Column != b.Column {
			continue
		}
		if _, err := d.DeleteBreakpoint(ctx, old.ID); err != nil {
			return nil, err
		}
	}
	if err := d.place(ctx, b); err != nil {
		return nil, err
	}
	if b.Pending {
		if err := d.outside(b); err != nil {
			_ = d.page.call(ctx, "Debugger.removeBreakpoint", map[string]any{"breakpointId": b.browserID}, nil)
			return nil, err
		}
	}
	return d.scripts.addBreakpoint(b), nil
}

// newBreakpoint is a breakpoint that the browser does not have yet.
func (d *Debugger) newBreakpoint(ctx context.Context, file string, line, column int, condition string) (*Breakpoint, error) {
	pattern, re, err := filePattern(file, d.scripts.urls())
	if err != nil {
		return nil, err
	}
	if line < 1 {
		return nil, fmt.Errorf("line: expected 1 or more, got %d", line)
	}
	if condition != "" {
		wrong, err := d.compile(ctx, "("+condition+"\n)")
		if err == nil && wrong != nil {
			err = fmt.Errorf("%q does not compile: %w", strings.TrimSpace(condition), wrong)
		}
		if err != nil {
			return nil, fmt.Errorf("condition: %w", err)
		}
	}
	return &Breakpoint{File: file, Line: line, Column: column, Condition: condition, pattern: pattern, re: re}, nil
}

// place sets a breakpoint in the browser.
func (d *Debugger) place(ctx context.Context, b *Breakpoint) error {
	params := map[string]any{"urlRegex": b.pattern, "lineNumber": b.Line - 1}
	if b.Column > 0 {
		params["columnNumber"] = b.Column - 1
	}
	if b.Condition != "" {
		params["condition"] = b.Condition
	}
	var reply struct {
		BreakpointID string
		Locations    []scriptLocation
	}
	if err := d.page.call(ctx, "Debugger.setBreakpointByUrl", params, &reply); err != nil {
		return err
	}
	d.scripts.placed(b, reply.BreakpointID, reply.Locations)
	return nil
}

// outside is the error of a breakpoint in scripts that are there but have no
// code at its line or after it.
func (d *Debugger) outside(b *Breakpoint) error {
	list := d.scripts.matching(b.re.MatchString)
	if len(list) == 0 {
		return nil
	}
	ends := []string{}
	for _, s := range list {
		ends = append(ends, fmt.Sprintf("%s has lines %d-%d", short(s.URL), s.Line, s.Line+s.Lines-1))
	}
	return fmt.Errorf("there is no code at line %d of %s or after it: %s", b.Line, b.File, some(ends, 3))
}

func (b *Breakpoint) copied() *Breakpoint {
	c := *b
	c.Locations = slices.Clone(b.Locations)
	return &c
}

// Breakpoints lists the breakpoints in the order in which they were set.
func (d *Debugger) Breakpoints() []Breakpoint {
	d.scripts.mu.Lock()
	defer d.scripts.mu.Unlock()
	list := []Breakpoint{}
	for _, b := range d.scripts.breaks {
		list = append(list, *b.copied())
	}
	return list
}

// DeleteBreakpoint removes a breakpoint, or all with an empty id, and answers how many:
// Debugger.removeBreakpoint.
func (d *Debugger) DeleteBreakpoint(ctx context.Context, id string) (int, error) {
	var gone, ids []string
	for _, b := range d.Breakpoints() {
		ids = append(ids, b.ID)
		if id == "" || b.ID == id {
			gone = append(gone, b.browserID)
		}
	}
	if id != "" && len(gone) == 0 {
		return 0, fmt.Errorf("no breakpoint %q; there are: %s", id, some(ids, 20))
	}
	for _, b := range gone {
		if err := d.page.call(ctx, "Debugger.removeBreakpoint", map[string]any{"breakpointId": b}, nil); err != nil {
			return 0, err
		}
	}
	d.scripts.removeBreakpoints(gone)
	return len(gone), nil
}

// replace sets the breakpoints of a script again after an edit: the browser drops those
// in changed functions.
func (d *Debugger) replace(ctx context.Context, url string) error {
	for _, b := range d.scripts.breakpointsIn(url) {
		err := d.page.call(ctx, "Debugger.removeBreakpoint", map[string]any{"breakpointId": b.browserID}, nil)
		if err == nil || strings.Contains(err.Error(), "not found") {
			err = d.place(ctx, b)
		}
		if err != nil {
			return fmt.Errorf("the edit is in force, but breakpoint %s was lost: %w", b.ID, err)
		}
	}
	return nil
}
