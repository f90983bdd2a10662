// Package endpoint serves a session as a Chromium of its own to DevTools clients
// such as Playwright and Puppeteer (`session.cdp`).
package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/features/clipboard"
	"pwpipe/features/endpoint/cdpview"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/driver"
	"pwpipe/provider"
)

// Tools give addresses of sessions.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.RPC.Reads("session.cdp", "DevTools address",
			"Get an address at which the session is a browser of its own, for clients such as Playwright's connectOverCDP").
			OwnWords(), address),
	}
}

type addressResult struct {
	URL     string `json:"url" doc:"WebSocket address; whoever knows it has the session"`
	Address string `json:"address,omitempty" doc:"host and port, where port was asked for"`
}

type addressParams struct {
	Token bool `json:"token,omitempty" doc:"in a service: an address that needs no API key for five minutes, for clients that send no headers"`
	Port  bool `json:"port,omitempty" doc:"on a pipe: a port for this session, for clients such as chromedriver that take only a host and a port; every program of the machine may connect there"`
}

// address is where a client connects.
func address(c *tool.Call, in addressParams) (addressResult, error) {
	if _, _, err := reachable(c.Ctx, c.Page); err != nil {
		return addressResult{}, err
	}
	if at, served := c.Ctx.Value(placeKey{}).(place); served {
		if in.Port {
			return addressResult{}, provider.Errorf(provider.KindArgs, "port: only a pwpipe on a pipe opens a port; a service requires a key or a token")
		}
		url, err := at.address(c.Session.Options.ID, in.Token)
		return addressResult{URL: url}, err
	}
	if in.Port {
		address, url, err := ports.Of(c.Session).open(c.Session)
		return addressResult{url, address}, err
	}
	url, err := doors.Of(c.Session.Browser).admit(c.Session)
	return addressResult{URL: url}, err
}

// Path is where sessions are served, by their ids.
const Path = "/cdp/"

// reachable is the connection of a page that can be offered.
func reachable(ctx context.Context, p *browser.Page) (devtools *cdp.Session, home string, err error) {
	if p.Session.Browser.Config.Mask != nil {
		return nil, "", provider.Errorf(provider.KindBlocked, "blocked: session.cdp: a DevTools client could read the secrets that were typed into pages")
	}
	return p.Offered(ctx, "the session can't be offered over DevTools")
}

// Serve serves the session of ctx to a client: GET of its path as a WebSocket, or of
// json/version and json/list below it. If it returns an error, it has not answered.
func Serve(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
	s := browser.SessionOf(ctx)
	p, err := s.Page(ctx, "")
	if err != nil {
		return err
	}
	devtools, home, err := reachable(ctx, p)
	if err != nil {
		return err
	}
	o := optionsOf(p.Session, p.Engine, home)
	o.Context = p.ContextID()
	at, below := split(r.URL.Path)
	if strings.HasPrefix(below, "/json") {
		leave, err := present.Of(s).asks()
		if err != nil {
			return err
		}
		defer leave()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime))
	}
	switch below {
	case "/json/version":
		return describe(w, r, p, at, devtools)
	case "/json", "/json/list":
		return list(r.Context(), w, r, p, at, devtools, o)
	}
	leave, err := present.Of(s).come()
	if err != nil {
		return err
	}
	defer leave()
	client, err := cdpview.Upgrade(w, r, o.Budget)
	if err != nil {
		return nil // it has been answered
	}
	if target, one := strings.CutPrefix(below, pagePath); one {
		o.Page = target
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.OnClose(func(browser.Ending) { cancel() })
	if err := cdpview.Serve(ctx, devtools, client, o); err != nil {
		s.Browser.Log.Warn("a DevTools client could not be served", "why", err)
	}
	return nil
}

// budgets count the pending data of a session's clients.
var budgets = browser.State[*browser.Session, cdpview.Budget]{
	New: func(*browser.Session) *cdpview.Budget { return cdpview.NewBudget() },
}

