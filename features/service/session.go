// Package service declares the methods `page.*` and `session.*` of the HTTP service
// (profile `rpc`); their transport is `provider/service`.
package service

import (
	"context"
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"

	"pwpipe/features/har"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/pool"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/provider"
	"pwpipe/provider/toollist"
)

// Tools open, close and describe sessions.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.Define(tool.RPC.Acts("session.create", "Open a session", "Open a session: a browser context of its own with one page").Within(30*time.Second).NoSession().OwnWords(), createSession),
		tool.Define(tool.RPC.Switches("session.close", "Close a session", "Close a session and everything in it; with its HAR, if one was recorded").NoSession(), closeSession),
		tool.OnSession(tool.RPC.Reads("session.storageState", "Storage state", "Get the cookies and local storage of the session, for session.create").Within(10*time.Second), storageState),
		tool.Define(tool.RPC.Reads("rpc.discover", "Describe", "Get the OpenRPC description of every method").Within(5*time.Second).NoSession().OwnWords(),
			func(ctx context.Context, _ tool.NoParams) (json.RawMessage, error) {
				return toollist.OpenRPC(provider.TableOf(ctx).Profile("all")), nil
			}),
	}
}

type okResult struct {
	OK bool `json:"ok" doc:"true"`
}

var ok = okResult{true}

type rpcViewport struct {
	Width  int `json:"width" doc:"pixels" min:"1" max:"10000"`
	Height int `json:"height" doc:"pixels" min:"1" max:"10000"`
}

type proxyParams struct {
	Server   string `json:"server" doc:"such as http://proxy:3128 or socks5://proxy:1080"`
	Bypass   string `json:"bypass,omitempty" doc:"hosts to reach without it, with commas"`
	Username string `json:"username,omitempty" doc:"for the proxy"`
	Password string `json:"password,omitempty" doc:"for the proxy"`
}

// sessionOptions are the options of a session's browser context.
type sessionOptions struct {
	Headless          *bool           `json:"headless,omitempty" doc:"must be what the service's browser is"`
	Viewport          *rpcViewport    `json:"viewport,omitempty" doc:"size of the page, 1280 by 800 if left out"`
	UserAgent         string          `json:"userAgent,omitempty" doc:"user agent"`
	StorageState      json.RawMessage `json:"storageState,omitempty" doc:"cookies and local storage, as session.storageState gives them"`
	Proxy             *proxyParams    `json:"proxy,omitempty" doc:"proxy of this session"`
	HAR               json.RawMessage `json:"har,omitempty" secrets:"no" doc:"record the network for session.close to give: true or \"full\" with bodies, \"minimal\" without"`
	IgnoreHTTPSErrors bool            `json:"ignoreHTTPSErrors,omitempty" doc:"accept any certificate"`
	Tabs              bool            `json:"tabs,omitempty" doc:"be lent the open tabs of the browser that the service is attached to, rather than a context of its own"`
	Name              string          `json:"name,omitempty" doc:"what people see it called; at most 100 characters"`
}

// maxName bounds the name of a session, in characters.
const maxName = 100

// PlainSession prepares a session without options.
func PlainSession(s *browser.Session) error { return sessionOptions{}.apply(s) }

// recordInto has a session's first context recorded.
func recordInto(s *browser.Session) error {
	if err := har.Check(s); err != nil {
		return err
	}
	return har.OfSession(s).Record()
}

