package network

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/events"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy/urlglob"
	"pwpipe/provider"
)

// NetTools are those of profile net, but for WebSockets.
func NetTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Net.Reads("requests", "Requests",
			"List the page's requests and their outcomes, the oldest first").Within(10*time.Second), listRequests),
		Request.Tool,
		tool.OnPage(tool.Net.Waits("wait-request", "Wait for request",
			"Wait until the page has sent a matching request; one sent since the last call that acted on the page counts").
			Within(30*time.Second), waitRequest),
		tool.OnPage(tool.Net.Waits("wait-response", "Wait for response",
			"Wait until a matching response has come; one that came since the last call that acted on the page counts").
			Within(30*time.Second), waitResponse),
		tool.OnPage(tool.Net.Reads("routes", "Routes",
			"List the page's routes in the order in which they are asked, and how often each has answered"), listRoutes),
		Offline.Tool,
		tool.OnPageDo(tool.Net.Acts("headers", "Headers",
			"Send these headers with every request of the page from now on; {} sends none"), headers),
		tool.OnPageDo(tool.Net.Acts("throttle", "Throttle",
			"Slow down the page's network and CPU (Chromium); preset none ends it"), throttle),
	}
}

// requestFilter selects requests.
type requestFilter struct {
	URL    string `json:"url,omitempty" doc:"part of the URL, or a glob such as **/api/*"`
	Method string `json:"method,omitempty" doc:"such as GET or POST"`
	Type   string `json:"type,omitempty" doc:"such as document, script, stylesheet, image, xhr, fetch"`
	Status string `json:"status,omitempty" doc:"such as 404, 4xx, or failed"`
}

type requestsParams struct {
	requestFilter
	Last  int   `json:"last,omitempty" doc:"only this many, the newest" default:"100" min:"1" max:"1000"`
	Since int64 `json:"since,omitempty" doc:"only those with a greater number" min:"0"`
}

// requestInfo is a request with its outcome.
type requestInfo struct {
	Request int64  `json:"request" doc:"its number, for the tool request"`
	Method  string `json:"method" own:"word" doc:"GET, POST, …"`
	URL     string `json:"url" doc:"address"`
	Type    string `json:"type" own:"word" doc:"what it is for: document, script, fetch, …"`
	Status  int    `json:"status,omitempty" doc:"HTTP status; nothing if there is no response yet"`
	Failed  string `json:"failed,omitempty" doc:"why there is none"`
	Took    int64  `json:"took,omitempty" doc:"milliseconds to the head of the response"`
}

// compile makes the filter's test for one request.
func (f requestFilter) compile() (matches func(*requestInfo) bool, err error) {
	ofURL := func(url string) bool { return strings.Contains(url, f.URL) }
	if strings.Contains(f.URL, "*") {
		glob, err := urlglob.Compile(f.URL, "")
		if err != nil {
			return nil, provider.Errorf(provider.KindArgs, "url: %w", err)
		}
		ofURL = glob.Match
	}
	return func(i *requestInfo) bool {
		return ofURL(i.URL) &&
			(f.Method == "" || strings.EqualFold(f.Method, i.Method)) &&
			(f.Type == "" || strings.EqualFold(f.Type, i.Type)) &&
			statusMatches(f.Status, i)
	}, nil
}

func statusMatches(want string, i *requestInfo) bool {
	switch {
	case want == "":
		return true
	case want == "failed":
		return i.Failed != ""
	}
	s := strconv.Itoa(i.Status)
	return want == s || len(want) == 3 && strings.HasSuffix(strings.ToLower(want), "xx") && s[0] == want[0]
}

// pageRequests are the page's kept requests after since.
func pageRequests(c *tool.Call, since int64) (list []*requestInfo, byNumber map[int64]*requestInfo) {
	byNumber = map[int64]*requestInfo{}
	for _, e := range events.Recorded.Of(c.Session).Since(since, events.EventRequest, events.EventResponse, events.EventRequestFailed) {
		if e.Page != c.Name {
			continue
		}
		if e.Kind == events.EventRequest {
			i := &requestInfo{Request: e.Seq, Method: e.Method, URL: e.URL, Type: e.Type}
			list, byNumber[e.Seq] = append(list, i), i
			continue
		}
		if i := byNumber[e.Request]; i != nil {
			i.Status, i.Failed, i.Took = e.Status, e.Text, e.Took
		}
	}
	return list, byNumber
}

// listRequests lists the requests of page.on("request") that match the filters.
func listRequests(c *tool.Call, in requestsParams) ([]requestInfo, error) {
	matches, err := in.compile()
	if err != nil {
		return nil, err
	}
	found := []requestInfo{}
	all, _ := pageRequests(c, in.Since)
	for _, i := range all {
		if matches(i) {
			found = append(found, *i)
		}
	}
	return found[max(0, len(found)-in.Last):], nil
}

// RequestParams are the parameters of [Request].
type RequestParams struct {
	Request int64 `json:"request" doc:"number that requests, wait-request or wait-response gave" min:"1"`
}

// Detail is a request and its response with all details.
type Detail struct {
	requestInfo
	Headers  map[string]string `json:"headers" doc:"of the request"`
	Body     string            `json:"body,omitempty" doc:"of the request"`
	NoBody   string            `json:"noBody,omitempty" doc:"why the request's body can't be had"`
	Response *Response         `json:"response,omitempty" doc:"nothing if there is none"`
}