// optionsOf are a client's permissions in a session: the same as its tools'. home is
// the context that existed before us, "" for none.
func optionsOf(s *browser.Session, e *browser.Engine, home string) cdpview.Options {
	rules := Rules(s)
	shared := clipboard.ClipboardOf(s) != nil
	o := cdpview.Options{
		Owns:     s.OwnsContext,
		World:    driver.UtilityWorld,
		Navigate: rules.Navigate, Proxy: func(string) error { return rules.Proxy() },
		Upload: mayUpload,
		Permission: func(name string) error {
			if shared && strings.HasPrefix(strings.ToLower(name), "clipboard") && !strings.EqualFold(name, "clipboardSanitizedWrite") {
				return clipboard.ErrClipboardRead()
			}
			return nil
		},
		Input: func(target, method string, params map[string]json.RawMessage) (func() error, error) {
			if !shared {
				return nil, nil
			}
			pastes, err := clipboard.Input(method, decoded(params))
			if err != nil {
				return nil, clipboard.MayPressOn(PageBy(s, target), method, decoded(params))
			}
			if !pastes {
				return nil, err
			}
			return func() error { return paste(s, target) }, nil
		},
		NewPage: func(context string) error { return s.MayOpenPage(e, context) },
		NewContext: func() error {
			if e.First != nil {
				return errors.New("a browser with --user-data-dir has one context")
			}
			return s.TakePlace(e)
		},
		Answered: present.Of(s).answered, Attached: keepsMedium(s), Choosers: choosers.Of(s),
		Downloads: downloadsOf(e), Budget: budgets.Of(s),
		Settled: func(context, target string) {
			if s.OwnsContext(context) {
				Identified(s, target)
			}
		},
		Sole:   func() (int64, bool) { return sole(s) },
		Leaves: func(target string) func() { return guard.Leaves(PageBy(s, target)) },
		Opened: func(id string) { s.CountPages(e, id) },
		Closed: func(id string) { s.LeavePlace(e, id) },
	}
	drawn(&o, s)
	if s.Browser.Policy().Guards() {
		o.Refused = rules.Request
	}
	if s.Browser.Config.Attached() {
		inShared(&o, s, home)
	}
	return o
}

// drawn counts the pixels that clients draw with the session's pages.
func drawn(o *cdpview.Options, s *browser.Session) {
	o.Draw = func(target string, pixels float64) error {
		if p := PageBy(s, target); p != nil {
			return p.DrawAs(pixels)
		}
		return s.RoomToDraw(nil, pixels)
	}
	o.Scale = func(target string) float64 {
		if p := PageBy(s, target); p != nil {
			return p.Scale()
		}
		return s.MaxScale() // the page has only just come
	}
}

// inShared narrows the options to what tools have in somebody else's browser: the tabs,
// if they are lent to the session, except where the policy refuses their URL. The
// driver takes a context that it did not open for the person's, so clients must open
// none.
func inShared(o *cdpview.Options, s *browser.Session, home string) {
	policy := s.Browser.Policy()
	files := policy.At("file:///") == nil
	o.Shared = &cdpview.SharedBrowser{Home: home, Shows: func(url string) bool {
		return policy.At(url) == nil && (files || !strings.HasPrefix(url, "blob:null/")) // those of files are called so
	}}
	o.Owns = func(context string) bool { return s.OwnsContext(context) || context == home && s.Borrows() }
	o.NewContext = func() error {
		return errors.New("in a browser that pwpipe attached to, a client sees the session's contexts only; open one with the tool new-ctx")
	}
}

// mayUpload judges a file for a page, as upload does. The browser has a working
// directory of its own.
func mayUpload(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%q is not an absolute path", path)
	}
	if err := files.MayTouch(path); err != nil {
		return err
	}
	return files.MayUpload(path)
}

func decoded(params map[string]json.RawMessage) map[string]any {
	m := map[string]any{}
	for name, raw := range params {
		var v any
		_ = json.Unmarshal(raw, &v)
		m[name] = v
	}
	return m
}

// ServeScript serves the session as a browser to its script process, until the process
// leaves. Dialogs don't wait for it as for other clients: it is asked first. owns
// reports the session's contexts without pages.
func ServeScript(ctx context.Context, s *browser.Session, e *browser.Engine, client cdpview.Client, owns func(context string) bool) error {
	devtools, home, err := e.Line()
	if err != nil {
		_ = client.Close()
		return err
	}
	o := optionsOf(s, e, home)
	o.First, o.Downloads, o.Refused = true, nil, nil
	o.Sole = func() (int64, bool) { return 0, false }
	o.World, o.Worlds = "", []string{driver.UtilityWorld} // refs are known there
	session := o.Owns
	o.Owns = func(context string) bool { return session(context) || owns(context) }
	settled := o.Settled
	o.Settled = func(context, target string) {
		if owns(context) { // its first page counts before the next is requested
			Identified(s, target)
			return
		}
		settled(context, target)
	}
	return cdpview.Serve(ctx, devtools, client, o)
}
