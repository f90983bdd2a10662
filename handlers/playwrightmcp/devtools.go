package playwrightmcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"pwpipe/provider"
)

func configTools() []*provider.Tool {
	return []*provider.Tool{
		define("config", "browser_get_config", "Get config", "Settings of flags, variables and file, as JSON",
			provider.Reads, anyModal, getConfig),
	}
}

func getConfig(c *call, _ none) error {
	var b strings.Builder
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	if err := to.Encode(c.options.Config); err != nil {
		return err
	}
	c.result(strings.TrimSpace(b.String()))
	return nil
}

func devtools() []*provider.Tool {
	return []*provider.Tool{
		define("devtools", "browser_start_tracing", "Start tracing", "Start tracing", provider.Acts, noModal,
			func(c *call, _ none) error {
				if err := c.act("trace-start"); err != nil {
					return err
				}
				c.result("Trace recording started")
				return nil
			}),
		define("devtools", "browser_stop_tracing", "Stop tracing", "Write the trace to a .zip", provider.Acts, noModal,
			stopTracing),
		define("devtools", "browser_start_video", "Start video", "Film the page", provider.Acts, noModal, startVideo),
		define("devtools", "browser_stop_video", "Stop video", "End the film", provider.Acts, noModal, stopVideo),
		define("devtools", "browser_video_chapter", "Video chapter", "Begin a chapter of the film, with a card",
			provider.Acts, noModal, videoChapter),
		define("devtools", "browser_highlight", "Highlight element", "Mark an element for the person who watches",
			provider.Acts, noModal, highlight),
		define("devtools", "browser_hide_highlight", "Hide element highlight", "Take all marks away", provider.Acts,
			noModal, hideHighlight),
	}
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
	if err := c.act("video-start", params...); err != nil {
		return err
	}
	c.result("Video recording started.")
	return nil
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
	if err := c.act("video-chapter", "name", name); err != nil {
		return err
	}
	c.result("Chapter '" + in.Title + "' added.")
	return nil
}

func highlight(c *call, in onElement) error {
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	if err := c.act("highlight", "sel", sel, "text", in.Element); err != nil {
		return err
	}
	c.result("Highlighted " + cmp.Or(in.Element, code))
	return nil
}

func hideHighlight(c *call, _ none) error {
	if err := c.act("highlight"); err != nil {
		return err
	}
	c.result("Hid page highlight")
	return nil
}
