package handlers

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func historyTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(Act.Acts("back", "Back", "Go back in the page's history; the URL it is at then").Within(30*time.Second), goBack),
		onPage(Act.Acts("forward", "Forward", "Go forward in the page's history; the URL it is at then").Within(30*time.Second), goForward),
		onPageDo(Act.Acts("reload", "Reload", "Load the page anew").Within(30*time.Second), reload),
	}
}

// goBack is page.goBack.
func goBack(c *call, _ noParams) (string, error) {
	defer c.stopLoadingIfCancelled()()
	c.awaitErrorPage(c.ctx)
	_, err := c.pw.GoBack(playwright.PageGoBackOptions{Timeout: c.left()})
	return c.pw.URL(), c.navError(err, "the page before")
}

// goForward is page.goForward.
func goForward(c *call, _ noParams) (string, error) {
	defer c.stopLoadingIfCancelled()()
	c.awaitErrorPage(c.ctx)
	_, err := c.pw.GoForward(playwright.PageGoForwardOptions{Timeout: c.left()})
	return c.pw.URL(), c.navError(err, "the next page")
}

// reload is page.reload.
func reload(c *call, _ noParams) error {
	defer c.stopLoadingIfCancelled()()
	c.awaitErrorPage(c.ctx)
	_, err := c.pw.Reload(playwright.PageReloadOptions{Timeout: c.left()})
	return c.navError(err, c.pw.URL())
}