// apply checks the options, and has the session's contexts made with them.
func (o sessionOptions) apply(s *browser.Session) error {
	bad := func(format string, args ...any) error {
		return provider.Errorf(provider.KindArgs, format, args...)
	}
	if o.Headless != nil && *o.Headless == s.Browser.Config.Headed {
		return bad("headless: this service's browser is started with headless %v, for all sessions", !s.Browser.Config.Headed)
	}
	if n := utf8.RuneCountInString(o.Name); n > maxName {
		return bad("name: at most %d characters, got %d", maxName, n)
	}
	if o.Proxy != nil && o.Proxy.Server == "" {
		return bad("proxy: server is empty")
	}
	base := playwright.BrowserNewContextOptions{Viewport: &playwright.Size{Width: 1280, Height: 800}}
	if o.Viewport != nil {
		base.Viewport = &playwright.Size{Width: o.Viewport.Width, Height: o.Viewport.Height}
	}
	base.UserAgent = optional(o.UserAgent)
	if o.IgnoreHTTPSErrors {
		base.IgnoreHttpsErrors = playwright.Bool(true)
	}
	if o.Proxy != nil {
		base.Proxy = &playwright.Proxy{Server: o.Proxy.Server, Bypass: optional(o.Proxy.Bypass),
			Username: optional(o.Proxy.Username), Password: optional(o.Proxy.Password)}
	}
	if present(o.StorageState) {
		saved, err := storagestate.Parse(o.StorageState)
		if err != nil {
			return bad("storageState: expected what session.storageState gives: %v", err)
		}
		base.StorageState = saved
	}
	mode, err := harMode(s.Browser, o.HAR)
	if err != nil {
		return err
	}
	if mode != nil {
		if err := recordInto(s); err != nil {
			return err
		}
	}
	s.Options.Context = func() (playwright.BrowserNewContextOptions, error) {
		own := base
		if path := har.OfSession(s).FirstPath(); path != "" {
			own.RecordHarPath, own.RecordHarMode = &path, mode
			own.RecordHarContent = playwright.HarContentPolicyEmbed
		}
		return own, nil
	}
	return nil
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// harMode decodes har; nil for none.
func harMode(b *browser.Browser, raw json.RawMessage) (*playwright.HarMode, error) {
	switch string(raw) {
	case "", "null", "false":
		return nil, nil
	case "true", `"full"`:
		return playwright.HarModeFull, nil
	case `"minimal"`:
		return playwright.HarModeMinimal, nil
	}
	return nil, provider.Errorf(provider.KindArgs, `har: expected true, "full" or "minimal", got %s`, b.Short(string(raw), 60))
}

type createdSession struct {
	SessionID string `json:"session_id" doc:"to give with each request"`
}

// createSession is browser.newContext and context.newPage.
func createSession(ctx context.Context, in sessionOptions) (createdSession, error) {
	p, err := pool.PoolOf(ctx)
	if err != nil {
		return createdSession{}, err
	}
	tabs := browser.TabsNever
	if in.Tabs {
		if !p.Browser.Config.Lends() {
			return createdSession{}, provider.Errorf(provider.KindArgs, "tabs: this service starts its own browser; with --cdp it attaches to one that has open tabs")
		}
		tabs = browser.TabsMust
	}
	id, err := p.CreateWith(ctx, browser.SessionOptions{Tabs: tabs, Name: in.Name}, in.apply)
	return createdSession{id}, err
}

type sessionParam struct {
	SessionID string `json:"session_id" doc:"of session.create"`
}

type closedSession struct {
	OK  bool            `json:"ok" doc:"true"`
	HAR json.RawMessage `json:"har,omitempty" keys:"log,version,creator,name,browser,pages,startedDateTime,id,title,pageTimings,onContentLoad,onLoad,entries,pageref,time,request,method,url,httpVersion,cookies,headers,queryString,headersSize,bodySize,postData,mimeType,text,params,response,status,statusText,content,size,encoding,redirectURL,value,cache,timings,blocked,dns,connect,send,wait,receive,ssl,serverIPAddress,connection,comment,path,domain,expires,httpOnly,secure,sameSite,fileName,contentType" doc:"what session.create's har asked for"`
}

// closeSession is context.close.
func closeSession(ctx context.Context, in sessionParam) (closedSession, error) {
	p, err := pool.PoolOf(ctx)
	if err != nil {
		return closedSession{}, err
	}
	if p.Gone(ctx, in.SessionID) {
		return closedSession{OK: true}, nil // closing twice is no error
	}
	var recorded *har.SessionHAR
	err = p.CloseWith(ctx, in.SessionID, func(s *browser.Session) {
		recorded = har.OfSession(s)
		recorded.Want()
	})
	if err != nil {
		return closedSession{}, err
	}
	out := closedSession{OK: true}
	if out.HAR, err = recorded.Text(); err != nil {
		err = provider.Errorf(provider.KindFailed, "the session is closed, but its HAR can't be read: %w", err)
	}
	return out, err
}

type storageResult struct {
	StorageState json.RawMessage `json:"storageState" keys:"cookies,origins,name,value,domain,path,expires,httpOnly,secure,sameSite,origin,localStorage" doc:"cookies and origins"`
}

// storageState is context.storageState of the context used last.
func storageState(ctx context.Context, s *browser.Session, _ tool.NoParams) (storageResult, error) {
	pg, err := s.Page(ctx, provider.RequestFrom(ctx).Page)
	if err != nil {
		return storageResult{}, err
	}
	state, err := browser.Await(ctx, pg.Engine, pg, func() (*playwright.StorageState, error) { return pg.Context.StorageState() })
	if err != nil {
		return storageResult{}, tool.Failure(err, "", provider.RequestFrom(ctx).Deadline, pg.Where())
	}
	raw, err := json.Marshal(state)
	return storageResult{raw}, err
}
