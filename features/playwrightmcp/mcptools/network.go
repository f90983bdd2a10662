package mcptools

import (
	"encoding/base64"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/files"
	"pwpipe/handlers/network"
	"pwpipe/provider"
)

type requestsParams struct {
	Static   bool   `json:"static,omitempty" doc:"assets too"`
	All      bool   `json:"all,omitempty" doc:"all"`
	Filter   string `json:"filter,omitempty" doc:"RE2 of the URL"`
	Filename string `json:"filename,omitempty" doc:"filename"`
}

// exchange is a request, with its response or its failure.
type exchange struct {
	index   int  // of the page's requests, from 1
	earlier bool // of a document before the last browser_navigate
	request events.Event
	status  int
	failed  string
	took    int64
}

// line writes an exchange as a line of a list.
func (x *exchange) line() string {
	line := fmt.Sprintf("[%s] %s", strings.ToUpper(x.request.Method), x.request.URL)
	if end := x.end(); end != "" {
		line += " => " + end
	}
	return line
}

// end says how an exchange ended, "" if it has not.
func (x *exchange) end() string {
	switch {
	case x.status > 0:
		return fmt.Sprintf("[%d] %s", x.status, http.StatusText(x.status))
	case x.failed != "":
		return "[FAILED] " + x.failed
	}
	return ""
}

// exchanges returns the page's requests that are kept, in order.
func (c *call) exchanges() ([]*exchange, error) {
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	fastpath.CatchUp(p)
	var list []*exchange
	of := map[int64]*exchange{}
	m := kept.Of(c.session)
	m.mu.Lock()
	asked := m.asked[p.Name]
	m.mu.Unlock()
	numbers := numbered.Of(p)
	numbers.mu.Lock()
	defer numbers.mu.Unlock()
	for _, e := range c.recorded(p.Name, 0, events.EventRequest, events.EventResponse, events.EventRequestFailed) {
		switch {
		case e.Kind == events.EventRequest:
			of[e.Seq] = &exchange{index: numbers.number(e.Seq), earlier: e.Seq <= asked, request: e}
			list = append(list, of[e.Seq])
		case of[e.Request] == nil:
		case e.Kind == events.EventResponse:
			of[e.Request].status, of[e.Request].took = e.Status, e.Took
		default:
			of[e.Request].failed, of[e.Request].took = e.Text, e.Took
		}
	}
	maps.DeleteFunc(numbers.of, func(seq int64, _ int) bool { return of[seq] == nil })
	return list, nil
}

// numbering numbers the requests of a page. A request keeps its number when older ones are no longer
// recorded.
type numbering struct {
	mu   sync.Mutex
	of   map[int64]int // by the event's number
	last int
}

// numbered are the numbers of requests, by page.
var numbered browser.State[*browser.Page, numbering]

func (n *numbering) number(seq int64) int {
	if n.of == nil {
		n.of = map[int64]int{}
	}
	if n.of[seq] == 0 {
		n.last++
		n.of[seq] = n.last
	}
	return n.of[seq]
}

func listRequests(c *call, in requestsParams) error {
	filter, err := regexp.Compile(in.Filter)
	if err != nil {
		return provider.Errorf(provider.KindArgs, "filter: Invalid regular expression: %w", err)
	}
	list, err := c.exchanges()
	if err != nil {
		return err
	}
	var lines []string
	hidden := 0
	for _, x := range list {
		switch {
		case x.earlier && !in.All:
		case !in.Static && x.request.Type != "fetch" && x.request.Type != "xhr" && x.status > 0 && x.status < 400:
			hidden++
		case filter.MatchString(x.request.URL):
			lines = append(lines, fmt.Sprintf("%d. %s", x.index, x.line()))
		}
	}
	switch {
	case hidden == 1:
		lines = append(lines, "\nNote: 1 static request not shown, run with \"static\" option to see it.")
	case hidden > 1:
		lines = append(lines,
			fmt.Sprintf("\nNote: %d static requests not shown, run with \"static\" option to see them.", hidden))
	}
	return c.orSave("Network", strings.Join(lines, "\n"), in.Filename, "network", "log")
}

