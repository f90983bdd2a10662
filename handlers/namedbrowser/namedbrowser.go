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

// Tools is the one tool of profile session: browsers by name
// that live from launch to close, each action of which leaves the page's
// content in a file.
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

// titleTime is how long a browser's page has to tell its title.
const titleTime = time.Second

// ownCloseTime is how long a launched browser may take to close.
const ownCloseTime = 5 * time.Second

func errShuttingDown() error {
	return provider.Errorf(provider.KindUnavailable, "pwpipe is shutting down")
}

// act runs one action.
func act(ctx context.Context, s *browser.Session, in sessionParams) (sessionReply, error) {
	w := wordsOf(s.Browser.Config.Lang)
	switch in.Action {
	case "launch":
		b, err := launch(ctx, s, in.BrowserID, in.Headless == nil || *in.Headless)
		if err != nil {
			return sessionReply{}, err
		}
		return b.answer(ctx, in, w, fmt.Sprintf(w.launched, in.BrowserID))
	case "close":
		b := launching.Of(s).take(in.BrowserID)
		if b == nil {
			return said(fmt.Sprintf(w.notOpen, in.BrowserID)), nil
		}
		b.close(ctx)
		return said(fmt.Sprintf(w.closed, in.BrowserID)), nil
	case "list":
		return said(listLaunched(ctx, s, w)), nil
	}
	b := launching.Of(s).find(in.BrowserID)
	if b == nil {
		return sessionReply{}, provider.Errorf(provider.KindNoTarget, w.notLaunched, in.BrowserID)
	}
	b.acting.Lock()
	defer b.acting.Unlock()
	if !b.alive() {
		return sessionReply{}, provider.Errorf(provider.KindUnavailable, w.gone, in.BrowserID)
	}
	steps := map[string]func(context.Context, sessionParams, wording) (sessionReply, error){
		"navigate": b.navigate, "click": b.click, "type": b.typeText, "screenshot": b.screenshot,
	}
	return steps[in.Action](ctx, in, w)
}

func said(text string) sessionReply {
	return sessionReply{Success: true, Stdout: text, OutputFiles: []string{}}
}

// call runs a core tool on the browser's page, through the same funnel.
func (b *ownBrowser) call(ctx context.Context, tool string, limit time.Duration, params ...string) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	_, err = provider.Call(browser.WithSession(ctx, b.session), provider.Request{Tool: tool, Params: raw, Timeout: max(limit, time.Millisecond)})
	return err
}

func (in sessionParams) limit() time.Duration {
	return time.Duration(in.Timeout * float64(time.Second))
}

// reach is how long an element or a page may take to be there: the time-out,
// or Playwright's own where the time-out is how long to wait afterwards.
func (in sessionParams) reach() time.Duration {
	if in.Wait == "timeout" {
		return 30 * time.Second
	}
	return in.limit()
}

func (b *ownBrowser) navigate(ctx context.Context, in sessionParams, w wording) (sessionReply, error) {
	u, err := url.Parse(in.URL)
	if err != nil || u.Host == "" || !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https") {
		return sessionReply{}, provider.Errorf(provider.KindArgs, w.badURL, in.URL)
	}
	begin := time.Now()
	if err := b.call(ctx, "nav", in.reach(), in.URL); err != nil {
		return sessionReply{}, err
	}
	note, err := b.wait(ctx, in, w, begin, begin)
	if err != nil {
		return sessionReply{}, err
	}
	return b.answer(ctx, in, w, fmt.Sprintf(w.navigated, b.page.PW.URL())+note)
}

func (b *ownBrowser) click(ctx context.Context, in sessionParams, w wording) (sessionReply, error) {
	if in.Selector == "" {
		return sessionReply{}, provider.Errorf(provider.KindArgs, w.noSelector, in.Action)
	}
	begin := time.Now()
	if err := b.call(ctx, "click", in.reach(), in.Selector); err != nil {
		return sessionReply{}, err
	}
	// What a click sets off may come a little later.
	note, err := b.wait(ctx, in, w, begin, time.Now())
	if err != nil {
		return sessionReply{}, err
	}
	return b.answer(ctx, in, w, fmt.Sprintf(w.clicked, in.Selector)+note)
}

// typeText fills a field. It waits for nothing afterwards unless told to.
func (b *ownBrowser) typeText(ctx context.Context, in sessionParams, w wording) (sessionReply, error) {
	if in.Selector == "" {
		return sessionReply{}, provider.Errorf(provider.KindArgs, w.noSelector, in.Action)
	}
	if in.Text == nil {
		return sessionReply{}, provider.Errorf(provider.KindArgs, "%s", w.noText)
	}
	if err := b.call(ctx, "fill", in.reach(), in.Selector, *in.Text); err != nil {
		return sessionReply{}, err
	}
	if in.Wait == "timeout" {
		if _, err := b.wait(ctx, in, w, time.Now(), time.Now()); err != nil {
			return sessionReply{}, err
		}
	}
	return b.answer(ctx, in, w, fmt.Sprintf(w.typed, in.Selector))
}

// screenshot takes a picture of the whole page, beside its content.
func (b *ownBrowser) screenshot(ctx context.Context, in sessionParams, w wording) (sessionReply, error) {
	limit := max(in.reach(), time.Millisecond) // none is no limit to Playwright
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

// wait waits for what the action is to wait for. A page that is never idle is
// no failure: the time-out, counted from begin, is the most to wait. The note
// says so. The page must have been idle since a time.
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

// listLaunched is a line a browser: id, whether it is alive, title, URL.
func listLaunched(ctx context.Context, s *browser.Session, w wording) string {
	all := launching.Of(s).all()
	if len(all) == 0 {
		return w.nothingOpen
	}
	lines := []string{}
	for _, b := range all {
		state, title := w.active, ""
		if b.alive() {
			short, cancel := context.WithTimeout(ctx, titleTime)
			title, _ = do(short, b, func(pw playwright.Page) (string, error) { return pw.Title() })
			cancel()
		} else {
			state = w.ended
		}
		lines = append(lines, fmt.Sprintf(w.listLine, b.id, state, foldSpace(title), b.page.PW.URL()))
	}
	return strings.Join(lines, "\n")
}
