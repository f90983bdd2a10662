package mcptools

import (
	"cmp"
	"encoding/json"
	"fmt"

	"pwpipe/provider"
)

func getConfig(c *call, _ none) error {
	c.result(spread(c.options.Config))
	return nil
}

func startTracing(c *call, _ none) error {
	return c.done(c.act("trace-start"), "Trace recording started")
}

func stopTracing(c *call, _ none) error {
	path, shown, err := c.file("", "trace", "zip")
	if err != nil {
		return err
	}
	if _, err := c.ask("trace-stop", map[string]any{"path": path}, 0); err != nil {
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
	params := []any{"path", path, "acts", in.Cursor}
	if in.Size != nil {
		params = append(params, "size", fmt.Sprintf("%dx%d", in.Size.Width, in.Size.Height))
	}
	return c.done(c.act("video-start", params...), "Video recording started.")
}

func stopVideo(c *call, _ none) error {
	r, err := c.ask("video-stop", map[string]any{}, 0)
	if err != nil {
		return err
	}
	var path string
	if err := json.Unmarshal(r.JSON, &path); err != nil {
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
	return c.done(c.act("video-chapter", "name", name), "Chapter '"+in.Title+"' added.")
}

func highlight(c *call, in onElement) error {
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	return c.done(c.act("highlight", "sel", sel, "text", in.Element), "Highlighted "+cmp.Or(in.Element, code.String()))
}

func hideHighlight(c *call, _ none) error {
	return c.done(c.act("highlight"), "Hid page highlight")
}
