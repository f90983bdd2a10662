package handlers

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// quiet is how long nothing may have happened on the network for a page to
// count as idle although some bodies have not ended.
const quiet = time.Second

// networkIdle waits until the page's network is idle: Playwright's networkidle
// (no request for half a second), or every request has had its response and
// nothing has happened for a second. The second is needed since Chromium does
// not end a response whose body the page never reads, nor does a stream end,
// and Playwright waits for both for ever.
func (c *call) networkIdle() error {
	done := make(chan error, 1)
	go func() {
		done <- c.pw.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateNetworkidle, Timeout: c.left()})
	}()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	began := time.Now()
	for {
		select {
		case err := <-done:
			return c.idleError(err)
		case <-c.ctx.Done():
			return c.ctx.Err()
		case <-tick.C:
			if last, waiting := c.traffic(); waiting == "" && time.Since(last) > quiet && time.Since(began) > quiet {
				return nil
			}
		}
	}
}

// traffic is when something last happened on the page's network, and a URL
// that there is no response from yet.
func (c *call) traffic() (last time.Time, waiting string) {
	open := map[int64]string{}
	for _, e := range c.session.events.since(0, EventRequest, EventResponse, EventRequestFailed) {
		if e.Page != c.name {
			continue
		}
		last = e.Time
		if e.Kind == EventRequest {
			open[e.Seq] = e.URL
		} else {
			delete(open, e.Request)
		}
	}
	for _, waiting = range open {
		break
	}
	return last, waiting
}

// idleError words a wait in vain.
func (c *call) idleError(err error) error {
	if err == nil || isClosed(err) {
		return err
	}
	e := provider.AsError(c.fail(err, ""))
	if e.Kind == provider.KindTimeout {
		e.Msg = "the network did not become idle within " + seconds(provider.RequestFrom(c.ctx).Timeout) + " on " + c.where().String()
		if _, waiting := c.traffic(); waiting != "" {
			e.Msg += "; no response from " + shorten(waiting, 200)
		}
		e.Hint = "the page may be usable all the same; waitUntil \"load\" does not wait for the network"
	}
	return e
}
