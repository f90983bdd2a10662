// Package navigate goes to URLs, and through the history.
package navigate

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools is core's nav.
func Tools() []*provider.Tool {
	nav := tool.Core.Acts("nav", "Navigate", "Go to a URL and wait until it has loaded").Within(30 * time.Second)
	return []*provider.Tool{tool.OnPageDo(nav, navigate)}
}

type navParams struct {
	URL tool.URL `json:"url" doc:"absolute, or relative to the base URL"`
	until
}

// until is when a navigation counts as done.
type until struct {
	WaitUntil string `json:"waitUntil,omitempty" doc:"when it counts as loaded" enum:"load,domcontentloaded,networkidle,commit" default:"load" alias:"only"`
}

// state is what Playwright waits for; the network is ours to wait for.
func (u until) state() *playwright.WaitUntilState {
	if u.WaitUntil == "networkidle" {
		return playwright.WaitUntilStateLoad
	}
	state := playwright.WaitUntilState(u.WaitUntil)
	return &state
}

// idle waits for the network, where that was asked for.
func (u until) idle(c *tool.Call) error {
	if u.WaitUntil != "networkidle" {
		return nil
	}
	return c.NetworkIdle()
}

// navigate is page.goto.
func navigate(c *tool.Call, in navParams) error {
	if err := c.NavigateTo(string(in.URL), in.state()); err != nil {
		return err
	}
	return in.idle(c)
}
