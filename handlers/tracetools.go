package handlers

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func traceTools() []*provider.Tool {
	return []*provider.Tool{
		onPageDo(Record.Acts("trace-start", "Start trace", "Record a Playwright trace of the page's context: every action with snapshots of the page"), traceStart),
		onPage(Record.Acts("trace-stop", "Stop trace", "End the trace and write it to a .zip file for Playwright's trace viewer; its path").Within(60*time.Second).OwnAnswers(), traceStop),
	}
}

type traceParams struct {
	Title string `json:"title,omitempty" secrets:"no" doc:"what the trace viewer calls it"`
}

// traceStart is tracing.start.
func traceStart(c *call, in traceParams) error {
	o := playwright.TracingStartOptions{Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true)}
	if in.Title != "" {
		o.Title = &in.Title
	}
	err := c.context.Tracing().Start(o)
	if err != nil && mentions(err, "already") {
		return provider.Errorf(provider.KindFailed, "a trace is being recorded already").WithHint("trace-stop ends it")
	}
	return c.fail(err, "")
}

type zipParams struct {
	Path WritePath `json:"path" doc:".zip file"`
}

// traceStop is tracing.stop.
func traceStop(c *call, in zipParams) (string, error) {
	path := string(in.Path)
	if !strings.EqualFold(filepath.Ext(path), ".zip") {
		return "", provider.Errorf(provider.KindArgs, "path: expected a .zip file, got %q", path)
	}
	err := saved(path, func(temp string) error { return c.context.Tracing().Stop(temp) })
	if err != nil && (mentions(err, "Must start tracing") || mentions(err, "not started")) {
		return "", provider.Errorf(provider.KindFailed, "no trace is being recorded").WithHint("trace-start begins one")
	}
	return path, c.wrote(err)
}
