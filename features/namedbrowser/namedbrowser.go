// Package namedbrowser declares `playwright_browser`, the one tool of profile
// `session`: browsers launched by name.
package namedbrowser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools is the one tool of profile session: browsers by name that live from launch to
// close. Each action writes the page's content to a file.
func Tools() []*provider.Tool {
	spec := tool.Session.Acts("playwright_browser", "Browser session", "Control a browser that keeps its state from launch to close; launch, navigate, click, type and screenshot each write what the page then shows to a file and answer its path")
	spec.Failed = func(ctx context.Context, e *provider.Error) any {
		text := strings.TrimPrefix(e.Error(), spec.Name+": ")
		if s, ok := browser.SessionFrom(ctx); ok {
			text = wordsOf(s.Browser.Config.Lang).failure(e.Kind, text)
		}
		return sessionReply{Stderr: text, OutputFiles: []string{}}
	}
	return []*provider.Tool{tool.Define(spec, func(ctx context.Context, in sessionParams) (sessionReply, error) {
		return act(ctx, browser.SessionOf(ctx), in)
	})}
}

type sessionParams struct {
	Action      string  `json:"action" doc:"what to do" enum:"launch,navigate,click,type,screenshot,close,list"`
	BrowserID   string  `json:"browser_id,omitempty" secrets:"no" doc:"which browser" default:"default"`
	URL         string  `json:"url,omitempty" doc:"where to navigate, with http:// or https://"`
	Selector    string  `json:"selector,omitempty" doc:"what to click or type into: CSS, XPath, or another selector of Playwright"`
	Text        *string `json:"text,omitempty" doc:"what to type; it replaces what the field holds"`
	Wait        string  `json:"wait_condition,omitempty" doc:"what navigate and click wait for: network_idle (no traffic for 0.5 s) or timeout (that long, whatever happens)" enum:"network_idle,timeout" default:"network_idle"`
	Timeout     float64 `json:"timeout,omitempty" doc:"seconds: the most to wait for network_idle, or how long to wait" default:"30" min:"0" max:"3600"`
	ContentMode string  `json:"content_mode,omitempty" doc:"what to write: the page's HTML, or its controls as text" enum:"html,abstract" default:"abstract"`
	Headless    *bool   `json:"headless,omitempty" doc:"for launch: show no window" default:"true"`
}

// sessionReply is the result of every action, failed ones included.
type sessionReply struct {
	Success     bool     `json:"success" doc:"whether it was done"`
	Stdout      string   `json:"stdout" doc:"what was done"`
	Stderr      string   `json:"stderr" doc:"what went wrong; empty if nothing did"`
	OutputFiles []string `json:"output_files" own:"yes" doc:"files that were written"`
}

// act runs one action.
func act(ctx context.Context, s *browser.Session, in sessionParams) (sessionReply, error) {
	w := wordsOf(s.Browser.Config.Lang)
	open := browsersOf.Of(s)
	switch in.Action {
	case "launch":
		b, err := launch(ctx, s, in.BrowserID, in.Headless == nil || *in.Headless)
		if err != nil {
			return sessionReply{}, err
		}
		return b.answer(ctx, in, w, fmt.Sprintf(w.launched, in.BrowserID))
	case "close":
		b := open.take(in.BrowserID)
		if b == nil {
			return done(fmt.Sprintf(w.notOpen, in.BrowserID)), nil
		}
		b.close(ctx)
		return done(fmt.Sprintf(w.closed, in.BrowserID)), nil
	case "list":
		return done(open.list(ctx, w)), nil
	}
	b := open.find(in.BrowserID)
	if b == nil {
		return sessionReply{}, provider.Errorf(provider.KindNoTarget, w.notLaunched, in.BrowserID)
	}
	b.acting.Lock()
	defer b.acting.Unlock()
	if !b.alive() {
		return sessionReply{}, provider.Errorf(provider.KindUnavailable, w.gone, in.BrowserID)
	}
	if in.Action == "screenshot" {
		return b.screenshot(ctx, in, w)
	}
	return b.use(ctx, in, w)
}

func done(text string) sessionReply {
	return sessionReply{Success: true, Stdout: text, OutputFiles: []string{}}
}

// step is the tool that an action stands for, and its parameters.
func (in sessionParams) step(w wording) (tool string, params any, err error) {
	switch {
	case in.Action == "navigate":
		u, err := url.Parse(in.URL)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https") {
			return "", nil, provider.Errorf(provider.KindArgs, w.badURL, in.URL)
		}
		// [ownBrowser.loads] waits for the rest.
		return "page.goto", map[string]any{"url": in.URL, "waitUntil": "commit"}, nil
	case in.Selector == "":
		return "", nil, provider.Errorf(provider.KindArgs, w.noSelector, in.Action)
	case in.Action == "click":
		return "click", []string{in.Selector}, nil
	case in.Text == nil:
		return "", nil, provider.Errorf(provider.KindArgs, "%s", w.noText)
	}
	return "fill", []string{in.Selector, *in.Text}, nil
}

