package handlers

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func navTools() []*provider.Tool {
	nav := Core.Acts("nav", "Navigate", "Go to a URL and wait until it has loaded").Within(30 * time.Second)
	return []*provider.Tool{onPageDo(nav, navigate)}
}

type navParams struct {
	URL URL `json:"url" doc:"absolute, or relative to the base URL"`
}

// navigate is page.goto.
func navigate(c *call, in navParams) error {
	return c.navigateTo(string(in.URL), nil)
}

// navigateTo is page.goto, until a load state (nil: load).
func (c *call) navigateTo(url string, until *playwright.WaitUntilState) error {
	if err := c.mayGo(url); err != nil {
		return err
	}
	defer c.stopLoadingIfCancelled()()
	c.awaitErrorPage(c.ctx)
	err := c.goTo(url, until)
	for tries := 0; tries < 10 && c.interruptedByThePast(err); tries++ {
		time.Sleep(50 * time.Millisecond)
		err = c.goTo(url, until)
	}
	if err != nil {
		c.awaitErrorPage(c.ctx)
	}
	return c.navError(err, url)
}

func (c *call) goTo(url string, until *playwright.WaitUntilState) error {
	_, err := c.pw.Goto(c.address(url), playwright.PageGotoOptions{Timeout: c.left(), WaitUntil: until})
	return err
}

var reInterrupted = regexp.MustCompile(`Navigation to "(.*)" is interrupted by another navigation to "(.*)"`)

// interruptedByThePast reports whether a navigation met what an earlier,
// failed one left behind: the browser on its way to the error page, or the
// same navigation, which we had repeated because of that.
func (c *call) interruptedByThePast(err error) bool {
	if err == nil || c.ctx.Err() != nil {
		return false
	}
	m := reInterrupted.FindStringSubmatch(err.Error())
	return m != nil && (strings.HasPrefix(m[2], "chrome-error://") || m[1] == m[2])
}

// navError words what a navigation met.
func (c *call) navError(err error, url string) error {
	if err = c.putRight(err, url); err == nil || isClosed(err) {
		return err
	}
	e := provider.AsError(failure(err, "", provider.RequestFrom(c.ctx).Deadline, c.where()))
	switch msg := cleanMessage(err); {
	case errors.Is(err, playwright.ErrTimeout):
		e.Msg = "loading " + c.short(url, 200) + " did not end within " + seconds(provider.RequestFrom(c.ctx).Deadline)
		e.Hint = "the page may be usable all the same: go on with wait or txt, or give a longer timeout"
	case strings.Contains(msg, "invalid URL"):
		e.Kind, e.Msg = provider.KindArgs, "not a URL: "+c.short(url, 200)
		e.Hint = "give it whole (https://…), or start with --base-url"
	case strings.Contains(msg, "Download is starting"):
		e.Msg, e.Hint = c.short(url, 200)+" is a download, not a page", ""
	case strings.Contains(msg, "ERR_CONNECTION_REFUSED"):
		e.Hint = "nothing listens there"
	case strings.Contains(msg, "ERR_NAME_NOT_RESOLVED"):
		e.Hint = "no such host"
	}
	return e
}

// stopLoadingIfCancelled has a navigation end when its request is taken back.
func (c *call) stopLoadingIfCancelled() (done func()) {
	stop := context.AfterFunc(c.ctx, func() {
		if errors.Is(c.ctx.Err(), context.Canceled) {
			_, _ = c.devtools("Page.stopLoading", nil)
		}
	})
	return func() { stop() }
}
