// Package har records the network into HAR files, and answers from them.
package har

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy/urlglob"
	"pwpipe/provider"
)

// Tools record and replay HAR files.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Net.Acts("har-record", "Record HAR",
			"Record the context's network traffic from now on into a HAR file, written when the context closes (close-ctx, or the end of the run)").
			Within(10*time.Second).OwnAnswers(), harRecord),
		tool.OnPageDo(tool.Net.Acts("har-replay", "Replay HAR",
			"Answer the context's requests from a HAR file").Within(10*time.Second), harReplay),
	}
}

type harRecordParams struct {
	Path tool.WritePath `json:"path" doc:"HAR file to write, or .zip with the bodies beside it"`
	URL  string         `json:"url,omitempty" doc:"record only requests that match this glob"`
}

// harRecord is context.routeFromHAR with update.
func harRecord(c *tool.Call, in harRecordParams) (string, error) {
	only, err := globOf(c, in.URL)
	if err != nil {
		return "", err
	}
	path := string(in.Path)
	temp := TempHAR(c.Ctx, c.Session.Browser, c.Engine, path)
	o := playwright.BrowserContextRouteFromHAROptions{Update: playwright.Bool(true),
		UpdateContent: playwright.RouteFromHarUpdateContentPolicyEmbed, UpdateMode: playwright.HarModeFull}
	if err := c.Context.RouteFromHAR(temp, o); err != nil {
		return "", c.Fail(err, "")
	}
	Records(c.Session, c.Context, temp, placeOf(c.Session.Browser, temp), only)
	c.Engine.Records.Add(func(*browser.Engine) { c.Session.EndContext(c.Context) })
	return path, nil
}

type harReplayParams struct {
	Path    tool.ReadPath `json:"path" doc:"HAR file"`
	URL     string        `json:"url,omitempty" doc:"answer only requests that match this glob"`
	Missing string        `json:"missing,omitempty" doc:"what happens to requests that are not in the file" enum:"abort,fallback" default:"abort"`
}

// harReplay is context.routeFromHAR.
func harReplay(c *tool.Call, in harReplayParams) error {
	only, err := globOf(c, in.URL)
	if err != nil {
		return err
	}
	path, done, err := CheckedHAR(string(in.Path))
	if err != nil {
		return err
	}
	defer done()
	o := playwright.BrowserContextRouteFromHAROptions{NotFound: tool.Pick[playwright.HarNotFound](in.Missing)}
	if only != nil {
		o.URL = only.Match // the driver gets all URLs
	}
	return c.Fail(c.Context.RouteFromHAR(path, o), "")
}

// globOf is the glob for the requests to record or answer, nil for all.
func globOf(c *tool.Call, text string) (*urlglob.Glob, error) {
	if text == "" {
		return nil, nil
	}
	glob, err := urlglob.Compile(text, c.Session.Browser.Config.BaseURL)
	if err != nil {
		return nil, provider.Errorf(provider.KindArgs, "url: %w", err)
	}
	return glob, nil
}
