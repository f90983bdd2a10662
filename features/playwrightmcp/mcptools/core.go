package mcptools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/agent"
	"pwpipe/handlers/check"
	"pwpipe/handlers/emulate"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/navigate"
	"pwpipe/handlers/pages"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

type none struct{}

// onElement holds the parameters of a tool that works on an element.
type onElement struct {
	Target  string `json:"target" also:"ref" doc:"ref or selector"`
	Element string `json:"element,omitempty" doc:"element"`
}

// maybeOnElement holds the parameters of a tool that works on the page or on an element.
type maybeOnElement struct {
	Element string `json:"element,omitempty" doc:"element"`
	Target  string `json:"target,omitempty" also:"ref" doc:"ref or selector"`
}

// find returns the selector and the code of the element, "" for the page. The code ends with a dot.
func (in maybeOnElement) find(c *call) (sel, code string, err error) {
	if in.Target == "" {
		return "", "", nil
	}
	sel, found, err := c.target(in.Target)
	return sel, found.String() + ".", err
}

// settled acts on the page, and waits until the page has drawn what the act led to.
func (c *call) settled(act func() error) error { return c.settling(false, act) }

// settling is settled for a page that a dialog may have stopped.
func (c *call) settling(isBlocked bool, act func() error) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	settle := agent.Acting(c.ctx, p, isBlocked)
	if err := act(); err != nil {
		return err
	}
	if now, err := c.page(); err == nil && now == p {
		settle()
	}
	return nil
}

// onward is settled for an act that answers an open dialog or file chooser.
func (c *call) onward(act func() error) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	return c.settling(true, func() error {
		_, err := withPage(c, p, provider.Acts, func() (none, error) { return none{}, act() })
		return err
	})
}

// closeBrowser closes every page. The next call opens a new one.
func closeBrowser(c *call, _ none) error {
	if c.options.Shared {
		return errors.New("other clients share the browser context; browser_tabs closes one tab")
	}
	m := kept.Of(c.session)
	for o := m.open(); o != nil; o = m.open() {
		if o.dialog != nil {
			_ = o.dialog.Dismiss()
		}
		m.remove(o)
	}
	m.closes()
	if !c.session.Borrows() {
		c.session.Reset(c.ctx) // opens nothing: a profile is free for another process
	} else if _, err := agent.Reset.Call(c.ctx, provider.Request{}, tool.NoParams{}); err != nil {
		return err
	}
	c.result(tabLines(nil)...)
	c.ran("await page.close()")
	c.with(func() { c.look.closed = true })
	c.options.Offers.set(nil)
	return nil
}

type sizeParams struct {
	Width  float64 `json:"width" doc:"width"`
	Height float64 `json:"height" doc:"height"`
}

func resize(c *call, in sizeParams) error {
	c.ran(fmt.Sprintf("await page.setViewportSize({ width: %v, height: %v });", in.Width, in.Height))
	return do(c, emulate.Viewport, emulate.ViewportParams{Width: int(in.Width), Height: int(in.Height)})
}

type urlParams struct {
	URL string `json:"url" doc:"URL"`
}

func goToURL(c *call, in urlParams) error {
	at, err := c.goTo(in.URL)
	if err == nil {
		c.snapshotAfter()
		c.acted(nil, "goto", at)
	}
	return err
}

// goTo navigates to a URL, and returns it with its scheme. A path is of the base URL, if there is
// one. Another URL without a scheme gets https://, or http:// for localhost.
func (c *call) goTo(to string) (string, error) {
	if base := c.session.Browser.Config.BaseURL; base != "" && strings.HasPrefix(to, "/") {
		to = policy.Resolve(to, base)
	}
	if u, err := url.Parse(to); err != nil || u.Scheme == "" || u.Scheme == "localhost" {
		scheme := "https://"
		if strings.HasPrefix(to, "localhost") {
			scheme = "http://"
		}
		to = scheme + to
	}
	p, err := c.page()
	if err != nil {
		return to, err
	}
	kept.Of(c.session).navigates(p)
	params := navigate.Params{URL: tool.URL(to)}
	params.WaitUntil = "domcontentloaded"
	_, err = navigate.To.Call(c.ctx, provider.Request{Timeout: c.navigationTime()}, params)
	if e := provider.AsError(err); err != nil && strings.HasPrefix(e.Msg, navigate.To.Tool.Name+": ") {
		own := *e
		own.Msg = "page.goto" + strings.TrimPrefix(e.Msg, navigate.To.Tool.Name)
		err = &own
	}
	switch {
	case err == nil:
		c.loaded()
	case kept.Of(c.session).downloading():
		return to, nil
	case provider.AsError(err).Kind == provider.KindBlocked && strings.HasPrefix(to, "file:"):
		return to, provider.Errorf(provider.KindBlocked,
			"Access to \"file:\" protocol is blocked. Attempted URL: %q", to)
	case provider.AsError(err).Kind == provider.KindBlocked:
		return to, provider.Errorf(provider.KindBlocked, "net::ERR_BLOCKED_BY_CLIENT at %s\n%w", to, err)
	case strings.Contains(err.Error(), "was given up"):
		err = provider.Errorf(provider.AsError(err).Kind, "net::ERR_ABORTED at %s\n%w", to, err)
	}
	return to, c.inTime(err, c.navigationTime())
}

