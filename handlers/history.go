package handlers

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func historyTools() []*provider.Tool {
	act := func(name, title, doc string) provider.Spec {
		s := inProfile("act", name, title, doc, 30, provider.Acts)
		s.OpenWorld = true
		return s
	}
	return []*provider.Tool{
		onPage(act("back", "Back", "Go back in the page's history; the URL it is at then"), goBack),
		onPage(act("forward", "Forward", "Go forward in the page's history; the URL it is at then"), goForward),
		onPage(act("reload", "Reload", "Load the page anew"), reload),
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
func reload(c *call, _ noParams) (none, error) {
	defer c.stopLoadingIfCancelled()()
	c.awaitErrorPage(c.ctx)
	_, err := c.pw.Reload(playwright.PageReloadOptions{Timeout: c.left()})
	return none{}, c.navError(err, c.pw.URL())
}
