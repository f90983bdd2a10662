package eachtool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestRequests(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	type request struct {
		Request           int64
		Method, URL, Type string
		Status            int
		Body              string
		Headers           map[string]string
		Response          struct {
			Body    string
			Base64  bool
			Headers map[string]string
		}
	}
	pipetest.Steps(p,
		does("nav", list("/projects"), "null"),
		does("wait-response", list("/api/projects"), `~"status":200`),
		does("requests", pipetest.Object{"type": "document"}, `~/projects"`),
		does("requests", pipetest.Object{"url": "**/nothing"}, "[]"),
		does("eval", list("{ setTimeout(() => fetch('/api/echo', {method: 'POST', body: 'hallo'}).then(r => r.text()), 200) }"), ""),
	)
	sent := pipetest.Decode[request](t, p.Call("wait-request", pipetest.Object{"url": "**/api/echo", "method": "POST"}))
	p.Call("wait-response", pipetest.Object{"url": "/api/echo", "status": "2xx"})
	full := pipetest.Decode[request](t, p.Call("request", list(sent.Request)))
	if full.Body != "hallo" || !strings.Contains(full.Response.Body, "hallo") || full.Response.Headers["content-type"] == "" || full.Headers["user-agent"] == "" {
		t.Errorf("%+v", full)
	}
	p.Call("eval", list("fetch('/api/fail').then(r => r.status)"))
	if got := pipetest.Decode[[]request](t, p.Call("requests", pipetest.Object{"status": "5xx"})); len(got) != 1 || got[0].Status != 500 {
		t.Errorf("%+v", got)
	}
	// The tool does not wait for ever for a body that nobody reads.
	unread := pipetest.Decode[[]request](t, p.Call("requests", pipetest.Object{"url": "/api/fail"}))
	pipetest.Steps(p, does("request", list(unread[0].Request), `~"status":500`))
	p.Call("route", list("**/gone", pipetest.Object{"abort": true}))
	p.Call("eval", list("fetch('/gone').catch(() => 'failed')"))
	if got := p.Call("requests", pipetest.Object{"status": "failed"}); !strings.Contains(got, "/gone") {
		t.Error(got)
	}
	p.Call("page.waitFor", pipetest.Object{"state": "networkidle"}) // it does not wait for the failed request
	if got := p.Fail("wait-response", list("/api/nothing"), "timeout", 1); !strings.Contains(got, `no response matched {"url":"/api/nothing"} within 1 s`) {
		t.Error(got)
	}
	pipetest.Steps(p, does("request", list(99999), "!the page has no request 99999"))
}

func TestConditions(t *testing.T) {
	t.Parallel()
	p, own := pipetest.Shared(t), pipetest.Object{"X-Own": "mine"}
	pipetest.Steps(p,
		does("nav", list("/media"), "null"),
		does("offline", list(true), "null"),
		does("expect-text", list("#online", "no"), "null"),
		does("nav", list("/form"), "!ERR_INTERNET_DISCONNECTED"),
		does("offline", list(false), "null"),
		does("headers", list(pipetest.Object{"X-Lamp": "lit"}), "null"),
		does("nav", list("/form"), "null"),
		does("eval", list("fetch('/api/echo').then(r => r.text())"), "~X-Lamp"),
		does("headers", list(pipetest.Object{}), "null"),
		does("eval", list("fetch('/api/echo').then(r => r.text()).then(s => s.includes('X-Lamp'))"), "false"),
		does("route", list("**/api/*", pipetest.Object{"a": 1}), "null"),
		does("route", list("**/once", pipetest.Object{"body": "x", "times": 1}), "null"),
		does("eval", list("fetch('/api/x').then(() => fetch('/once')).then(() => fetch('/once')).then(r => r.status)"), "404"),
		does("routes", nil, `[{"pattern":"**/once","does":"reply","hits":1,"times":1},{"pattern":"**/api/*","does":"reply","hits":1}]`),
		does("route", list("**/none", pipetest.Object{"status": 404, "contentType": "text/css", "headers": pipetest.Object{"X-B": "1", "X-A": "1"}}), "null"),
		does("routes", nil, `~"hits":0,"status":404,"contentType":"text/css","headers":["X-A","X-B"]`),
		does("route", list("**/api/echo", pipetest.Object{"request": pipetest.Object{"headers": pipetest.Object{"X-Lamp": "lit"}, "remove": list("X-Shade")}}), "null"),
		does("unroute", list("**/api/*"), "null"),
		does("eval", list("fetch('/api/echo', {headers: {'X-Shade': '1'}}).then(r => r.text()).then(s => [s.includes('X-Lamp'), s.includes('X-Shade')].join())"), `"true,false"`),
		does("routes", nil, `~"does":"request","hits":1`),
		does("route", list("**/mine", pipetest.Object{"json": []int{7}, "status": 203, "headers": own}), "null"),
		does("route", list("**/mine", pipetest.Object{"fallback": true}), "null"), // the newest is asked first
		does("eval", list("fetch('/mine').then(r => r.json().then(v => [r.status, r.headers.get('x-own'), v]))"),
			`[203,"mine",[7]]`),
		does("routes", nil, `~[{"pattern":"**/mine","does":"fallback","hits":1},`+
			`{"pattern":"**/mine","does":"reply","hits":1,"status":203,"headers":["X-Own"]},`),
		does("route", list("**/mine", pipetest.Object{"path": "network_test.go"}), "null"),
		does("eval", list("fetch('/mine').then(r => r.text()).then(s => s.slice(0, 18))"), `"package eachtool_t"`),
		does("route", list("**/x", pipetest.Object{"request": pipetest.Object{}, "body": "x"}), "!request: it goes on, so leave out body"),
	)
}