// Response is the response of a [Detail].
type Response struct {
	Status     int               `json:"status" doc:"HTTP status"`
	StatusText string            `json:"statusText" doc:"the reason phrase"`
	Headers    map[string]string `json:"headers" doc:"names in lower case"`
	Body       string            `json:"body,omitempty" doc:"text, or base64 where it is none"`
	Base64     bool              `json:"base64,omitempty" doc:"whether the body is base64"`
	NoBody     string            `json:"noBody,omitempty" doc:"why the body can't be had"`
}

// longestBody is the longest request body that the browser reports to the driver
// (internal/browser/driver/bounds.cjs).
const longestBody = 1 << 20

// oneRequest is request.allHeaders, request.postData, response.body.
func oneRequest(c *tool.Call, in RequestParams) (*Detail, error) {
	_, byNumber := pageRequests(c, 0)
	info := byNumber[in.Request]
	e, ok := events.Recorded.Of(c.Session).Find(in.Request)
	if info != nil && ok && e.PWRequest == nil {
		return nil, provider.Errorf(provider.KindNoTarget, "headers and bodies of request %d are no longer kept", in.Request).
			WithHint("the newest 200 keep them, with bodies up to 8 MiB in all")
	}
	if info == nil || !ok {
		return nil, provider.Errorf(provider.KindNoTarget, "the page has no request %d", in.Request).
			WithHint("`requests` lists the requests that are kept")
	}
	d := &Detail{requestInfo: *info}
	var err error
	if d.Headers, err = e.PWRequest.AllHeaders(); err != nil {
		d.Headers = e.PWRequest.Headers()
	}
	d.Body, _ = e.PWRequest.PostData()
	if sent, _ := strconv.Atoi(d.Headers["content-length"]); d.Body == "" && sent > longestBody {
		d.NoBody = fmt.Sprintf("it is longer than %d bytes, and such are not kept", longestBody)
	}
	if info.Status == 0 {
		return d, nil
	}
	response, err := e.PWRequest.Response()
	if err != nil || response == nil {
		return d, c.Fail(err, "")
	}
	d.Response = readResponse(c, response)
	return d, nil
}

// bodyTime bounds the wait for a body. A body that the page does not read never comes.
const bodyTime = 2 * time.Second

func readResponse(c *tool.Call, r playwright.Response) *Response {
	d := &Response{Status: r.Status(), StatusText: r.StatusText()}
	var err error
	if d.Headers, err = r.AllHeaders(); err != nil {
		d.Headers = r.Headers()
	}
	ctx, cancel := context.WithTimeout(c.Ctx, min(bodyTime, c.TimeLeft()/2))
	defer cancel()
	body, err := read(ctx, r.Body)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		d.NoBody = "it has not come in full, or the page has not read it"
	case err != nil:
		d.NoBody = pwerrors.FirstLine(pwerrors.CleanMessage(err))
	case utf8.Valid(body):
		d.Body = string(body)
	default:
		d.Body, d.Base64 = base64.StdEncoding.EncodeToString(body), true
	}
	return d
}

// read runs a call that may never return, until ctx ends.
func read[T any](ctx context.Context, fn func() (T, error)) (value T, err error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() { v, err := fn(); done <- outcome{v, err} }()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// waitRequest is page.waitForRequest.
func waitRequest(c *tool.Call, in requestFilter) (requestInfo, error) {
	return waitTraffic(c, in, "request", func(*requestInfo) bool { return true })
}

// waitResponse is page.waitForResponse.
func waitResponse(c *tool.Call, in requestFilter) (requestInfo, error) {
	return waitTraffic(c, in, "response", func(i *requestInfo) bool { return i.Status > 0 || i.Failed != "" && in.Status == "failed" })
}

// waitTraffic waits for a request that matches. On a pipe the click that sends it comes
// first and the wait second. So requests since the click count too: all that are newer
// than the mark of the last acting call.
func waitTraffic(c *tool.Call, f requestFilter, what string, ready func(*requestInfo) bool) (requestInfo, error) {
	matches, err := f.compile()
	if err != nil {
		return requestInfo{}, err
	}
	sub := events.Subscribe(c.Session, events.EventRequest, events.EventResponse, events.EventRequestFailed)
	defer sub.Close()
	since := events.ActMark.Of(c.Page).Load()
	ctx, cancel := context.WithTimeout(c.Ctx, c.TimeLeft())
	defer cancel()
	for {
		list, _ := pageRequests(c, since)
		for _, i := range list {
			if matches(i) && ready(i) {
				return *i, nil
			}
		}
		switch _, _, err := sub.Next(ctx); {
		case err == nil:
		case errors.Is(err, context.DeadlineExceeded):
			raw, _ := json.Marshal(f)
			e := provider.Errorf(provider.KindTimeout, "no %s matched %s within %s on %s", what, raw, pwerrors.Seconds(provider.RequestFrom(c.Ctx).Deadline), c.Where())
			return requestInfo{}, e.WithHint("`requests` lists what was sent")
		case ctx.Err() != nil:
			return requestInfo{}, ctx.Err()
		default:
			return requestInfo{}, c.Lost()
		}
	}
}
