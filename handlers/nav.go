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
	nav := core("nav", "Navigate", "Go to a URL and wait until it has loaded", 30, provider.Acts)
	nav.OpenWorld = true
	return []*provider.Tool{onPage(nav, navigate)}
}

type navParams struct {
	URL string `json:"url" doc:"absolute, or relative to the base URL"`
}

// navigate is page.goto.
func navigate(c *call, in navParams) (none, error) {
	return none{}, c.navigateTo(in.URL, nil)
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

// errorPageDue notes that a navigation failed: Chromium will show an error page,
// unless the failure was that there is nothing to show.
func (p *page) errorPageDue(why error) {
	if why == nil || !strings.Contains(why.Error(), "ERR_ABORTED") {
		p.errorPage.Store(p.documents.Load() + 1)
	}
}

// awaitErrorPage waits, a moment at the most, for the error page of a navigation
// that failed: one that comes between would leave the next in the air.
func (p *page) awaitErrorPage(ctx context.Context) {
	for range 50 {
		if p.documents.Load() >= p.errorPage.Load() || ctx.Err() != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	p.errorPage.Store(0) // there is none
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