// use calls the tool of an action on the browser's page, as a client's call.
func (b *ownBrowser) use(ctx context.Context, in sessionParams, w wording) (sessionReply, error) {
	tool, params, err := in.step(w)
	if err != nil {
		return sessionReply{}, err
	}
	begin := time.Now()
	raw, err := json.Marshal(params)
	if err == nil {
		_, err = provider.Call(browser.WithSession(ctx, b.session),
			provider.Request{Tool: tool, Params: raw, Timeout: max(in.reach(), time.Millisecond)})
	}
	if err != nil {
		return sessionReply{}, err
	}
	var text string
	idleSince := begin
	switch in.Action {
	case "navigate":
		if text, err = b.loads(ctx, in, w, begin); err != nil {
			return sessionReply{}, err
		}
	case "click": // what it sets off may come a little later
		text, idleSince = fmt.Sprintf(w.clicked, in.Selector), time.Now()
	case "type": // it waits for nothing, unless for a time
		text = fmt.Sprintf(w.typed, in.Selector)
		if in.Wait != "timeout" {
			return b.answer(ctx, in, w, text)
		}
	}
	note, err := b.wait(ctx, in, w, begin, idleSince)
	if err != nil {
		return sessionReply{}, err
	}
	return b.answer(ctx, in, w, text+note)
}

// loads waits for what a document loads: until the timeout, counted from begin, or where that is a pause after the
// action for some seconds. What has not come by then is no failure, as it may never come, and the text names it.
func (b *ownBrowser) loads(ctx context.Context, in sessionParams, w wording, begin time.Time) (text string, err error) {
	if in.Wait == "timeout" {
		err = loadstate.LoadedSoon(ctx, b.page, in.reach())
	} else {
		left := max(time.Until(begin.Add(in.limit())), time.Millisecond)
		err = loadstate.Loaded(ctx, b.page, *playwright.LoadStateLoad, left)
	}
	text = fmt.Sprintf(w.navigated, b.page.PW.URL())
	if late := errors.Is(err, playwright.ErrTimeout); late || loadstate.TakeLoading(b.page) {
		waits := loadstate.Waits(b.page)
		if waits != "" {
			waits = ": " + waits
		}
		text += fmt.Sprintf(w.stillLoading, waits)
		err = ctx.Err()
	}
	return text, err
}

func (in sessionParams) limit() time.Duration {
	return time.Duration(in.Timeout * float64(time.Second))
}

// reach is how long an element or a page may take to be there: the timeout, or
// Playwright's default where the timeout is a pause after the action.
func (in sessionParams) reach() time.Duration {
	if in.Wait == "timeout" {
		return 30 * time.Second
	}
	return in.limit()
}

// screenshot takes a picture of the whole page, beside its content.
func (b *ownBrowser) screenshot(ctx context.Context, in sessionParams, w wording) (sessionReply, error) {
	limit := max(in.reach(), time.Millisecond) // 0 is no limit to Playwright
	if err := b.page.WholeFits(ctx, nil); err != nil {
		return sessionReply{}, err
	}
	picture, err := do(ctx, b, func(pw playwright.Page) ([]byte, error) {
		return pw.Screenshot(playwright.PageScreenshotOptions{FullPage: playwright.Bool(true), Timeout: playwright.Float(float64(limit.Milliseconds()))})
	})
	if errors.Is(err, playwright.ErrTimeout) {
		err = provider.Errorf(provider.KindTimeout, "screenshot: there was no picture within %s on %s", pwerrors.Seconds(limit), b.page.Where())
	}
	if err != nil {
		return sessionReply{}, err
	}
	path, err := b.saveOutput(ctx, in.Action, "png", picture)
	if err != nil {
		return sessionReply{}, err
	}
	r, err := b.answer(ctx, in, w, w.shot)
	r.OutputFiles = append([]string{path}, r.OutputFiles...)
	return r, err
}

// wait waits as the parameters say: for a time, or until the network has been idle since
// a moment. A page that is never idle is no failure: the wait ends when the timeout,
// counted from begin, has passed, and the note says so.
func (b *ownBrowser) wait(ctx context.Context, in sessionParams, w wording, begin, since time.Time) (note string, err error) {
	if in.Wait == "timeout" {
		select {
		case <-time.After(in.limit()):
		case <-ctx.Done():
			return "", ctx.Err()
		}
		return "", nil
	}
	short, cancel := context.WithDeadline(ctx, begin.Add(in.limit()))
	defer cancel()
	if loadstate.Busy.Of(b.page).Idle(short, since, true) != nil {
		note = fmt.Sprintf(w.stillBusy, pwerrors.Seconds(in.limit()))
	}
	return note, ctx.Err()
}

// answer writes the page's content to a file and makes the reply.
func (b *ownBrowser) answer(ctx context.Context, in sessionParams, w wording, text string) (sessionReply, error) {
	if err := guard.Strayed(ctx, b.page); err != nil {
		return sessionReply{}, err
	}
	var content, ext string
	var err error
	if in.ContentMode == "html" {
		ext = "html"
		content, err = do(ctx, b, func(pw playwright.Page) (string, error) { return pw.Content() })
	} else {
		ext = "txt"
		content, err = b.abstract(ctx, in.Action, w)
	}
	if err != nil {
		return sessionReply{}, err
	}
	path, err := b.saveOutput(ctx, in.Action, ext, []byte(provider.Bound(ctx, b.page.Hide(content))))
	if err != nil {
		return sessionReply{}, err
	}
	return sessionReply{Success: true, Stdout: text, OutputFiles: []string{path}}, nil
}
