package endpoint_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// Commands that Chromium would apply to the whole browser do not affect another
// session.
func TestReachBeyondThePage(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	svc, ours, theirs, site, _ := startPair(t)
	c := connect(t, svc, ours)
	us := c.settle()
	var whole struct{ SessionID string }
	c.get("", "Target.attachToBrowserTarget", map[string]any{}, &whole)
	for _, root := range []string{"", whole.SessionID} {
		c.refused(root, "Fetch.enable", map[string]any{}, "one session only")
		c.refused(root, "Storage.clearDataForOrigin", map[string]any{"origin": site, "storageTypes": "all"}, "not offered")
	}
	for method, params := range map[string]map[string]any{
		"Emulation.addScreen":      {"left": 0, "top": 2000, "width": 100, "height": 100},
		"Emulation.removeScreen":   {"screenId": "1"},
		"Page.addCompilationCache": {"url": site + "/x.js", "data": "AAAA"},
	} {
		c.refused(us.session, method, params, "not offered")
	}
	c.refused("", "Target.createTarget", map[string]any{"url": "about:blank", "hidden": true, "focus": false}, "hidden is not offered")
	c.refused("", "Target.createBrowserContext", map[string]any{"proxyServer": "", "proxyBypassList": "*"}, "own proxy is allowed")

	// Escaped, it would exceed Chromium's message limit, and the pipe would close.
	id := c.next()
	r := c.say(id, fmt.Sprintf(`{"id":%d,"sessionId":"%s","method":"Runtime.evaluate","params":{"expression":"'%s'.length"}}`, id, us.session, strings.Repeat("<", 18<<20)))
	if r.Error != nil || !strings.Contains(string(r.Result), fmt.Sprint(18<<20)) {
		t.Errorf("%s %v", r.Result, r.Error)
	}
	theirs.On("nav", map[string]any{"url": site + "/two"})
	if starts := svc.Metric("pwpipe_browser_restarts_total"); starts != "0" {
		t.Errorf("the browser was started anew: %s", starts)
	}
}

// The sessions of a client and the clients of a session are limited.
func TestManyAtOnce(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	svc, ours, theirs, site, _ := startPair(t, "MAX_PAGES=3")
	c := connect(t, svc, ours)
	for range 8 {
		c.get("", "Target.attachToBrowserTarget", map[string]any{}, &struct{}{})
	}
	c.refused("", "Target.attachToBrowserTarget", map[string]any{}, "over a limit")
	for range 15 {
		connect(t, svc, ours)
	}
	_, r, err := websocket.DefaultDialer.Dial(strings.Replace(svc.URL, "http:", "ws:", 1)+"/cdp/"+ours.ID, http.Header{"X-Api-Key": {svc.Key}})
	if err == nil || r == nil || r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("one client more: %v %v", r, err)
	}
	// Many pages at once: only as many as allowed exist.
	us := c.settle()
	last := c.last
	for range 40 {
		id := c.next()
		_ = c.ws.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"id":%d,"method":"Target.createTarget","params":{"url":"about:blank"}}`, id))
	}
	pipetest.Eventually(t, "all pages are answered", func() bool {
		c.ask("", "Browser.getVersion", map[string]any{})
		n := 0
		for line := range strings.Lines(c.text()) {
			var m rawReply
			if json.Unmarshal([]byte(line), &m) == nil && m.ID > last && m.ID <= last+40 && (strings.Contains(line, "targetId") || m.Error != nil) {
				n++
			}
		}
		return n >= 40
	})
	pipetest.Eventually(t, "no more pages than there may be", func() bool { return len(ours.Pages()) <= 3 })
	if got := c.evaluate(us.session, "1 + 1"); got != "2" {
		t.Errorf("its first page says %s", got)
	}
	theirs.On("nav", map[string]any{"url": site + "/two"})
}

// A client may name its isolated world as the driver does. The two worlds stay
// apart.
func TestWorldsOfClients(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClientsOwnView is quick")
	t.Parallel()
	svc, ours, _, _, _ := startPair(t)
	ours.On("snapshot", nil) // creates the driver's world
	const world = "__playwright_utility_world__"
	c, other := connect(t, svc, ours), connect(t, svc, ours)
	us := c.settle()
	named := regexp.MustCompile(`"id":(\d+),[^}]*"name":"` + world + `"`)
	c.get(us.session, "Page.enable", map[string]any{}, &struct{}{})
	c.get(us.session, "Runtime.enable", map[string]any{}, &struct{}{})
	if got := named.FindString(c.text()); got != "" || strings.Contains(c.text(), "the driver's") {
		t.Errorf("the client sees the driver's execution context: %s", got)
	}
	at := other.settle()
	other.get(at.session, "Runtime.enable", map[string]any{}, &struct{}{})
	var made struct{ ExecutionContextID int }
	c.get(us.session, "Page.createIsolatedWorld", map[string]any{"frameId": us.target, "worldName": world}, &made)
	if got := named.FindAllStringSubmatch(c.text(), -1); len(got) != 1 || got[0][1] != fmt.Sprint(made.ExecutionContextID) {
		t.Errorf("its execution context is %d, but it gets events of %v", made.ExecutionContextID, got)
	}
	c.get(us.session, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "globalThis.begun = 'mine'", "worldName": world}, &struct{}{})
	c.get(us.session, "Runtime.addBinding", map[string]any{"name": "bound", "executionContextName": world}, &struct{}{})
	c.get(us.session, "Page.reload", map[string]any{}, &struct{}{})
	pipetest.Eventually(t, "it has its world in the next document", func() bool { return len(named.FindAllString(c.text(), -1)) == 2 })
	id, _ := strconv.Atoi(named.FindAllStringSubmatch(c.text(), -1)[1][1])
	if got := c.ask(us.session, "Runtime.evaluate", map[string]any{"expression": "globalThis.begun + typeof globalThis.bound", "contextId": id}); !strings.Contains(string(got.Result), `"minefunction"`) {
		t.Errorf("there it has %s", got.Result)
	}
	if got := named.FindString(other.text()); got != "" {
		t.Errorf("another client sees it: %s", got)
	}
	if got := ours.On("title", nil); got != `"/"` {
		t.Errorf("the tools are at %s", got)
	}
}
