// Package record writes what happened to files: pictures, PDF, films, traces, logs.
package record

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools are the pictures of profile core.
func Tools() []*provider.Tool {
	picture := tool.Core.Acts("shot", "Screenshot", "Write a screenshot to a file; its path").OwnAnswers()
	picture.More = "To see the page, take screenshot: the picture is its answer, with labels if asked for."
	return []*provider.Tool{
		tool.OnPage(picture, shot),
		tool.OnPage(tool.Core.Acts("eshot", "Screenshot of element",
			"Write a screenshot of an element to a file; its path").OwnAnswers(), elementShot),
	}
}

// Tools that Go code calls too.
var (
	PDF = tool.TypedOnPage(tool.Record.Acts("pdf", "PDF",
		"Write the page to a PDF file (headless Chromium); its path").Within(30*time.Second).OwnAnswers(), pdf)
	TraceStart = tool.TypedOnPageDo(tool.Record.Acts("trace-start", "Start trace",
		"Record a Playwright trace of the page's context: every action with snapshots of the page"), traceStart)
	TraceStop = tool.TypedOnPage(tool.Record.Acts("trace-stop", "Stop trace",
		"End the trace and write it to a .zip file for Playwright's trace viewer; its path").
		Within(60*time.Second).OwnAnswers(), traceStop)
)

// TraceTools print and trace a page.
func TraceTools() []*provider.Tool {
	return []*provider.Tool{PDF.Tool, TraceStart.Tool, TraceStop.Tool}
}

// LogTools write the requests of a session as a script.
func LogTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnSession(tool.Record.Acts("log-start", "Start log",
			"Write every request that succeeds from now on to a file, as a request script that `pwpipe run` replays, refs as selectors; what is typed is in it").
			Within(5*time.Second).OwnWords().NotLogged(), logStart),
		tool.OnSession(tool.Record.Acts("log-stop", "Stop log",
			"End the log; how many requests it holds").Within(5*time.Second).OwnWords().NotLogged(), logStop),
	}
}

type shotParams struct {
	Path    tool.WritePath `json:"path" doc:".png, .jpg or .jpeg file"`
	Full    bool           `json:"full,omitempty" doc:"the whole page"`
	Quality int            `json:"quality,omitempty" doc:"of JPEG" min:"1" max:"100"`
}

// shot is page.screenshot.
func shot(c *tool.Call, in shotParams) (string, error) {
	path := string(in.Path)
	o := playwright.PageScreenshotOptions{FullPage: &in.Full}
	var err error
	if o.Type, o.Quality, err = tool.PictureFormat(path, "", in.Quality); err != nil {
		return "", err
	}
	picture, err := c.Screenshot(o)
	if err != nil {
		return "", err
	}
	return path, c.WriteFile(path, picture)
}

type eshotParams struct {
	Sel  tool.Selector  `json:"sel" doc:"selector"`
	Path tool.WritePath `json:"path" doc:".png, .jpg or .jpeg file"`
}

// elementShot is locator.screenshot of the first match.
func elementShot(c *tool.Call, in eshotParams) (string, error) {
	path := string(in.Path)
	kind, _, err := tool.PictureFormat(path, "", 0)
	if err != nil {
		return "", err
	}
	picture, err := c.ScreenshotOf(tool.Frame(c.Page), string(in.Sel), playwright.PageScreenshotOptions{Type: kind})
	if err != nil {
		return "", err
	}
	return path, c.WriteFile(path, picture)
}
