package devtools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Editor reads and changes the scripts and stylesheets of the live page. Changes take
// effect at once, without a reload, and end with the document. For scripts this is so
// only where Chromium still changes scripts in place. Otherwise the page gets the text
// from its next load on, until it is closed.
type Editor struct {
	page     *Page
	debugger *Debugger
	sheets   *sheets
}

// Editor is the page's editor. It needs Debugger.enable and CSS.enable. The latter
// waits while the page is paused; then only scripts can be edited, unless stylesheets
// were requested before.
func (p *Page) Editor(ctx context.Context) (*Editor, error) {
	d, err := p.Debugger(ctx)
	if err != nil {
		return nil, err
	}
	s := &sheets{}
	if !d.Paused() || p.knowsSheets() {
		s, err = p.styleSheets(ctx)
	}
	return &Editor{p, d, s}, err
}

// File is a script or a stylesheet of the page. Those in its HTML have the page's URL.
type File struct {
	Kind string `json:"kind" own:"yes" doc:"script or stylesheet"`
	URL  string `json:"url" doc:"address"`
	Line int    `json:"line" doc:"its first line in the file"`

	script *Script
	sheet  *sheet
}

// List is the files whose URL contains a text, ignoring case.
func (e *Editor) List(search string) []File {
	return e.files(func(url string) bool { return strings.Contains(strings.ToLower(url), strings.ToLower(search)) })
}

func (e *Editor) files(accept func(url string) bool) []File {
	list := []File{}
	for _, s := range e.debugger.scripts.matching(accept) {
		list = append(list, File{Kind: "script", URL: s.URL, Line: s.Line, script: s})
	}
	for _, s := range e.sheets.matching(accept) {
		list = append(list, File{Kind: "stylesheet", URL: s.url, Line: s.line + 1, sheet: s})
	}
	return list
}

// named are the files that a part of a URL or /a regular expression/ names. It is an
// error if there are none.
func (e *Editor) named(file string) ([]File, error) {
	known := urls(e.List(""))
	_, re, err := filePattern(file, known)
	if err != nil {
		return nil, err
	}
	if list := e.files(re.MatchString); len(list) > 0 {
		return list, nil
	}
	var names []string
	for _, url := range known {
		names = append(names, short(url))
	}
	return nil, fmt.Errorf("no script or stylesheet matches %q; there are: %s", file, some(names, 10))
}

func (e *Editor) text(ctx context.Context, f File) (string, error) {
	if f.script != nil {
		text, err := e.debugger.source(ctx, f.script.id)
		return e.page.overrides.edited(f.script, text), err
	}
	return e.page.text(ctx, f.sheet)
}

// Match is a line that a search found.
type Match struct {
	URL    string `json:"url"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"` // of the line, cut around the match
}

// Search finds the lines that match a regular expression (RE2), in the files that file
// names, or in all if it is empty. more reports that there were more than limit.
func (e *Editor) Search(ctx context.Context, query, file string, limit int) (found []Match, more bool, err error) {
	re, err := regexp.Compile(query)
	if err != nil {
		return nil, false, fmt.Errorf("query: %w", err)
	}
	list := e.List("")
	if file != "" {
		if list, err = e.named(file); err != nil {
			return nil, false, err
		}
	}
	found = []Match{}
	for _, f := range list {
		text, err := e.text(ctx, f)
		if ctx.Err() != nil {
			return found, false, ctx.Err()
		}
		if err != nil {
			continue // it went away meanwhile
		}
		for i, line := range strings.Split(text, "\n") {
			at := re.FindStringIndex(line)
			if at == nil {
				continue
			}
			if len(found) == limit {
				return found, true, nil
			}
			found = append(found, Match{f.URL, f.Line + i, at[0] + 1, strings.TrimSpace(e.page.window(line, at[0]))})
		}
	}
	return found, false, nil
}

// maxRead is the number of lines that are read if no end is given.
const maxRead = 200

// Read is the lines start to end of a file, each with its number. 0 means the first
// line, and a bounded number of lines.
func (e *Editor) Read(ctx context.Context, file string, start, end int) (string, error) {
	if end > 0 && end < start || start < 0 || end < 0 {
		return "", fmt.Errorf("lines: %d to %d is not a range", start, end)
	}
	list, err := e.named(file)
	if err != nil {
		return "", err
	}
	for _, f := range list {
		if f.URL != list[0].URL {
			return "", fmt.Errorf("%q names more than one file: %s", file, some(urls(list), 5))
		}
	}
	if end == 0 {
		end = max(start, 1) + maxRead - 1
	}
	var b strings.Builder
	last := 0
	for _, f := range list {
		text, err := e.text(ctx, f)
		if err != nil {
			return "", err
		}
		last = max(last, e.page.number(&b, text, f.Line, start, end))
	}
	switch {
	case b.Len() == 0:
		return "", fmt.Errorf("%s has no line %d; its last is %d", short(list[0].URL), start, last)
	case last > end:
		fmt.Fprintf(&b, "(goes on to line %d)", last)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// urls are the files' URLs, each once.
func urls(list []File) []string {
	var out []string
	for _, f := range list {
		if !slices.Contains(out, f.URL) {
			out = append(out, f.URL)
		}
	}
	return out
}

// number writes those lines of a text that are in a range, and returns the
// number of its last line.
func (p *Page) number(b *strings.Builder, text string, first, start, end int) int {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if n := first + i; n >= start && n <= end {
			fmt.Fprintf(b, "%d | %s\n", n, p.cut(strings.TrimRight(line, "\r"), 4*lineWidth))
		}
	}
	return first + len(lines) - 1
}
