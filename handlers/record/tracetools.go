package record

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type traceParams struct {
	Title string `json:"title,omitempty" secrets:"no" doc:"what the trace viewer calls it"`
}

// traceStart is tracing.start.
func traceStart(c *tool.Call, in traceParams) error {
	o := playwright.TracingStartOptions{Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true)}
	if in.Title != "" {
		o.Title = &in.Title
	}
	err := c.Context.Tracing().Start(o)
	if pwerrors.IsTracing(err) {
		return provider.Errorf(provider.KindFailed, "a trace is being recorded already").WithHint("trace-stop ends it")
	}
	fastpath.Avoid(c.Session, c.Context, err == nil) // a trace does not show what bypasses the driver
	return c.Fail(err, "")
}

type zipParams struct {
	Path tool.WritePath `json:"path" doc:".zip file"`
}

// traceStop is tracing.stop.
func traceStop(c *tool.Call, in zipParams) (string, error) {
	path := string(in.Path)
	if err := files.CheckEnding("path", path, ".zip"); err != nil {
		return "", err
	}
	err := stopTrace(c, files.Saved(path, func(temp string) error { return c.Context.Tracing().Stop(temp) }))
	if err == nil {
		provider.Wrote(c.Ctx, path)
	}
	return path, err
}

// stopTrace allows the fast path again after a trace, and makes the error.
func stopTrace(c *tool.Call, err error) error {
	if err == nil {
		fastpath.Avoid(c.Session, c.Context, false)
	}
	if pwerrors.IsNotTracing(err) {
		return provider.Errorf(provider.KindFailed, "no trace is being recorded").WithHint("trace-start begins one")
	}
	return c.Wrote(err)
}

// BeginTrace and EndTrace are trace-start and trace-stop for viewers.
func BeginTrace(c *tool.Call, _ string) error { return traceStart(c, traceParams{}) }

// EndTrace writes the trace to a file of pwpipe's own.
func EndTrace(c *tool.Call, path string) error { return stopTrace(c, c.Context.Tracing().Stop(path)) }