func TestHAR(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, picked := filepath.Join(dir, "traffic.har"), filepath.Join(dir, "picked.har")
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("har-record", list(file), ""),
		does("har-record", list(picked, "/api/{projects,none}"), ""),
		does("nav", list("/projects"), "null"),
		does("wait-response", list("/api/projects"), ""),
		does("expect-count", pipetest.Object{"sel": "[data-testid=project]", "count": 0, "not": true}, "null"),
		does("close-ctx", list("c1"), "null"),
		does("har-replay", list(file), "null"),
		does("nav", list("/projects"), "null"),
		does("expect-count", pipetest.Object{"sel": "[data-testid=project]", "count": 0, "not": true}, "null"),
		does("eval", list("fetch('/api/echo').then(() => 'answered', () => 'refused')"), `"refused"`),
		does("har-replay", list(file+".none"), "!no such file"),
	)
	data, _ := os.ReadFile(picked)
	got := regexp.MustCompile(`"url": .*`).FindAllString(string(data), -1)
	if len(got) != 1 || !strings.Contains(got[0], "/api/projects") {
		t.Errorf("picked %q of %d bytes", got, len(data))
	}
	p.Call("new-page", pipetest.Object{"ctx": p.Text("open-ctx", nil), "use": true})
	const ask = "Promise.all(['/api/projects', '/api/user'].map(u => " +
		"fetch(u).then(r => r.json()).then(a => a.length ?? a.name, () => 'refused')))"
	pipetest.Steps(p,
		does("har-replay", list(picked, "/api/none"), "null"), // other requests go on
		does("nav", list("/form"), "null"),
		does("har-replay", pipetest.Object{"path": picked, "missing": "fallback"}, "null"),
		does("eval", list(ask), `[6,"Ada Thorsen"]`),
		does("har-replay", pipetest.Object{"path": picked, "missing": "abort"}, "null"),
		does("eval", list(ask), `[6,"refused"]`),
	)
}

// TestRoutesHaveABound: a session's routes are limited in number and bytes. Removing
// one frees its share.
func TestRoutesHaveABound(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and the transcript route is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", list("/"))
	big := `{"body":"` + strings.Repeat("b", 6<<20) + `"}`
	routed := func(pattern string) pipetest.Object {
		return pipetest.Object{"pattern": pattern, "handler": big, "timeout": 60} // six megabytes on a busy machine
	}
	pipetest.Steps(p,
		does("route", routed("**/a"), "null"),
		does("route", routed("**/b"), "null"),
		does("route", routed("**/c"), "!the routes of a session may have 16 MiB together"),
		does("unroute", list("**/a"), "null"),
		does("route", routed("**/c"), "null"),
		does("unroute", list("**/b"), "null"),
		does("unroute", list("**/c"), "null"),
	)
	steps := make([][]any, 1000)
	for i := range steps {
		steps[i] = list("route", fmt.Sprintf("**/%d", i), `{"abort":true}`)
	}
	p.Call("batch", pipetest.Object{"steps": steps, "reply": "last"}, "timeout", 60)
	pipetest.Steps(p,
		does("route", list("**/x", `{"abort":true}`), "!a session has 1000 routes at most"),
		does("unroute", list("**/7"), "null"),
		does("route", list("**/x", `{"abort":true}`), "null"),
	)
}
