package endpoint_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// protocol is the package with the list of all commands.
const protocol = "devtools-protocol@0.0.1734725"

// commands returns the protocol's own list of commands.
func commands(t *testing.T) (list []string) {
	t.Helper()
	for _, file := range []string{"browser_protocol.json", "js_protocol.json"} {
		text, err := os.ReadFile(filepath.Join(pipetest.NPM(t, protocol), "devtools-protocol", "json", file))
		if err != nil {
			t.Fatal(err)
		}
		all := pipetest.Decode[struct {
			Domains []struct {
				Domain   string
				Commands []struct{ Name string }
			}
		}](t, string(text))
		for _, d := range all.Domains {
			for _, c := range d.Commands {
				list = append(list, d.Domain+"."+c.Name)
			}
		}
	}
	return list
}

// ending lists allowed commands that end or change the client's own page or
// connection, so they come last.
var ending = []string{"Browser.close", "Page.close", "Page.crash", "Debugger.pause", "Debugger.enable", "Emulation.setScriptExecutionDisabled", "Page.waitForDebugger",
	"Emulation.setVirtualTimePolicy", "Inspector.disable", "Page.setWebLifecycleState", "Fetch.enable", "Debugger.setSkipAllPauses", "Input.setInterceptDrags"}

// Whatever a client sends, in whoever's name, does not affect another session.
func TestHostileClient(t *testing.T) {
	t.Parallel()
	svc, ours, theirs, site, _ := startPair(t, narrow...)
	theirs.On("eval", map[string]any{"code": "document.title = 'SECRET-TITLE'; document.cookie = 'secret=SECRET-COOKIE'"})
	victim := connect(t, svc, theirs)
	them := victim.settle()
	c := connect(t, svc, ours)
	us := c.settle()
	c.ask("", "Target.setDiscoverTargets", map[string]any{"discover": true})
	c.ask("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": false})

	foreign := map[string]any{"targetId": them.target, "frameId": them.target, "browserContextId": them.context, "sessionId": them.session,
		"url": "file:///etc/passwd", "files": []string{"/etc/passwd"}, "path": "/etc", "downloadPath": "/tmp", "behavior": "allow",
		"windowId": 1, "handle": "1", "origin": site, "message": `{"id":1,"method":"Page.close"}`, "discover": true, "autoAttach": true,
		"name": "secret", "value": "x", "cookies": []any{}, "expression": "1", "permissions": []string{}, "permission": map[string]any{"name": "geolocation"}, "setting": "granted",
		"bindingName": "x", "proxyServer": "http://127.0.0.1:1", "storageTypes": "all", "bounds": map[string]any{"windowState": "minimized"}}
	list := commands(t)
	if len(list) < 500 {
		t.Fatalf("%d commands", len(list))
	}
	slices.SortStableFunc(list, func(a, b string) int { return slices.Index(ending, a) - slices.Index(ending, b) })
	for _, method := range list {
		if slices.Contains(ending, method) {
			continue
		}
		c.ask("", method, foreign)
		if r := c.ask(them.session, method, map[string]any{}); r.Error == nil || r.Error.Code != -32001 {
			t.Errorf("%s in their session: %s", method, r.Result)
		}
		c.ask(us.session, method, foreign)
	}
	for _, secret := range []string{"SECRET", "root:", them.target, them.context, them.session} {
		heard := c.text()
		for line := range strings.Lines(heard) {
			// An error may repeat the client's own words.
			if strings.Contains(line, secret) && !strings.Contains(line, `"error"`) {
				t.Errorf("it was told: %.300s", line)
			}
		}
	}
	for _, method := range ending {
		if method != "Browser.close" {
			_ = c.ws.WriteJSON(map[string]any{"id": c.next(), "method": method, "params": foreign, "sessionId": us.session})
		}
	}
	_ = c.ws.WriteJSON(map[string]any{"id": c.next(), "method": "Browser.close"})
	<-c.ended

	if got := theirs.On("title", nil); got != `"SECRET-TITLE"` {
		t.Errorf("the other session is at %s", got)
	}
	if got := theirs.On("eval", map[string]any{"code": "document.cookie"}); !strings.Contains(got, "secret=SECRET-COOKIE") || !strings.Contains(got, "cookie1=1") {
		t.Errorf("its cookies: %s", got)
	}
	if got := victim.evaluate(them.session, "document.title"); got != "SECRET-TITLE" {
		t.Errorf("its client sees %s", got)
	}
	svc.Open(nil).On("nav", map[string]any{"url": site + "/two"})
	if starts := svc.Metric("pwpipe_browser_restarts_total"); starts != "0" {
		t.Errorf("the browser was started anew: %s", starts)
	}
}