// maxLoading is the longest wait for the load event of a parsed document.
const maxLoading = 5 * time.Second

// loaded waits until the page has loaded, but not for ever.
func (c *call) loaded() {
	p, err := c.page()
	if err != nil {
		return
	}
	_, _ = onPage(c, p, func() (none, error) {
		return none{}, p.PW.WaitForLoadState(playwright.PageWaitForLoadStateOptions{
			Timeout: playwright.Float(float64(maxLoading.Milliseconds()))})
	})
}

func back(c *call, _ none) error {
	c.snapshotAfter()
	c.ran("await page.goBack();")
	p, err := c.page()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.navigationTime())
	defer cancel()
	onIt := &tool.Call{Ctx: ctx, Page: p}
	return c.settling(true, func() error {
		_, err := withPage(c, p, provider.Acts, func() (none, error) {
			defer onIt.StopLoadingIfCancelled()()
			guard.AwaitErrorPage(ctx, p)
			_, err := p.PW.GoBack(playwright.PageGoBackOptions{
				Timeout: onIt.Left(), WaitUntil: playwright.WaitUntilStateCommit}) // the load event may never come
			return none{}, onIt.NavError(err, "the page before")
		})
		return c.inTime(err, c.navigationTime())
	})
}

type mediaParams struct {
	Scheme   *string `json:"colorScheme,omitempty" enum:"light,dark" doc:"color scheme"`
	Motion   *string `json:"reducedMotion,omitempty" enum:"reduce,no-preference" doc:"reduced motion"`
	Forced   *string `json:"forcedColors,omitempty" enum:"active,none" doc:"forced colors"`
	Contrast *string `json:"contrast,omitempty" enum:"more,no-preference" doc:"contrast"`
	Media    *string `json:"media,omitempty" enum:"screen,print" doc:"media"`
}

func media(c *call, in mediaParams) error {
	params, code := emulate.MediaParams{}, options{}
	for _, f := range []struct {
		param  *string
		option string
		value  *string
	}{{&params.Scheme, "colorScheme", in.Scheme}, {&params.Motion, "reducedMotion", in.Motion},
		{&params.Forced, "forcedColors", in.Forced}, {&params.Contrast, "contrast", in.Contrast},
		{&params.Media, "media", in.Media}} {
		if f.value != nil {
			*f.param = *f.value
			code = append(code, option{f.option, *f.value})
		}
	}
	c.ran("await page.emulateMedia(" + object(code) + ");")
	_, err := emulate.Media.Call(c.ctx, provider.Request{}, params)
	return err
}

type tabsParams struct {
	Action string `json:"action" enum:"list,new,close,select" doc:"action"`
	Index  *int   `json:"index,omitempty" doc:"close: default the current tab"`
	URL    string `json:"url,omitempty" doc:"url"`

	IsolatedContext string `json:"isolatedContext,omitempty" doc:"isolated context"`
}

func tabs(c *call, in tabsParams) error {
	if in.Action == "list" || in.Action == "new" {
		if _, err := c.page(); err != nil {
			return err
		}
	}
	open, _ := c.tabsNow()
	switch in.Action {
	case "new":
		if err := c.newTab(in.URL, in.IsolatedContext); err != nil {
			return err
		}
	case "select":
		t, _, err := in.tab(open)
		if err != nil {
			return err
		}
		use := with(pages.Use, pages.PageParams{PID: t.Page})
		if err := c.inTurn(use, with(pages.Front, tool.NoParams{})); err != nil {
			return err
		}
	case "close":
		if in.Index != nil && kept.Of(c.session).clears(*in.Index-len(open)) {
			break
		}
		t, i, err := in.tab(open)
		if err != nil {
			return err
		}
		calls := []func(*call) error{with(pages.Close, pages.PageParams{PID: t.Page})}
		if rest := append(open[:i:i], open[i+1:]...); t.Active && len(rest) > 0 {
			calls = append(calls, with(pages.Use, pages.PageParams{PID: rest[min(i, len(rest)-1)].Page}))
		}
		if err := c.inTurn(calls...); err != nil {
			return err
		}
	}
	now, _ := c.tabsNow()
	kept.Of(c.session).changedTabs(now)
	c.result(tabLines(now)...)
	c.result(kept.Of(c.session).wreckLines(len(now))...)
	return nil
}

