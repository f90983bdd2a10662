package handlers

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func harTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(Net.Acts("har-record", "Record HAR", "Record the context's network traffic from now on into a HAR file, written when the context closes (close-ctx, or the end of the run)").Within(10*time.Second).OwnAnswers(), harRecord),
		onPageDo(Net.Acts("har-replay", "Replay HAR", "Answer the context's requests from a HAR file").Within(10*time.Second), harReplay),
	}
}

type harRecordParams struct {
	Path WritePath `json:"path" doc:"HAR file to write, or .zip with the bodies beside it"`
	URL  string    `json:"url,omitempty" doc:"record only requests that match this glob"`
}

// harRecord is context.routeFromHAR with update.
func harRecord(c *call, in harRecordParams) (string, error) {
	path := string(in.Path)
	temp := tempHAR(c.session.browser, c.engine, path)
	o := playwright.BrowserContextRouteFromHAROptions{Update: playwright.Bool(true),
		UpdateContent: playwright.RouteFromHarUpdateContentPolicyEmbed, UpdateMode: playwright.HarModeFull}
	if in.URL != "" {
		o.URL = in.URL
	}
	if err := c.context.RouteFromHAR(temp, o); err != nil {
		return "", c.fail(err, "")
	}
	c.session.records(c.context, temp, placeOf(c.session.browser, temp))
	c.engine.closesFirst(func() { c.session.endContext(c.context) })
	return path, nil
}

type harReplayParams struct {
	Path    ReadPath `json:"path" doc:"HAR file"`
	URL     string   `json:"url,omitempty" doc:"answer only requests that match this glob"`
	Missing string   `json:"missing,omitempty" doc:"what becomes of requests that the file does not hold" enum:"abort,fallback" default:"abort"`
}

// harReplay is context.routeFromHAR.
func harReplay(c *call, in harReplayParams) error {
	path, done, err := checkedHAR(string(in.Path))
	if err != nil {
		return err
	}
	defer done()
	o := playwright.BrowserContextRouteFromHAROptions{NotFound: pick[playwright.HarNotFound](in.Missing)}
	if in.URL != "" {
		o.URL = in.URL
	}
	return c.fail(c.context.RouteFromHAR(path, o), "")
}
