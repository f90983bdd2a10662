// Package network answers, watches and slows down the requests of pages.
package network

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy/urlglob"
	"pwpipe/provider"
)

// Tools that Go code calls too.
var (
	Route = tool.TypedOnPageDo(tool.Core.Acts("route", "Mock requests",
		"Answer the page's requests that match a URL pattern").Within(5*time.Second), addRoute)
	Unroute = tool.TypedOnPageDo(tool.Core.Acts("unroute", "Stop mocking",
		"Remove the routes of a pattern").Within(5*time.Second), removeRoute)
	Request = tool.TypedOnPage(tool.Net.Reads("request", "Request",
		"Get one of the page's requests with headers and bodies").Within(10*time.Second), oneRequest)
	Offline = tool.TypedOnPageDo(tool.Net.Acts("offline", "Offline",
		"Cut the page's context off from the network, or connect it again"), offline)
)

// Tools are core's: route and unroute.
func Tools() []*provider.Tool { return []*provider.Tool{Route.Tool, Unroute.Tool} }

// RouteParams are the parameters of [Route].
type RouteParams struct {
	Pattern string          `json:"pattern" doc:"URL glob such as **/api/*"`
	Handler json.RawMessage `json:"handler" doc:"JSON: the body, or status, headers, contentType, body, json, path, delay (ms), times, abort, fallback, request (headers, remove)"`
}

// UnrouteParams are the parameters of [Unroute].
type UnrouteParams struct {
	Pattern string `json:"pattern" doc:"as given to route"`
}

// routed are the routes of a page, newest first.
var routed browser.State[*browser.Page, routes]

type routes struct {
	mu   sync.Mutex
	list []*route
	asks bool // the driver asks about each request
}

// route is a handler's parsed description.
type route struct {
	pattern string
	glob    *urlglob.Glob
	size    int // bytes of both
	used    atomic.Int64

	Status      int               `json:"status"`
	Headers     map[string]string `json:"headers"`
	ContentType string            `json:"contentType"`
	Body        *string           `json:"body"`
	JSON        json.RawMessage   `json:"json"`
	Path        string            `json:"path"`
	Delay       float64           `json:"delay"` // milliseconds
	Times       int64             `json:"times"` // 0: always
	Abort       json.RawMessage   `json:"abort"` // true, or the name of an error
	Fallback    bool              `json:"fallback"`
	Request     *onward           `json:"request"`
}

// onward is how a request goes on that is not answered.
type onward struct {
	Headers map[string]string `json:"headers"`
	Remove  []string          `json:"remove"` // names of headers
}

// goOn lets a request through with other headers, to the next route or the network.
func (o *onward) goOn(req playwright.Route) error {
	headers := maps.Clone(req.Request().Headers()) // names in lower case
	for name, value := range o.Headers {
		headers[strings.ToLower(name)] = value
	}
	for _, name := range o.Remove {
		delete(headers, strings.ToLower(name))
	}
	return req.Fallback(playwright.RouteFallbackOptions{Headers: headers})
}

// addRoute is page.route.
func addRoute(c *tool.Call, in RouteParams) error {
	r, err := parseRoute(in.Handler, c.Short)
	if err != nil {
		return err
	}
	if r.Path != "" {
		if err := files.MayTouch(r.Path); err != nil {
			return err
		}
	}
	r.pattern, r.size = in.Pattern, len(in.Pattern)+len(in.Handler)
	if err := room(c.Session, r.size); err != nil {
		return err
	}
	if r.glob, err = urlglob.Compile(in.Pattern, c.Session.Browser.Config.BaseURL); err != nil {
		return provider.Errorf(provider.KindArgs, "pattern: %w", err)
	}
	return c.Fail(routed.Of(c.Page).add(c, r), "")
}

// add puts a route before the others. The driver only gets one that matches all URLs: a
// glob could keep its own matching busy for ever, and all sessions share the driver.
func (a *routes) add(c *tool.Call, r *route) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.asks {
		gone := c.Gone
		if err := c.PW.Route(urlglob.All, func(req playwright.Route) { a.answer(req, gone) }); err != nil {
			return err
		}
		a.asks = true
	}
	a.list = append([]*route{r}, a.list...)
	return nil
}

// answer asks the matching routes in order, until one answers. It runs in a goroutine
// of its own.
func (a *routes) answer(req playwright.Route, gone <-chan struct{}) {
	url := req.Request().URL()
	a.mu.Lock()
	list := a.list
	a.mu.Unlock()
	for _, r := range list {
		if r.glob.Match(url) && a.has(r) && r.handle(req, gone) {
			return
		}
	}
	_ = req.Fallback()
}

// has reports whether a route still exists since the request came.
func (a *routes) has(r *route) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Contains(a.list, r)
}

// removeRoute is page.unroute. A pattern without a route is no error.
func removeRoute(c *tool.Call, in UnrouteParams) error {
	all := routed.Of(c.Page)
	all.mu.Lock()
	defer all.mu.Unlock()
	all.list = slices.DeleteFunc(slices.Clone(all.list), func(r *route) bool { return r.pattern == in.Pattern })
	if !all.asks || len(all.list) > 0 {
		return nil
	}
	all.asks = false
	return c.Fail(c.PW.Unroute(urlglob.All), "")
}

// routeKeys are the keys of a description, in the order in which an error lists them.
var routeKeys = []string{"status", "headers", "contentType", "body", "json", "path", "delay", "times", "abort", "fallback", "request"}