// tab returns the tab that the call names, and its index.
func (in tabsParams) tab(open []tab) (t *tab, at int, err error) {
	if in.Index == nil && in.Action == "select" {
		return nil, 0, provider.Errorf(provider.KindArgs, "Tab index is required")
	}
	n := slices.IndexFunc(open, func(t tab) bool { return t.Active })
	if in.Index != nil {
		n = *in.Index
	}
	if n < 0 || n >= len(open) {
		return nil, 0, provider.Errorf(provider.KindFailed, "Tab %d not found", n)
	}
	return &open[n], n, nil
}

// newTab opens a page in the context of a name, by default in the first one, and makes it the
// current page.
func (c *call) newTab(to, name string) error {
	if _, err := c.page(); err != nil {
		return err
	}
	ctx, err := c.contextOf(name)
	if err != nil {
		return err
	}
	if err := do(c, pages.NewPage, pages.NewPageParams{Ctx: ctx, Use: true}); err != nil || to == "" {
		return err
	}
	return goToURL(c, urlParams{to})
}

// contextOf is the handle of the context of a name, which is made if there is none.
func (c *call) contextOf(name string) (string, error) {
	if name == "default" {
		name = ""
	}
	open := map[string]string{} // by name, of the open pages
	for _, p := range c.session.OpenPages() {
		_, ctx, _ := c.session.HandlesOf(p)
		if of := kept.Of(c.session).isolatedAs(ctx); open[of] == "" {
			open[of] = ctx
		}
	}
	if ctx := open[name]; ctx != "" {
		return ctx, nil
	}
	ctx, err := ask(c, pages.NewContext, tool.NoParams{})
	if err == nil && name != "" {
		kept.Of(c.session).isolates(ctx, name)
	}
	return ctx, err
}

type waitParams struct {
	Time     float64 `json:"time,omitempty" doc:"seconds" min:"0"`
	Text     string  `json:"text,omitempty" doc:"text"`
	TextGone string  `json:"textGone,omitempty" doc:"text gone"`
}

func waitFor(c *call, in waitParams) error {
	if in.Text == "" && in.TextGone == "" && in.Time == 0 {
		return provider.Errorf(provider.KindArgs, "Either time, text or textGone must be provided")
	}
	c.snapshotAfter()
	seconds := time.Duration(in.Time * float64(time.Second))
	if in.Text == "" && in.TextGone == "" {
		c.ran(fmt.Sprintf("await new Promise(f => setTimeout(f, %v * 1000));", in.Time))
		if err := (&tool.Call{Ctx: c.ctx}).Pause(min(maxWait, seconds)); err != nil {
			return err
		}
		c.result(fmt.Sprintf("Waited for %v seconds", min(in.Time, maxWait.Seconds())))
		return nil
	}
	return c.waitForText(in, cmp.Or(min(maxWait, seconds), c.actionTime()))
}

// maxWait is the longest wait for a time.
const maxWait = 30 * time.Second

// waitForText waits until the text is there or the other is gone, whichever is first.
func (c *call) waitForText(in waitParams, limit time.Duration) error {
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel() // the other wait
	own := *c
	own.ctx = ctx
	type outcome struct {
		text, code string
		err        error
	}
	var waits int
	ended := make(chan outcome, 2)
	wait := func(text, state string, not bool) {
		if text == "" {
			return
		}
		waits++
		words := inQuotes(text)
		go func() {
			sel := tool.Selector("internal:text=" + words + "i >> nth=0")
			_, err := check.Visible.Call(own.ctx, provider.Request{Timeout: limit},
				check.VisibleParams{Sel: sel, Not: not})
			code := fmt.Sprintf("await page.getByText(%s).first().waitFor({ state: '%s' });", words, state)
			ended <- outcome{text, code, err}
		}()
	}
	wait(in.Text, "visible", false)
	wait(in.TextGone, "hidden", true)
	var first outcome
	for range waits { // what fails first may still be overtaken
		if first = <-ended; first.err == nil {
			c.ran(first.code)
			c.result("Waited for " + first.text)
			return nil
		}
	}
	c.ran(first.code)
	return provider.Errorf(provider.KindTimeout, "TimeoutError: Timeout %dms exceeded.\n%w",
		limit.Milliseconds(), first.err)
}
