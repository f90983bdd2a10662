package endpoint_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// held waits for the event of a paused request for a path, and returns its id.
func (c *raw) held(path string) (id string) {
	c.t.Helper()
	pipetest.Eventually(c.t, "the request for "+path+" is held", func() bool {
		for line := range strings.Lines(c.text()) {
			var e struct {
				Method string
				Params struct {
					RequestID string
					Request   struct{ URL string }
				}
			}
			if json.Unmarshal([]byte(line), &e) == nil && e.Method == "Fetch.requestPaused" && strings.HasSuffix(e.Params.Request.URL, path) {
				id = e.Params.RequestID
			}
		}
		return id != ""
	})
	return id
}

// If a browser has one session, its clients pause the requests of all pages. Once another
// session starts, its requests are not paused for this client.
func TestFetchOfTheBrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPipe is quick")
	t.Parallel()
	p := pipetest.Start(t)
	site, c, at := onPages(t, p)
	// For the next document, as in Chromium: the current frames have their loaders
	// already.
	c.get("", "Fetch.enable", map[string]any{"patterns": []any{map[string]any{"urlPattern": "*/first"}, map[string]any{"urlPattern": "*/second"}, map[string]any{"urlPattern": "*theirs"}}}, &struct{}{})
	p.Call("nav", []any{site + "/"})
	asks := func(path string) {
		c.evaluate(at.session, "window.got = ''; void fetch('"+path+"').then(r => r.text()).then(text => { got = text }, () => { got = 'failed' })")
	}

	asks("/first")
	c.refused(at.session, "Fetch.continueRequest", map[string]any{"requestId": c.held("/first")}, "Fetch domain is not enabled")
	c.refused("", "Fetch.continueRequest", map[string]any{"requestId": "interception-job-1000.0"}, "Invalid InterceptionId")
	body := base64.StdEncoding.EncodeToString([]byte("of the client"))
	c.get("", "Fetch.fulfillRequest", map[string]any{"requestId": c.held("/first"), "responseCode": 200, "body": body}, &struct{}{})
	pipetest.Eventually(t, "the page has the client's answer", func() bool { return c.evaluate(at.session, "got") == "of the client" })

	asks("/second")
	c.held("/second")
	other := pipetest.Get[struct {
		ID string `json:"session_id"`
	}](p, "session.create", nil)
	p.Call("page.goto", map[string]any{"session_id": other.ID, "url": site + "/?theirs"})
	pipetest.Lacks(t, c.text(), "/?theirs")
	pipetest.Eventually(t, "what was held goes on", func() bool { return c.evaluate(at.session, "got") != "" })
	c.refused("", "Fetch.enable", map[string]any{}, "one session only")
}