// pwpipe judges exactly what it sends, however it is written.
func TestWaysAroundTheRules(t *testing.T) {
	t.Parallel()
	svc, ours, theirs, site, _ := startPair(t, narrow...)
	them := connect(t, svc, theirs).settle()
	c := connect(t, svc, ours)
	us := c.settle()
	allowed := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(allowed, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{"id":%d,"method":"Storage.getCookies","params":{"browserContextId":"` + us.context + `","browserContextId":"` + them.context + `"}}`,
		`{"id":%d,"sessionId":"` + us.session + `","method":"Page.navigate","params":{"url":" \tfile:///etc/passwd"}}`,
		`{"id":%d,"sessionId":"` + us.session + `","method":"Page.navigate","params":{"url":"view-source:file:///etc/passwd"}}`,
		`{"id":%d,"sessionId":"` + us.session + `","method":"Page.navigate","params":{"url":"http://127.0.0.2:1/"}}`,
		`{"id":%d,"sessionId":"` + us.session + `","method":"Input.dispatchDragEvent","params":{"type":"drop","x":1,"y":1,"data":{"items":[],"dragOperationsMask":1,"files":["/etc/passwd"],"FILES":[]}}}`,
		`{"id":%d,"sessionId":"` + us.session + `","method":"Input.dispatchDragEvent","params":{"type":"drop","x":1,"y":1,"data":{"items":[],"dragOperationsMask":1,"files":["` + allowed + `","/etc/passwd"]}}}`,
		`{"id":%d,"method":"target.getTargets"}`, `{"id":%d,"method":"Target.getTargets "}`, `{"id":%d,"method":"Target"}`, `{"id":%d,"method":""}`, `{"id":%d}`,
		`{"id":%d,"method":"Target.getTargets","params":[]}`, `{"id":%d,"method":"Page.navigate","params":7}`,
	} {
		id := c.next()
		if r := c.say(id, fmt.Sprintf(text, id)); r.Error == nil {
			t.Errorf("%s: %s", text, r.Result)
		}
	}
	// In the other order the last key counts: ours.
	id := c.next()
	r := c.say(id, fmt.Sprintf(`{"id":%d,"method":"Storage.getCookies","params":{"browserContextId":"%s","browserContextId":"%s"}}`, id, them.context, us.context))
	if r.Error != nil || !strings.Contains(string(r.Result), "cookie0") || strings.Contains(string(r.Result), "cookie1") {
		t.Errorf("%s %v", r.Result, r.Error)
	}
	// Invalid messages get a reply, too.
	for _, text := range []string{`x`, `[]`, `{"id":"a","method":"Browser.getVersion"}`, `{"id":1.5}`, `null`, "\x00"} {
		if r := c.say(0, text); r.Error == nil {
			t.Errorf("%q: %s", text, r.Result)
		}
	}
	// A page can be given only files that the tools may access.
	var input struct{ Result struct{ ObjectID string } }
	c.get(us.session, "Runtime.evaluate", map[string]any{"expression": "document.body.appendChild(Object.assign(document.createElement('input'), {type: 'file', multiple: true}))"}, &input)
	for path, why := range map[string]string{"/etc/passwd": "outside of the allowed folders", filepath.Dir(allowed) + "/../../../etc/passwd": "outside of the allowed folders", "mine.txt": "not an absolute path"} {
		c.refused(us.session, "DOM.setFileInputFiles", map[string]any{"objectId": input.Result.ObjectID, "files": []string{allowed, path}}, why)
	}
	c.get(us.session, "DOM.setFileInputFiles", map[string]any{"objectId": input.Result.ObjectID, "files": []string{allowed}}, &struct{}{})
	if got := c.evaluate(us.session, "document.querySelector('input').files.length"); got != "1" {
		t.Errorf("%s files", got)
	}

	// A second browser session has the same limits as the first.
	var again struct{ SessionID string }
	c.get("", "Target.attachToBrowserTarget", map[string]any{}, &again)
	c.refused(again.SessionID, "Target.closeTarget", map[string]any{"targetId": them.target}, "No target")
	c.refused(again.SessionID, "Storage.getCookies", map[string]any{"browserContextId": them.context}, "Failed to find")
	c.refused(us.session, "Storage.getCookies", map[string]any{"browserContextId": them.context}, "Failed to find")

	for range 2 {
		c.get("", "Target.createTarget", map[string]any{"url": "about:blank"}, &struct{}{})
	}
	pipetest.Eventually(t, "all pages are counted", func() bool { return len(ours.Pages()) == 3 })
	c.refused("", "Target.createTarget", map[string]any{"url": "about:blank"}, "over a limit")
	made := map[string]any{}
	c.get("", "Target.createBrowserContext", map[string]any{}, &made)
	c.refused("", "Target.createBrowserContext", map[string]any{}, "over a limit")
	c.refused("", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": made["browserContextId"]}, "over a limit")
	c.get("", "Target.disposeBrowserContext", made, &struct{}{}) // which gives its place back
	c.refused("", "Target.disposeBrowserContext", made, "only a context that this client made")
	c.get("", "Target.createBrowserContext", map[string]any{}, &made)
	c.refused("", "Target.createBrowserContext", map[string]any{}, "over a limit")
	_ = c.ws.Close()
	pipetest.Eventually(t, "the context has gone with its client", func() bool {
		r := svc.Try("session.create", nil)
		return r.Error == nil
	})
	if got := theirs.On("title", nil); got != `"/"` {
		t.Errorf("the other session is at %s", got)
	}
	ours.On("nav", map[string]any{"url": site + "/two"})
}

// A client that does not read is disconnected, and delays nobody.
func TestDeafClient(t *testing.T) {
	pipetest.InCI(t, "it waits for one that does not read")
	t.Parallel()
	svc, ours, theirs, _, _ := startPair(t)
	c := connect(t, svc, ours)
	us := c.settle()
	deaf, _, err := websocket.DefaultDialer.Dial(strings.Replace(svc.URL, "http:", "ws:", 1)+"/cdp/"+ours.ID, map[string][]string{"X-Api-Key": {svc.Key}})
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	ask := func(id int, session, method, params string) {
		text := fmt.Sprintf(`{"id":%d,"method":"%s","params":%s,"sessionId":"%s"}`, id, method, params, session)
		if session == "" {
			text = fmt.Sprintf(`{"id":%d,"method":"%s","params":%s}`, id, method, params)
		}
		_ = deaf.WriteMessage(websocket.TextMessage, []byte(text))
	}
	ask(1, "", "Target.getTargets", "{}")
	session := ""
	for session == "" {
		var m struct {
			ID     int
			Result struct{ SessionID string }
		}
		_, text, err := deaf.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		switch _ = json.Unmarshal(text, &m); m.ID {
		case 1: // it knows the page
			ask(2, "", "Target.attachToTarget", `{"targetId":"`+us.target+`"}`)
		case 2:
			session = m.Result.SessionID
		}
	}
	for i := range 40 { // about 4 MB each
		ask(3+i, session, "Runtime.evaluate", `{"expression":"'x'.repeat(4e6)","returnByValue":true}`)
	}
	if got := c.evaluate(us.session, "1 + 1"); got != "2" {
		t.Errorf("the one that reads gets %s", got)
	}
	if got := theirs.On("title", map[string]any{"timeout": 60}); got != `"/"` {
		t.Errorf("the other session is at %s", got)
	}
}

// A client without a key is refused, and so is a page.
func TestClientsThatAreNone(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	svc, ours, _, _, _ := startPair(t)
	for name, head := range map[string]map[string][]string{"no key": {}, "a page": {"X-Api-Key": {svc.Key}, "Origin": {"http://evil.test"}}} {
		if ws, _, err := websocket.DefaultDialer.Dial(strings.Replace(svc.URL, "http:", "ws:", 1)+"/cdp/"+ours.ID, head); err == nil {
			_ = ws.Close()
			t.Errorf("%s: let in", name)
		}
	}
	// A client without the tool has no other way in.
	without := pipetest.StartService(t, "--tools=session.create,nav,title")
	if status, text, _ := without.Do("GET", "/cdp/"+without.Open(nil).ID, ""); status != 404 {
		t.Errorf("without the tool: %d %s", status, text)
	}
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/"})
	address := pipetest.Decode[struct{ URL string }](t, p.Call("session.cdp", nil)).URL
	cut := strings.LastIndex(address, "/") + 1
	for name, to := range map[string]struct {
		url  string
		head map[string][]string
	}{"a wrong token": {address[:cut] + strings.Repeat("A", 26), nil}, "no token": {address[:cut], nil},
		"a page": {address, map[string][]string{"Origin": {"http://evil.test"}}}, "another name": {address, map[string][]string{"Host": {"evil.test"}}}} {
		if ws, _, err := websocket.DefaultDialer.Dial(to.url, to.head); err == nil {
			_ = ws.Close()
			t.Errorf("%s: let in", name)
		}
	}
}
