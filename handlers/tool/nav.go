package tool

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/guard"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/provider"
)

// NavigateTo is page.goto, until a load state (nil: load).
func (c *Call) NavigateTo(url string, until *playwright.WaitUntilState) (playwright.Response, error) {
	if err := guard.MayGo(c.Page, url); err != nil {
		return nil, err
	}
	defer c.StopLoadingIfCancelled()()
	guard.AwaitErrorPage(c.Ctx, c.Page)
	answer, err := c.GoTo(url, until)
	for tries := 0; tries < 10 && c.metEarlierNavigation(err); tries++ {
		time.Sleep(50 * time.Millisecond)
		answer, err = c.GoTo(url, until)
	}
	if err != nil {
		guard.AwaitErrorPage(c.Ctx, c.Page)
	}
	return answer, c.NavError(err, url)
}

// NavigateSoon is page.goto until the page has loaded, or some seconds of that have passed; see
// [loadstate.LoadedSoon].
func (c *Call) NavigateSoon(url string) (playwright.Response, error) {
	answer, err := c.NavigateTo(url, playwright.WaitUntilStateCommit)
	if err != nil {
		return nil, err
	}
	return answer, c.NavError(loadstate.LoadedSoon(c.Ctx, c.Page, c.TimeLeft()), url)
}

// GoTo is page.goto, once. The response is nil for an address that no server answers.
func (c *Call) GoTo(url string, until *playwright.WaitUntilState) (playwright.Response, error) {
	return c.PW.Goto(c.Address(url), playwright.PageGotoOptions{Timeout: c.Left(), WaitUntil: until})
}

// Reload is page.reload, until a load state (nil: load). After a navigation that
// failed the page may be on its way to the error page still: until then it has
// no document that could be loaded again.
func (c *Call) Reload(until *playwright.WaitUntilState) error {
	guard.AwaitErrorPage(c.Ctx, c.Page)
	for tries := 0; ; tries++ {
		_, err := c.PW.Reload(playwright.PageReloadOptions{Timeout: c.Left(), WaitUntil: until})
		if tries == 10 || !pwerrors.IsBetweenDocuments(err) || c.Ctx.Err() != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

var reInterrupted = regexp.MustCompile(`Navigation to "(.*)" is interrupted by another navigation to "(.*)"`)

// metEarlierNavigation reports whether a navigation met what an earlier,
// failed one left behind: the browser on its way to the error page, or the
// same navigation, which we had repeated because of that.
func (c *Call) metEarlierNavigation(err error) bool {
	if err == nil || c.Ctx.Err() != nil {
		return false
	}
	m := reInterrupted.FindStringSubmatch(err.Error())
	return m != nil && (strings.HasPrefix(m[2], "chrome-error://") || m[1] == m[2])
}

// NavError words what a navigation met.
func (c *Call) NavError(err error, url string) error {
	if err = guard.PutRight(c.Page, err, url); err == nil || pwerrors.IsClosed(err) {
		return err
	}
	e := provider.AsError(Failure(err, "", provider.RequestFrom(c.Ctx).Deadline, c.Where()))
	switch {
	case errors.Is(err, playwright.ErrTimeout):
		e.Msg = "loading " + c.Short(url, 200) + " did not end within " + pwerrors.Seconds(provider.RequestFrom(c.Ctx).Deadline)
		if loadstate.Busy.Of(c.Page).Leaving() { // the server is late, and not the page
			e.Hint = "the server has not answered yet, and may still: go on with wait or txt, go elsewhere, or give a longer timeout"
			break
		}
		c.Page.Late()
		if waits := loadstate.Waits(c.Page); waits != "" {
			e.Msg += ": " + waits
		}
		e.Hint = "the page may be usable all the same: go on with wait or txt, or give a longer timeout; " +
			`page.goto and page.reload with waitUntil "` + loadstate.LessThanLoad(c.Page) + `" do not wait for that`
	case pwerrors.IsInvalidURL(err), pwerrors.IsAborted(err) && rePort.MatchString(url): // its host is a scheme
		e.Kind, e.Msg = provider.KindArgs, "not a URL: "+c.Short(url, 200)
		e.Hint = "give it whole (" + c.Short(wholeURL(url), 200) + "), or start with --base-url"
	case pwerrors.IsAborted(err):
		e.Msg = "loading " + c.Short(url, 200) + " was given up: it is a download, has no content, or another navigation came first"
		e.Hint = "download takes a url"
	case pwerrors.IsRefused(err):
		e.Hint = "nothing listens there"
	case pwerrors.IsNoHost(err):
		e.Hint = "no such host"
	}
	return e
}

var (
	reHost = regexp.MustCompile(`^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#].*)?$`)
	rePort = regexp.MustCompile(`^[\w.-]+:\d+(?:[/?#]|$)`)
)

// wholeURL is a URL that may have been meant by a host without its scheme. The driver
// knows localhost and addresses by itself.
func wholeURL(host string) string {
	if reHost.MatchString(host) {
		return "https://" + host
	}
	return "https://…"
}

// StopLoadingIfCancelled has a navigation end when its request is taken back.
func (c *Call) StopLoadingIfCancelled() (done func()) {
	stop := context.AfterFunc(c.Ctx, func() {
		if errors.Is(c.Ctx.Err(), context.Canceled) {
			_, _ = c.DevTools("Page.stopLoading", nil)
		}
	})
	return func() { stop() }
}
