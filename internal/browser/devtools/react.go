package devtools

import (
	"context"
	_ "embed"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// ReactScript is a function of an element, to be run in the world of the
// page's own scripts; [Page.ReactSource] takes its result.
//
//go:embed react.js
var ReactScript string

// ReactSource says where an element of a React page was written.
type ReactSource struct {
	Component string       `json:"componentName" doc:"component that renders it; empty outside of any"`
	File      string       `json:"fileName" doc:"source file"`
	Line      int          `json:"lineNumber" doc:"of the element's JSX, from 1"`
	Column    int          `json:"columnNumber,omitempty" doc:"from 1"`
	Owners    []ReactOwner `json:"owners" doc:"component, then who renders that, and so on"`
}

// ReactOwner is a component, and where it is used.
type ReactOwner struct {
	Component string `json:"componentName" doc:"name"`
	File      string `json:"fileName,omitempty" doc:"file that uses it"`
	Line      int    `json:"lineNumber,omitempty" doc:"from 1"`
	Column    int    `json:"columnNumber,omitempty" doc:"from 1"`
}

type reactElement struct {
	Name   string
	Source *struct {
		FileName                 string
		LineNumber, ColumnNumber int
	}
	Stack string
}

// reactless are the errors for elements whose source is unknown, by what [ReactScript]
// found.
var reactless = map[string]error{
	"none":       errors.New("nothing on this page was rendered by React"),
	"outside":    errors.New("this element was not rendered by React; choose one that was"),
	"production": errors.New("the page runs a production build of React, which has no source locations; a development build has"),
}

var errNoPlaces = errors.New("this development build of React does not record where its elements were written; build with the JSX transform for development (jsxDEV) and source maps")

// ReactSource answers where an element was written, from the result of [ReactScript].
// It maps stacks of React 19 through the source maps of their scripts, which it loads
// as DevTools does.
func (p *Page) ReactSource(ctx context.Context, result any) (*ReactSource, error) {
	var r struct {
		Found string
		Chain []reactElement
	}
	if err := decode(result, &r); err != nil {
		return nil, err
	}
	if err := reactless[r.Found]; err != nil {
		return nil, err
	}
	maps := p.sourceMaps()
	out := &ReactSource{Owners: []ReactOwner{}}
	for i, e := range r.Chain {
		file, line, column := maps.place(ctx, e)
		if i == 0 {
			out.File, out.Line, out.Column = file, line, column
			continue
		}
		out.Owners = append(out.Owners, ReactOwner{e.Name, file, line, column})
	}
	if len(out.Owners) > 0 {
		out.Component = out.Owners[0].Component
	}
	if out.File == "" {
		return nil, errNoPlaces
	}
	return out, ctx.Err()
}

// place is where an element was made; an empty file if unknown.
func (m *sourceMaps) place(ctx context.Context, e reactElement) (file string, line, column int) {
	if s := e.Source; s != nil {
		return s.FileName, s.LineNumber, s.ColumnNumber
	}
	at, ok := creator(e.Stack)
	if !ok {
		return "", 0, 0
	}
	if file, line, column, ok := m.original(ctx, at, ""); ok {
		return file, line, column
	}
	return at.URL, at.Line, at.Column
}

var stackFrame = regexp.MustCompile(`^\s*at (?:.*\()?([^()\s]+):(\d+):(\d+)\)?$`)

// creator is the place of the call that made an element: the second one in React's
// stack, after React's own.
func creator(stack string) (Location, bool) {
	frames := 0
	for line := range strings.Lines(stack) {
		m := stackFrame.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		if frames++; frames < 2 {
			continue
		}
		if strings.Contains(line, "react_stack_bottom_frame") || strings.Contains(line, "react-stack-bottom-frame") {
			return Location{}, false
		}
		n, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		return Location{URL: m[1], Line: n, Column: column}, true
	}
	return Location{}, false
}
