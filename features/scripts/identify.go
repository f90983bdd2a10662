package scripts

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/playwright-community/playwright-go"

	"pwpipe/features/endpoint"
	"pwpipe/features/endpoint/cdpview"
	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

// pageless are the ids of the session's contexts without pages, which a process can't
// see by itself. It leaves out a context whose id can't be found.
func (c contexts) pageless(ctx context.Context) (ids []string) {
	pages := c.session.OpenPages()
	for _, pw := range c.session.OpenContexts() {
		if c.session.IsTheirs(pw) || slices.ContainsFunc(pages, func(p *browser.Page) bool { return p.Context == pw }) {
			continue
		}
		id := openedBy.Of(c.session).of(pw).id
		if id == "" {
			id = c.find(ctx, pw)
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// find finds the id of a context by a temporary cookie of a site that does not exist.
func (c contexts) find(ctx context.Context, pw playwright.BrowserContext) string {
	mark := playwright.OptionalCookie{Name: "pwpipe-" + uuid.NewString(), Value: "1", URL: playwright.String("http://pwpipe.invalid/")}
	put := func() error { return pw.AddCookies([]playwright.OptionalCookie{mark}) }
	if browser.AwaitDo(ctx, c.engine, nil, put) != nil {
		return ""
	}
	defer func() {
		mark.Expires = playwright.Float(1) // long ago
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = browser.AwaitDo(ctx, c.engine, nil, put)
	}()
	line, _, err := c.engine.Line()
	if err != nil {
		return ""
	}
	ids, _ := c.listed(ctx)
	for _, id := range ids {
		var got struct {
			Cookies []struct{ Name string }
		}
		err := line.Call(ctx, "Storage.getCookies", map[string]any{"browserContextId": id}, &got)
		if err == nil && slices.ContainsFunc(got.Cookies, func(k struct{ Name string }) bool { return k.Name == mark.Name }) {
			openedBy.Of(c.session).identify(pw, id)
			c.session.CountPages(c.engine, id)
			return id
		}
	}
	return ""
}

// hearTime bounds the wait of heardOf.
const hearTime = 2 * time.Second

// heardOf waits until pages that a script opened have handles: the driver may hear of
// them after the script does.
func heardOf(ctx context.Context, s *browser.Session, line *cdp.Session) {
	ctx, cancel := context.WithTimeout(ctx, hearTime)
	defer cancel()
	var open struct {
		Infos []cdpview.Target `json:"targetInfos"`
	}
	if line.Call(ctx, "Target.getTargets", nil, &open) != nil {
		return
	}
	for _, t := range open.Infos {
		if t.Type == "page" && s.OwnsContext(t.Context) && ctx.Err() == nil {
			endpoint.Identified(s, t.TargetID)
		}
	}
}
