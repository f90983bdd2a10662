package playwrightmcp

import (
	"encoding/json"

	"pwpipe/provider"
)

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
	Filename string `json:"filename,omitempty" doc:".webm file; default: a name with the time"`
}

func startVideo(c *call, in videoParams) error {
	path, _, err := c.file(in.Filename, "video", "webm")
	if err != nil {
		return err
	}
	if err := c.act("video-start", "path", path); err != nil {
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
