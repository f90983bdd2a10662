package navigate

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/guard"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

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
	if err := c.Reload(in.state()); err != nil {
		return c.NavError(err, c.PW.URL())
	}
	return in.idle(c)
}
