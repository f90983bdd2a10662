package mcptools

import (
	"cmp"
	"fmt"

	"pwpipe/features/film"
	"pwpipe/features/watch/marks"
	"pwpipe/handlers/record"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

func getConfig(c *call, _ none) error {
	c.result(spread(c.options.Config))
	return nil
}

func startTracing(c *call, _ none) error {
	return c.done(do(c, record.TraceStart, record.TraceParams{}), "Trace recording started")
}

func stopTracing(c *call, _ none) error {
	path, shown, err := c.file("", "trace", "zip")
	if err != nil {
		return err
	}
	_, err = record.TraceStop.Call(c.ctx, provider.Request{}, record.TraceFile{Path: tool.WritePath(path)})
	if err != nil {
		return provider.Errorf(provider.KindFailed, "Tracing is not started, or could not be written: %w", err)
	}
	c.result("Trace recording stopped.", "- [Trace]("+shown+")")
	return nil
}

type videoParams struct {
	Filename string    `json:"filename,omitempty" doc:".webm file; default: a name with the time"`
	Size     *filmSize `json:"size,omitempty" doc:"of the film"`
	Cursor   bool      `json:"cursor,omitempty" doc:"show the pointer and the names of acts"`
}

type filmSize struct {
	Width  int `json:"width" doc:"pixels" min:"1"`
	Height int `json:"height" doc:"pixels" min:"1"`
}

func startVideo(c *call, in videoParams) error {
	path, _, err := c.file(in.Filename, "video", "webm")
	if err != nil {
		return err
	}
	params := film.VideoParams{Path: tool.WritePath(path), Acts: in.Cursor}
	if in.Size != nil {
		params.Size = fmt.Sprintf("%dx%d", in.Size.Width, in.Size.Height)
	}
	return c.done(do(c, film.VideoStart, params), "Video recording started.")
}

func stopVideo(c *call, _ none) error {
	path, err := film.VideoStop.Call(c.ctx, provider.Request{}, tool.NoParams{})
	if err != nil {
		return err
	}
	c.result("- [Video](" + c.shown(path) + ")")
	return nil
}

type chapterParams struct {
	Title       string `json:"title" doc:"of the chapter"`
	Description string `json:"description,omitempty" doc:"after the title"`
}

func videoChapter(c *call, in chapterParams) error {
	name := in.Title
	if in.Description != "" {
		name += ": " + in.Description
	}
	return c.done(do(c, film.VideoChapter, film.ChapterParams{Name: name}), "Chapter '"+in.Title+"' added.")
}

func highlight(c *call, in onElement) error {
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	marked := do(c, marks.Highlight, marks.Params{Sel: tool.Selector(sel), Text: in.Element})
	return c.done(marked, "Highlighted "+cmp.Or(in.Element, code.String()))
}

func hideHighlight(c *call, _ none) error {
	return c.done(do(c, marks.Highlight, marks.Params{}), "Hid page highlight")
}
