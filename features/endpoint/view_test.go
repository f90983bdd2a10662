package endpoint_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A client sees the targets to which it is attached as attached. It sees the browser as a
// target to which it can't attach. It sees no execution context of the driver.
func TestClientsOwnView(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{pipetest.ServePages(t, pages) + "/"})
	p.Call("snapshot", nil) // creates the driver's world
	c := connectTo(t, p)
	type info struct {
		TargetID, Type string
		Attached       bool
	}
	list := func() (all []info) {
		var got struct {
			Infos []info `json:"targetInfos"`
		}
		c.get("", "Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}, &got)
		return got.Infos
	}
	seen := map[string]info{}
	for _, one := range list() {
		seen[one.Type] = one
	}
	if seen["page"].TargetID == "" || seen["page"].Attached {
		t.Errorf("before it attached: %+v", seen)
	}
	c.get("", "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": []any{map[string]any{}}}, &struct{}{})
	for line := range strings.Lines(c.text()) { // Chromium does not list the browser
		var e struct {
			Params struct {
				Info info `json:"targetInfo"`
			}
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Params.Info.TargetID != "" {
			seen[e.Params.Info.Type] = e.Params.Info
		}
	}
	if b := seen["browser"]; b.TargetID == "" || !b.Attached || seen["page"].Attached {
		t.Errorf("the client sees %+v", seen)
	}
	for _, method := range []string{"Target.attachToTarget", "Target.closeTarget", "Target.activateTarget"} {
		c.refused("", method, map[string]any{"targetId": seen["browser"].TargetID}, "No target")
	}
	var at struct{ SessionID string }
	c.get("", "Target.attachToTarget", map[string]any{"targetId": seen["page"].TargetID, "flatten": true}, &at)
	for _, one := range list() {
		if one.Type == "page" && !one.Attached {
			t.Errorf("when it has attached: %+v", one)
		}
	}
	c.get(at.SessionID, "Runtime.enable", nil, &struct{}{})
	for _, line := range strings.Split(c.text(), "\n") {
		if strings.Contains(line, "executionContextCreated") && strings.Contains(line, `"isolated"`) {
			t.Errorf("the client sees an execution context: %s", line)
		}
	}
}

// If a client continues a request to a forbidden host, the request fails and does not
// hang.
func TestContinuedElsewhere(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<h1>here"))
	}))
	t.Cleanup(site.Close)
	_, elsewhere := serveTurncoat(t)
	svc := pipetest.StartService(t, "ALLOW_HOST_REGEX=^"+regexp.QuoteMeta(site.URL)+"(/|$)")
	ours := svc.Open(nil)
	ours.On("nav", map[string]any{"url": site.URL + "/"})
	c := connect(t, svc, ours)
	at := c.settle()
	c.get(at.session, "Fetch.enable", map[string]any{"patterns": []any{map[string]any{"urlPattern": "*/data"}}}, &struct{}{})
	c.evaluate(at.session, "window.ended = ''; void fetch('/data').then(() => { ended = 'answered' }, () => { ended = 'failed' })")
	var held struct{ Params struct{ RequestID string } }
	pipetest.Eventually(t, "the request is held", func() bool {
		for _, line := range strings.Split(c.text(), "\n") {
			if strings.Contains(line, "Fetch.requestPaused") {
				return json.Unmarshal([]byte(line), &held) == nil && held.Params.RequestID != ""
			}
		}
		return false
	})
	c.refused(at.session, "Fetch.continueRequest", map[string]any{"requestId": held.Params.RequestID, "url": elsewhere + "/"}, "blocked")
	pipetest.Eventually(t, "the page is answered", func() bool { return c.evaluate(at.session, "ended") == "failed" })
}
