// Package navigate goes to URLs, and through the history.
package navigate

import (
	"fmt"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// To goes to a URL.
var To = tool.TypedOnPageDo(tool.Core.Acts("nav", "Navigate", "Go to a URL and wait until it has loaded").
	Within(30*time.Second), navigate)

// Tools is core's nav.
func Tools() []*provider.Tool { return []*provider.Tool{To.Tool} }

// Params are the parameters of [To].
type Params struct {
	URL tool.URL `json:"url" doc:"absolute, or relative to the base URL"`
	OK  bool     `json:"ok,omitempty" doc:"fail from status 400 on"`
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

// StrictStatus has each nav fail whose answer has a status of 400 or above, as with ok.
var StrictStatus browser.Setting[bool]

// navigate is page.goto.
func navigate(c *tool.Call, in Params) error {
	answer, err := arrive(c, in)
	if err != nil || answer == nil || answer.Status() < 400 || !in.OK && !StrictStatus.Of(c.Session.Browser.Config) {
		return err
	}
	return fmt.Errorf("%s answered with status %d; the page shows what came with it", c.Short(answer.URL(), 200), answer.Status())
}

// arrive goes to a URL. For a model, which is told what the page still waits for, it does not wait
// long for what may never come, unless the call says how long.
func arrive(c *tool.Call, in Params) (playwright.Response, error) {
	if in.WaitUntil == "load" && provider.RequestFrom(c.Ctx).Tell && !provider.TimeGiven(c.Ctx) {
		return c.NavigateSoon(string(in.URL))
	}
	answer, err := c.NavigateTo(string(in.URL), in.state())
	if err != nil || in.WaitUntil != "networkidle" {
		return answer, err
	}
	return answer, c.NetworkIdle()
}

// HistoryTools go through the page's history.
func HistoryTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Act.Acts("back", "Back",
			"Go back in the page's history; the URL it is at then").Within(30*time.Second), goBack),
		tool.OnPage(tool.Act.Acts("forward", "Forward",
			"Go forward in the page's history; the URL it is at then").Within(30*time.Second), goForward),
		tool.OnPageDo(tool.Act.Acts("reload", "Reload", "Reload the page").Within(30*time.Second), reload),
	}
}

// goBack is page.goBack.
func goBack(c *tool.Call, _ tool.NoParams) (string, error) {
	defer c.StopLoadingIfCancelled()()
	guard.AwaitErrorPage(c.Ctx, c.Page)
	_, err := c.PW.GoBack(playwright.PageGoBackOptions{Timeout: c.Left()})
	return c.PW.URL(), c.NavError(err, "the page before")
}

// goForward is page.goForward.
func goForward(c *tool.Call, _ tool.NoParams) (string, error) {
	defer c.StopLoadingIfCancelled()()
	guard.AwaitErrorPage(c.Ctx, c.Page)
	_, err := c.PW.GoForward(playwright.PageGoForwardOptions{Timeout: c.Left()})
	return c.PW.URL(), c.NavError(err, "the next page")
}

// reload is page.reload.
func reload(c *tool.Call, in until) error {
	defer c.StopLoadingIfCancelled()()
	err := c.Reload(in.state())
	if err != nil || in.WaitUntil != "networkidle" {
		return c.NavError(err, c.PW.URL())
	}
	return c.NetworkIdle()
}
