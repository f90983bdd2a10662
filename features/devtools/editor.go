package devtools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/devtools"
	"pwpipe/provider"
)

// editing is a call with the page's editor.
type editing struct {
	ctx context.Context
	*devtools.Editor
	call *tool.Call
}

func editorOf(c *tool.Call) (editing, error) {
	tools, err := Inspector(c.Page)
	if err != nil {
		return editing{}, err
	}
	e, err := tools.Editor(c.Ctx)
	return editing{c.Ctx, e, c}, err
}

// onEditor declares a tool that works on the page's code.
func onEditor[In, Out any](spec tool.Spec, fn func(editing, In) (Out, error)) *provider.Tool {
	spec.WhilePaused = true
	return tool.OnPage(spec, over(editorOf, fn))
}

func listCode(e editing, in searchURLParams) ([]devtools.File, error) { return e.List(in.Search), nil }

type searchCodeParams struct {
	Query string `json:"query" doc:"regular expression (RE2)"`
	URL   string `json:"url,omitempty" doc:"part of the file's URL, or /regular expression/"`
	Limit int    `json:"limit,omitempty" doc:"maximum number of lines" default:"50" min:"1" max:"1000"`
}

// searchCode answers one line for each match, as grep does.
func searchCode(e editing, in searchCodeParams) (string, error) {
	found, more, err := e.Search(e.ctx, in.Query, in.URL, in.Limit)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "no match", nil
	}
	var b strings.Builder
	for _, m := range found {
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", m.URL, m.Line, m.Column, m.Text)
	}
	if more {
		b.WriteString("(more; raise limit)")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

type readCodeParams struct {
	URL   string `json:"url" doc:"part of the file's URL, or /regular expression/"`
	Start int    `json:"start,omitempty" doc:"first line; default: 1" min:"1"`
	End   int    `json:"end,omitempty" doc:"last line; default: 199 more" min:"1"`
}

func readCode(e editing, in readCodeParams) (string, error) {
	return e.Read(e.ctx, in.URL, in.Start, in.End)
}

type editCodeParams struct {
	URL string `json:"url" doc:"part of the file's URL, or /regular expression/"`
	Old string `json:"old" doc:"text that occurs exactly once"`
	New string `json:"new" doc:"its replacement"`

	Reload bool `json:"reload,omitempty" doc:"reload the page if the edit takes effect only then"`
}

func editCode(e editing, in editCodeParams) (*devtools.Edited, error) {
	if in.Reload && e.call.IsPaused() {
		return nil, errors.New("a page that is paused can't be reloaded; resume it first, or leave reload out")
	}
	done, err := e.Edit(e.ctx, in.URL, in.Old, in.New)
	if err == nil && in.Reload && done.InForce == devtools.AfterReload {
		err = e.reload(done)
		done.InForce = devtools.Now
	}
	return done, err
}

// reload is page.reload, until the page runs the edited text.
func (e editing) reload(done *devtools.Edited) error {
	c := e.call
	defer c.StopLoadingIfCancelled()()
	loaded := make(chan error, 1)
	go func() { loaded <- c.Reload(nil) }()
	paused, stop := context.WithCancel(e.ctx)
	defer stop()
	at := make(chan error, 1)
	go func() { at <- e.WaitPaused(paused) }()
	select {
	case err := <-loaded:
		if err = c.NavError(err, c.PW.URL()); err != nil {
			return err
		}
	case err := <-at: // a breakpoint, which nothing else handles here
		if err != nil {
			return err
		}
	}
	if !e.Runs(e.ctx, done) {
		return fmt.Errorf("%s is edited, but the reloaded page does not load it", done.URL)
	}
	return nil
}