// parseRoute reads a handler: a JSON text or a value. An object whose keys are
// all known describes the reply; anything else is the body.
func parseRoute(handler json.RawMessage, short func(string, int) string) (*route, error) {
	text := handler
	var s string
	if json.Unmarshal(handler, &s) == nil {
		text = json.RawMessage(s)
	}
	var keys map[string]json.RawMessage
	if !json.Valid(text) {
		return nil, provider.Errorf(provider.KindArgs, "handler: not JSON: %s", short(string(text), 80)).
			WithHint(`for a plain text give {"body":"…"}`)
	}
	_ = json.Unmarshal(text, &keys)
	describes := len(keys) > 0
	for k := range keys {
		describes = describes && slices.Contains(routeKeys, k)
	}
	r := &route{}
	if !describes {
		r.JSON = text
		return r, nil
	}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, provider.Errorf(provider.KindArgs, "handler: %s", routeTypeError(err)).
			WithHint(`to send this object itself wrap it: {"json":{…}}`)
	}
	return r, r.check(keys)
}

// routeTypes names the types of a description in JSON's terms.
var routeTypes = map[reflect.Kind]string{reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number",
	reflect.String: "a string", reflect.Map: "an object of strings", reflect.Bool: "true or false"}

func routeTypeError(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return fmt.Sprintf("%s: expected %s, got a %s", t.Field, routeTypes[t.Type.Kind()], t.Value)
	}
	return err.Error()
}

// check refuses descriptions that contradict themselves.
func (r *route) check(keys map[string]json.RawMessage) error {
	refuse := func(format string, args ...any) error {
		return provider.Errorf(provider.KindArgs, "handler: %s", fmt.Sprintf(format, args...))
	}
	bodies := slices.DeleteFunc([]string{"body", "json", "path"}, func(k string) bool { return keys[k] == nil })
	switch {
	case r.Request != nil && len(keys) > 1:
		for _, k := range routeKeys {
			if keys[k] != nil && !slices.Contains([]string{"request", "times", "delay"}, k) {
				return refuse("request: it goes on, so leave out %s", k)
			}
		}
	case len(bodies) > 1:
		return refuse("give one of %s, not both", strings.Join(bodies, " and "))
	case keys["status"] != nil && (r.Status < 100 || r.Status > 599):
		return refuse("status: expected 100 to 599, got %d", r.Status)
	case r.Delay < 0:
		return refuse("delay: expected milliseconds, got %v", r.Delay)
	case keys["times"] != nil && r.Times < 1:
		return refuse("times: expected at least 1, got %d", r.Times)
	}
	if r.Path != "" {
		if info, err := os.Stat(r.Path); err != nil || info.IsDir() {
			return refuse("path: no file %s", r.Path)
		}
	}
	if keys["abort"] != nil {
		if _, err := r.abortCode(); err != nil {
			return refuse("%v", err)
		}
	}
	return nil
}

// abortCodes are the error codes of route.abort.
var abortCodes = []string{"aborted", "accessdenied", "addressunreachable", "blockedbyclient", "blockedbyresponse",
	"connectionaborted", "connectionclosed", "connectionfailed", "connectionrefused", "connectionreset",
	"internetdisconnected", "namenotresolved", "timedout", "failed"}

// abortCode is the error code to abort with, "" if the route does not abort.
func (r *route) abortCode() (string, error) {
	switch string(r.Abort) {
	case "", "false", "null":
		return "", nil
	case "true":
		return "failed", nil
	}
	var code string
	if json.Unmarshal(r.Abort, &code) != nil || !slices.Contains(abortCodes, code) {
		return "", fmt.Errorf("abort: expected true or one of %s, got %s", strings.Join(abortCodes, ", "), r.Abort)
	}
	return code, nil
}

// handle answers one request, or reports that the next route must.
func (r *route) handle(req playwright.Route, gone <-chan struct{}) (done bool) {
	if n := r.used.Add(1); r.Times > 0 && n > r.Times {
		return false
	}
	if r.Delay > 0 {
		select {
		case <-time.After(time.Duration(r.Delay * float64(time.Millisecond))):
		case <-gone:
			return true
		}
	}
	if code, _ := r.abortCode(); code != "" {
		_ = req.Abort(code)
		return true
	}
	if r.Fallback {
		return false
	}
	if r.Request != nil {
		if r.Request.goOn(req) != nil {
			_ = req.Abort("failed")
		}
		return true
	}
	reply, err := r.reply()
	if err == nil {
		err = req.Fulfill(reply)
	}
	if err != nil {
		_ = req.Abort("failed") // a file that can't be read: the page sees a failed request, not silence
	}
	return true
}

// maxFile bounds a file that answers a request, in bytes.
const maxFile = 64 << 20

// reply is the argument for route.fulfill.
func (r *route) reply() (playwright.RouteFulfillOptions, error) {
	o := playwright.RouteFulfillOptions{Headers: r.Headers, Status: playwright.Int(cmp.Or(r.Status, 200))}
	kind := r.ContentType
	switch {
	case r.JSON != nil:
		o.Body, kind = string(r.JSON), cmp.Or(kind, "application/json")
	case r.Path != "":
		body, err := files.Read(r.Path, maxFile)
		if err != nil {
			return o, err
		}
		o.Body, kind = body, cmp.Or(kind, mime.TypeByExtension(filepath.Ext(r.Path)), "application/octet-stream")
	case r.Body != nil:
		o.Body = *r.Body
	}
	o.ContentType = tool.Optional(kind)
	return o, nil
}
