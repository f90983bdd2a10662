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
	if old := d.same(b); old != "" {
		if _, err := d.DeleteBreakpoint(ctx, old); err != nil {
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
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	b.ID = fmt.Sprintf("b%d", d.last)
	d.breaks = append(d.breaks, b)
	return b.copied(), nil
}

// newBreakpoint is a breakpoint that the browser does not have yet.
func (d *Debugger) newBreakpoint(ctx context.Context, file string, line, column int, condition string) (*Breakpoint, error) {
	pattern, re, err := filePattern(file, d.scriptURLs())
	if err != nil {
		return nil, err
	}
	if line < 1 {
		return nil, fmt.Errorf("line: expected 1 or more, got %d", line)
	}
	if condition != "" {
		if err := d.compiles(ctx, condition); err != nil {
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
	d.mu.Lock()
	defer d.mu.Unlock()
	b.browserID, b.Locations = reply.BreakpointID, []Location{}
	for _, l := range append(reply.Locations, d.early[b.browserID]...) {
		b.Locations = append(b.Locations, d.at(l))
	}
	delete(d.early, b.browserID)
	b.Pending = len(b.Locations) == 0
	return nil
}

// at describes a place. The lock is held.
func (d *Debugger) at(l scriptLocation) Location {
	out := Location{Line: l.LineNumber + 1, Column: l.ColumnNumber + 1, script: l.ScriptID}
	if s := d.scripts[l.ScriptID]; s != nil {
		out.URL = s.URL
	}
	return out
}

// outside is the error of a breakpoint if the scripts have no code at its line or after
// it.
func (d *Debugger) outside(b *Breakpoint) error {
	list := d.matching(b.re.MatchString)
	if len(list) == 0 {
		return nil
	}
	ends := []string{}
	for _, s := range list {
		ends = append(ends, fmt.Sprintf("%s has lines %d-%d", short(s.URL), s.Line, s.last()))
	}
	return fmt.Errorf("there is no code at line %d of %s or after it: %s", b.Line, b.File, some(ends, 3))
}

// resolve takes the event of a breakpoint that met its script. The event may come
// before the breakpoint itself is known here. The lock is held.
func (d *Debugger) resolve(e map[string]any) {
	id, at := str(e, "breakpointId"), sub(e, "location")
	place := scriptLocation{str(at, "scriptId"), num(at, "lineNumber"), num(at, "columnNumber")}
	i := slices.IndexFunc(d.breaks, func(b *Breakpoint) bool { return b.browserID == id })
	if i < 0 {
		d.early[id] = append(d.early[id], place)
		return
	}
	b := d.breaks[i]
	if l := d.at(place); !slices.Contains(b.Locations, l) {
		b.Locations = append(b.Locations, l)
		b.Pending = false
	}
}

// same is the id of a breakpoint at the same place, "" if there is none.
func (d *Debugger) same(b *Breakpoint) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.breaks {
		if o.pattern == b.pattern && o.Line == b.Line && o.Column == b.Column {
			return o.ID
		}
	}
	return ""
}

func (b *Breakpoint) copied() *Breakpoint {
	c := *b
	c.Locations = slices.Clone(b.Locations)
	return &c
}

// Breakpoints lists the breakpoints in the order in which they were set.
func (d *Debugger) Breakpoints() []Breakpoint {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := []Breakpoint{}
	for _, b := range d.breaks {
		list = append(list, *b.copied())
	}
	return list
}

// DeleteBreakpoint removes a breakpoint, or all with an empty id, and answers how many:
// Debugger.removeBreakpoint.
func (d *Debugger) DeleteBreakpoint(ctx context.Context, id string) (int, error) {
	d.mu.Lock()
	var gone, ids []string
	for _, b := range d.breaks {
		ids = append(ids, b.ID)
		if id == "" || b.ID == id {
			gone = append(gone, b.browserID)
		}
	}
	d.mu.Unlock()
	if id != "" && len(gone) == 0 {
		return 0, fmt.Errorf("no breakpoint %q; there are: %s", id, some(ids, 20))
	}
	for _, b := range gone {
		if err := d.page.call(ctx, "Debugger.removeBreakpoint", map[string]any{"breakpointId": b}, nil); err != nil {
			return 0, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.breaks = slices.DeleteFunc(d.breaks, func(b *Breakpoint) bool { return slices.Contains(gone, b.browserID) })
	return len(gone), nil
}

// replace sets the breakpoints of a script again after an edit: the browser drops those
// in changed functions.
func (d *Debugger) replace(ctx context.Context, url string) error {
	d.mu.Lock()
	list := slices.Clone(d.breaks)
	d.mu.Unlock()
	for _, b := range list {
		if !b.re.MatchString(url) {
			continue
		}
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
