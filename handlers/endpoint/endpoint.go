// Package endpoint offers a session to clients that speak DevTools, as a browser
// of its own: to Playwright, Puppeteer, and who else connects to a Chromium.
package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/clipboard"
	"pwpipe/handlers/files"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/tool"
	"pwpipe/internal/virtual"
	"pwpipe/provider"
)

// Tools give addresses of sessions.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.RPC.Reads("session.cdp", "DevTools address", "Get an address at which the session is a browser of its own, for clients such as Playwright's connectOverCDP").OwnWords(), address),
	}
}

type addressResult struct {
	URL string `json:"url" doc:"WebSocket address; who knows it has the session"`
}

// address is where a client connects.
func address(c *tool.Call, _ tool.NoParams) (addressResult, error) {
	if err := reachable(c.Page); err != nil {
		return addressResult{}, err
	}
	if base, ok := c.Ctx.Value(baseKey{}).(string); ok {
		return addressResult{base + Path + c.Session.Options.ID}, nil
	}
	url, err := doors.Of(c.Session.Browser).admit(c.Session)
	return addressResult{url}, err
}

// Path is where sessions are served, each by its id.
const Path = "/cdp/"

type baseKey struct{}

// WithBase says where the sessions of calls under ctx are served already, such
// as ws://127.0.0.1:3337.
func WithBase(ctx context.Context, base string) context.Context {
	return context.WithValue(ctx, baseKey{}, base)
}

// reachable is the error of a page that can't be offered.
func reachable(p *browser.Page) error {
	if p.Session.Browser.Config.Mask != nil {
		return provider.Errorf(provider.KindBlocked, "blocked: session.cdp: a client of DevTools would read what was typed by a secret's name")
	}
	if p.Engine.DevTools == nil || p.Attached() != nil || p.ContextID() == "" {
		return provider.Errorf(provider.KindFailed, "the session can't be offered over DevTools: pwpipe has no line of its own to this browser").
			WithHint("it has one to a Chromium that it starts itself, not to an attached browser, Firefox or WebKit")
	}
	return nil
}

// Serve serves the session of ctx to who asks for it: GET of its path as a
// WebSocket, or of json/version below it. An error has not been answered.
func Serve(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
	s := browser.SessionOf(ctx)
	p, err := s.Page(ctx, "")
	if err == nil {
		err = reachable(p)
	}
	if err != nil {
		return err
	}
	if at, ok := strings.CutSuffix(strings.TrimSuffix(r.URL.Path, "/"), "/json/version"); ok {
		return describe(w, r, p, at)
	}
	left, err := present.Of(s).come()
	if err != nil {
		return err
	}
	defer left()
	client, err := virtual.Upgrade(w, r)
	if err != nil {
		return nil // it has been answered
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.OnClose(func(browser.Ending) { cancel() })
	if err := virtual.Serve(ctx, p.Engine.DevTools, client, optionsOf(p.Session, p.Engine, p.ContextID())); err != nil {
		s.Browser.Log.Warn("a client of DevTools could not be served", "why", err)
	}
	return nil
}

// describe is what clients ask for that know an address of HTTP only.
func describe(w http.ResponseWriter, r *http.Request, p *browser.Page, at string) error {
	scheme := "ws"
	if r.TLS != nil {
		scheme = "wss"
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]string{"Browser": "Chrome/" + p.Engine.Version(), "Protocol-Version": "1.3",
		"webSocketDebuggerUrl": scheme + "://" + r.Host + at})
}

// optionsOf are what a client may do in a session: what its tools may. context is
// the one that it takes for the default one.
func optionsOf(s *browser.Session, e *browser.Engine, context string) virtual.Options {
	rules := guard.ScriptGuard(s)
	shared := clipboard.ClipboardOf(s) != nil
	return virtual.Options{
		Context: context, Owns: s.OwnsContext,
		Navigate: rules.Navigate, Proxy: func(string) error { return rules.Proxy() },
		Upload: mayUpload,
		Permission: func(name string) error {
			if shared && strings.HasPrefix(strings.ToLower(name), "clipboard") && !strings.EqualFold(name, "clipboardSanitizedWrite") {
				return clipboard.ErrClipboardRead()
			}
			return nil
		},
		Input: func(method string, params map[string]json.RawMessage) error {
			if !shared {
				return nil
			}
			return clipboard.MayInput(method, decoded(params))
		},
		NewPage: func() error { return s.MayOpenPage(e) },
		NewContext: func() error {
			if e.First != nil {
				return errors.New("a browser with --user-data-dir has one context")
			}
			return s.TakePlace(e)
		},
		Answered: present.Of(s).answered,
		Opened:   func(id string) { s.CountPages(e, id) },
		Closed:   func(id string) { s.LeavePlace(e, id) },
	}
}

// mayUpload judges a file that a page is to be given, as upload does. The
// browser has a working directory of its own.
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