type requestParams struct {
	Index    int    `json:"index" doc:"its number" min:"1"`
	Filename string `json:"filename,omitempty" doc:"filename"`

	Part string `json:"part,omitempty" enum:"request-headers,request-body,response-headers,response-body" doc:"part"`
}

func showRequest(c *call, in requestParams) error {
	list, err := c.exchanges()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(x *exchange) bool { return x.index == in.Index })
	if at < 0 {
		return provider.Errorf(provider.KindFailed,
			"Request #%d not found. Use browser_network_requests to see available indexes.", in.Index)
	}
	x := list[at]
	d, err := network.Request.Call(c.ctx, provider.Request{}, network.RequestParams{Request: x.request.Seq})
	if err != nil {
		return err
	}
	if d.Response == nil {
		d.Response = &network.Response{}
	}
	headers := func(all map[string]string) string { return strings.Join(headerLines(all, ""), "\n") }
	switch in.Part {
	case "request-headers":
		return c.orSave("Request headers", headers(d.Headers), in.Filename, "request", "txt")
	case "response-headers":
		return c.orSave("Response headers", headers(d.Response.Headers), in.Filename, "response", "txt")
	case "request-body":
		if d.Body == "" {
			return nil
		}
		return c.orSave("Request body", d.Body, in.Filename, "request", "txt")
	case "response-body":
		if d.Response.Base64 {
			return c.saveBody(d.Response.Body, d.Response.Headers["content-type"], in.Filename)
		}
		return c.orSave("Response body", d.Response.Body, in.Filename, "response", "txt")
	}
	return c.orSave("Request", x.details(in.Index, d), in.Filename, "request", "log")
}

// saveBody writes a binary body to a file, and answers the file's path.
func (c *call) saveBody(body, kind, name string) error {
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return err
	}
	ext := "bin"
	if kind, _, err := mime.ParseMediaType(kind); err == nil {
		if _, sub, _ := strings.Cut(kind, "/"); reEnding.MatchString(sub) {
			ext = sub
		}
	}
	path, shown, err := c.file(name, "response", ext)
	if err != nil {
		return err
	}
	if err := files.WritePrivate(path, data); err != nil {
		return err
	}
	c.result(shown)
	return nil
}

// reEnding matches a media subtype that can be a file's ending.
var reEnding = regexp.MustCompile(`^[a-z0-9]{1,8}$`)

// details writes all but the bodies.
func (x *exchange) details(index int, d *network.Detail) string {
	lines := []string{fmt.Sprintf("#%d [%s] %s", index, x.request.Method, x.request.URL), "", "  General"}
	if end := x.end(); end != "" {
		lines = append(lines, "    status:    "+end)
	}
	lines = append(lines, fmt.Sprintf("    duration:  %dms", x.took), "    type:      "+x.request.Type)
	if kind, _, _ := strings.Cut(d.Response.Headers["content-type"], ";"); kind != "" {
		lines = append(lines, "    mimeType:  "+strings.TrimSpace(kind))
	}
	if own := headerLines(d.Headers, "    "); len(own) > 0 {
		lines = append(append(lines, "", "  Request headers"), own...)
	}
	if own := headerLines(d.Response.Headers, "    "); len(own) > 0 {
		lines = append(append(lines, "", "  Response headers"), own...)
	}
	var hints []string
	if d.Body != "" {
		hints = append(hints, `Call browser_network_request with part="request-body" to read the request body.`)
	}
	if x.status >= 200 && x.status != 204 && x.status != 304 {
		hints = append(hints, `Call browser_network_request with part="response-body" to read the response body.`)
	}
	if len(hints) > 0 {
		lines = append(append(lines, ""), hints...)
	}
	return strings.Join(lines, "\n")
}

func headerLines(headers map[string]string, margin string) (lines []string) {
	for name, value := range headers {
		lines = append(lines, margin+name+": "+value)
	}
	slices.Sort(lines)
	return lines
}

type networkParams struct {
	State string `json:"state" enum:"online,offline" doc:"of the network"`
}

func setNetwork(c *call, in networkParams) error {
	off := in.State == "offline"
	if err := do(c, network.Offline, network.OfflineParams{On: off}); err != nil {
		return err
	}
	c.result("Network is now " + in.State)
	c.ran(fmt.Sprintf("await page.context().setOffline(%v);", off))
	return nil
}
