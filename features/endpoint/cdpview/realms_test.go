package cdpview

import (
	"fmt"
	"strings"
	"testing"
)

// A client's code in a lent tab runs in the page's main world, which V8 finds by a unique
// id. It can't reach worlds of extensions or other clients.
func TestRealmsOfLentTabs(t *testing.T) {
	t.Parallel()
	cases := []struct{ method, params, sent string }{ // "" if it is refused
		{"Runtime.evaluate", `{"expression":"1"}`, `{"expression":"1","uniqueContextId":"U1"}`},
		{"Runtime.evaluate", `{"contextId":1}`, `{"uniqueContextId":"U1"}`},
		{"Runtime.evaluate", `{"contextId":null}`, `{"uniqueContextId":"U1"}`},
		{"Runtime.evaluate", `{"uniqueContextId":"U1"}`, `{"uniqueContextId":"U1"}`},
		{"Runtime.evaluate", `{"contextId":2}`, ""}, {"Runtime.evaluate", `{"contextId":3}`, ""}, {"Runtime.evaluate", `{"contextId":9}`, ""},
		{"Runtime.evaluate", `{"contextId":1,"contextId":2}`, ""}, {"Runtime.evaluate", `{"contextId":"1"}`, ""},
		{"Runtime.evaluate", `{"uniqueContextId":"U2"}`, ""}, {"Runtime.evaluate", `{"contextId":1,"uniqueContextId":"U3"}`, ""},
		{"Runtime.callFunctionOn", `{"executionContextId":1}`, `{"uniqueContextId":"U1"}`},
		{"Runtime.callFunctionOn", `{"executionContextId":2}`, ""}, {"Runtime.callFunctionOn", `{"uniqueContextId":"U3"}`, ""},
		{"Runtime.callFunctionOn", `{"objectId":"-7.1.1"}`, `{"objectId":"-7.1.1"}`},
		{"Runtime.callFunctionOn", `{"objectId":"-7.2.1"}`, ""}, {"Runtime.callFunctionOn", `{"objectId":"7.1 .1"}`, ""}, {"Runtime.callFunctionOn", `{"objectId":7}`, ""},
		{"Runtime.callFunctionOn", `{"object\u0049d":"7.2.1"}`, ""},
		{"Runtime.getProperties", `{"objectId":"7.3.1"}`, ""}, {"Runtime.awaitPromise", `{"promiseObjectId":"7.2.1"}`, ""}, {"Runtime.queryObjects", `{"prototypeObjectId":"7.2.1"}`, ""},
		{"DOM.resolveNode", `{"backendNodeId":1,"executionContextId":2}`, ""}, {"DOM.requestNode", `{"objectId":"7.2.1"}`, ""},
		{"Debugger.evaluateOnCallFrame", `{"callFrameId":"7.2.0"}`, ""}, {"Debugger.evaluateOnCallFrame", `{"callFrameId":"7.1.0"}`, `{"callFrameId":"7.1.0"}`},
		{"Debugger.setBreakpoint", `{"location":{"scriptId":"1","lineNumber":0},"condition":"f()"}`, ""}, {"Debugger.setScriptSource", `{"scriptId":"1"}`, ""}, {"Debugger.getScriptSource", `{"scriptId":"1"}`, ""},
		{"Runtime.addBinding", `{"name":"x","executionContextId":2}`, ""}, {"Runtime.globalLexicalScopeNames", `{}`, `{"executionContextId":1}`}, {"Runtime.globalLexicalScopeNames", `{"executionContextId":2}`, ""},
		{"Runtime.compileScript", `{"persistScript":true}`, ""}, {"Runtime.compileScript", `{}`, `{"executionContextId":1}`}, {"Runtime.runScript", `{"scriptId":"1"}`, ""},
		{"DOMDebugger.getEventListeners", `{"objectId":"7.1.1","pierce":true}`, `{"objectId":"7.1.1"}`},
		{"HeapProfiler.takeHeapSnapshot", `{}`, ""}, {"HeapProfiler.getObjectByHeapObjectId", `{"objectId":"1"}`, ""}, {"Console.enable", `{}`, ""}, {"Page.setBypassCSP", `{"enabled":true}`, ""}, {"Page.captureSnapshot", `{}`, ""},
		{"ServiceWorker.enable", `{}`, ""}, {"BackgroundService.startObserving", `{}`, ""}, {"Storage.clearDataForOrigin", `{}`, ""}, {"Storage.getUsageAndQuota", `{}`, ""}, {"Storage.trackIndexedDBForOrigin", `{}`, ""},
	}
	said := []string{`{"id":2,"method":"Target.getTargets"}`, `{"id":3,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`}
	for i, c := range cases {
		said = append(said, fmt.Sprintf(`{"id":%d,"method":"%s","sessionId":"S11","params":%s}`, 100+i, c.method, c.params))
	}
	list, heard := play(t, guest(), said...)
	for i, c := range cases {
		refused := strings.Contains(heard, fmt.Sprintf(`{"id":%d,"error"`, 100+i))
		sent := false
		for _, q := range list {
			sent = sent || q.Session == "S11" && q.Method == c.method && string(q.Params) == c.sent
		}
		if refused != (c.sent == "") || sent == refused {
			t.Errorf("%s %s: refused: %v, sent so: %v", c.method, c.params, refused, sent)
		}
	}
	for _, q := range list {
		if q.Session == "S11" && q.Method == "Runtime.evaluate" && string(q.Params) != cases[0].sent && string(q.Params) != cases[1].sent {
			t.Errorf("sent %s", q.text)
		}
	}
	if strings.Contains(heard, "executionContextCreated") {
		t.Errorf("it hears of worlds that it has not asked for: %s", heard)
	}
}

// guestAt is a client that stays in a lent tab, S11; own is our session with the tab.
func guestAt(t *testing.T) (s *script, b *chromium, own string, tell func(n int, what string)) {
	t.Helper()
	root, b := startChromium(t)
	b.mutes("Page.enable")
	s, left := stay(root, guest())
	t.Cleanup(func() {
		s.end()
		if err := <-left; err != nil {
			t.Error(err)
		}
	})
	tell = func(n int, what string) {
		t.Helper()
		s.mu.Lock()
		defer s.mu.Unlock()
		for strings.Count(s.heard.String(), what) < n {
			s.change.Wait()
		}
	}
	s.add(`{"id":2,"method":"Target.getTargets"}`, `{"id":3,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`)
	tell(1, `{"id":3,`)
	own = (<-b.muted).Session
	return s, b, own, tell
}

// A client sees its own worlds, also one that pwpipe requested before it did, and their
// events.
func TestRealmsAreTold(t *testing.T) {
	t.Parallel()
	s, b, _, tell := guestAt(t)
	s.add(`{"id":4,"method":"Runtime.evaluate","sessionId":"S11"}`, `{"id":5,"method":"Runtime.enable","sessionId":"S11"}`,
		`{"id":6,"method":"Page.createIsolatedWorld","sessionId":"S11","params":{"frameId":"MINE-T","worldName":"vault"}}`)
	tell(1, `{"id":6,`)
	if heard := s.text(); strings.Count(heard, "executionContextCreated") != 1 || !strings.Contains(heard, `"uniqueId":"U1"`) {
		t.Errorf("it hears %s", heard)
	}
	s.add(`{"id":7,"method":"Page.createIsolatedWorld","sessionId":"S11","params":{"frameId":"MINE-T","worldName":"somebody's"}}`, `{"id":8,"method":"Runtime.evaluate","sessionId":"S11","params":{"contextId":3}}`)
	tell(1, `{"id":8,"result"`)
	if heard := s.text(); strings.Count(heard, "executionContextCreated") != 2 {
		t.Errorf("of its own world: %s", heard)
	}
	b.mutes("Debugger.resume")
	for _, e := range []string{`Runtime.consoleAPICalled","params":{"executionContextId":2`, `Runtime.bindingCalled","params":{"executionContextId":2`, `Runtime.exceptionThrown","params":{"exceptionDetails":{"executionContextId":2}`,
		`Runtime.executionContextDestroyed","params":{"executionContextId":2`, `Debugger.scriptParsed","params":{"executionContextId":2`, `Debugger.paused","params":{"callFrames":[{"callFrameId":"7.2.0"},{"callFrameId":"7.1.1"}]`,
		`Runtime.consoleAPICalled","params":{"executionContextId":1`, `Debugger.paused","params":{"callFrames":[{"callFrameId":"7.1.0"},{"callFrameId":"7.2.1"}]`, `Runtime.executionContextDestroyed","params":{"executionContextId":1`} {
		b.says <- `{"method":"` + e + `},"sessionId":"S11"}`
	}
	tell(1, "executionContextDestroyed")
	b.says <- `{"method":"Runtime.executionContextCreated","params":{"context":{"id":4,"uniqueId":"U4","origin":"null"}},"sessionId":"S11"}`
	b.says <- `{"method":"Debugger.scriptParsed","params":{"executionContextId":4,"scriptId":"41"},"sessionId":"S11"}`
	tell(1, `"scriptId":"41"`)
	s.add(`{"id":10,"method":"Debugger.getScriptSource","sessionId":"S11","params":{"scriptId":"41"}}`)
	tell(1, `{"id":10,"result"`)
	s.add(`{"id":11,"method":"Runtime.disable","sessionId":"S11"}`) // it stops if it may, as usual
	tell(1, `{"id":11,"result"`)
	b.says <- `{"method":"Runtime.consoleAPICalled","params":{"executionContextId":4},"sessionId":"S11"}`
	b.says <- `{"method":"Debugger.scriptParsed","params":{"executionContextId":4,"scriptId":"42"},"sessionId":"S11"}`
	tell(1, `"scriptId":"42"`)
	heard := s.text()
	if strings.Contains(heard, `"executionContextId":2`) || strings.Contains(heard, `"7.2.`) || strings.Count(heard, "Debugger.paused") != 1 || strings.Count(heard, "consoleAPICalled") != 1 || b.count("Runtime.disable") != 0 {
		t.Errorf("of what is not its: %s", heard)
	}
	if q := <-b.muted; q.Session != "S11" { // where it stopped in a foreign world
		t.Errorf("it goes on in %s", q.Session)
	}
}

// Code that arrives after the document has changed runs only if the new document is the
// client's, too.
func TestCodeOfADocumentThatHasGone(t *testing.T) {
	t.Parallel()
	s, b, _, tell := guestAt(t)
	b.mutes("Runtime.evaluate")
	late := func(id int, unique, origin, next string) {
		t.Helper()
		s.add(fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","sessionId":"S11","params":{"expression":"%d"}}`, id, id))
		q := <-b.muted
		if string(q.Params) != fmt.Sprintf(`{"expression":"%d","uniqueContextId":"%s"}`, id, unique) {
			t.Errorf("it is sent as %s", q.Params)
		}
		b.says <- `{"method":"Runtime.executionContextsCleared","params":{},"sessionId":"S11"}`
		b.says <- fmt.Sprintf(`{"method":"Runtime.executionContextCreated","params":{"context":{"id":1,"uniqueId":"%s","origin":"%s","auxData":{"type":"default","frameId":"MINE-T"}}},"sessionId":"S11"}`, next, origin)
		b.says <- fmt.Sprintf(`{"id":%d,"error":{"code":-32602,"message":"uniqueContextId not found"},"sessionId":"S11"}`, q.ID)
	}
	late(4, "U1", "https://fine.test", "U5")
	q := <-b.muted
	if string(q.Params) != `{"expression":"4","uniqueContextId":"U5"}` {
		t.Errorf("once more it is sent as %s", q.Params)
	}
	b.says <- fmt.Sprintf(`{"id":%d,"result":{},"sessionId":"S11"}`, q.ID)
	tell(1, `{"id":4,"result"`)
	for i, origin := range []string{"chrome://settings", "https://hidden.test", "file:///hidden", "chrome-extension://id"} {
		late(5+2*i, fmt.Sprint("U", 5+2*i), origin, "U0")
		tell(1, fmt.Sprintf(`{"id":%d,"error":{"code":-32000,"message":"Cannot find default execution context"}`, 5+2*i))
		s.add(fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","sessionId":"S11"}`, 6+2*i)) // exists, but is not the client's
		tell(1, fmt.Sprintf(`{"id":%d,"error"`, 6+2*i))
		b.says <- `{"method":"Runtime.executionContextsCleared","params":{},"sessionId":"S11"}`
		b.says <- fmt.Sprintf(`{"method":"Runtime.executionContextCreated","params":{"context":{"id":1,"uniqueId":"U%d","origin":"https://fine.test","auxData":{"type":"default","frameId":"MINE-T"}}},"sessionId":"S11"}`, 7+2*i)
		b.says <- fmt.Sprintf(`{"method":"Page.mark%d","sessionId":"S11"}`, i)
		tell(1, fmt.Sprintf("Page.mark%d", i))
	}
	if n := b.count("Runtime.evaluate"); n != 6 {
		t.Errorf("%d were sent", n)
	}
}

// Frames of extensions in pages are hidden as soon as they are recognised. A document in
// the back/forward cache is not restored where it may not be seen. A client's page can't
// embed a file.
func TestFramesOfLentTabs(t *testing.T) {
	t.Parallel()
	s, b, own, tell := guestAt(t)
	watch := b.first("Fetch.enable").Session
	s.add(`{"id":4,"method":"Target.setDiscoverTargets","params":{"discover":true}}`)
	b.mutes("Fetch.failRequest")
	frame := func(n int, url string) {
		b.says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":{"sessionId":"F%d","targetInfo":{"targetId":"FRAME%d","type":"iframe","url":"%s","browserContextId":"MINE"},"waitingForDebugger":true},"sessionId":"S11"}`, n, n, url)
	}
	frame(1, "")
	tell(1, `"sessionId":"F1"`)
	b.says <- fmt.Sprintf(`{"method":"Target.targetInfoChanged","params":{"targetInfo":{"targetId":"FRAME1","type":"iframe","url":"chrome-extension://id/page.html","browserContextId":"MINE"}},"sessionId":"%s"}`, watch)
	b.says <- fmt.Sprintf(`{"method":"Page.frameStartedNavigating","params":{"frameId":"FRAME2","url":"chrome-extension://id/page.html"},"sessionId":"%s"}`, own)
	frame(2, "")
	frame(3, "chrome-extension://id/page.html")
	frame(4, "https://hidden.test/") // a web page
	tell(1, `"sessionId":"F4"`)
	s.add(`{"id":5,"method":"DOM.getDocument","sessionId":"F1"}`, `{"id":6,"method":"DOM.getDocument","sessionId":"F4"}`)
	tell(1, `{"id":6,"result"`)
	if heard := s.text(); !strings.Contains(heard, `{"id":5,"error"`) || strings.Contains(heard, "F2") || strings.Contains(heard, "F3") {
		t.Errorf("of an extension's frames it has %s", heard)
	}
	b.says <- fmt.Sprintf(`{"method":"Page.frameStartedNavigating","params":{"frameId":"FRAME4","url":"file:///hidden"},"sessionId":"%s"}`, own)
	b.says <- fmt.Sprintf(`{"method":"Fetch.requestPaused","params":{"requestId":"R1","frameId":"FRAME4","resourceType":"Document","request":{"url":"file:///hidden"}},"sessionId":"%s"}`, watch)
	<-b.muted
	b.says <- fmt.Sprintf(`{"method":"Page.frameStartedNavigating","params":{"frameId":"MINE-T","url":"https://hidden.test/","navigationType":"historyDifferentDocument"},"sessionId":"%s"}`, own)
	tell(1, `"Target.targetDestroyed","params":{"targetId":"MINE-T"}`)
	s.add(`{"id":7,"method":"DOM.getDocument","sessionId":"S11"}`)
	tell(1, `{"id":7,"error"`)
}

// The policy judges a page's own document, because it may know more than an origin.
// Frames only need to be web pages.
func TestWhichRealmsFit(t *testing.T) {
	t.Parallel()
	w := &worlds{names: map[string]bool{"mine": true}, url: func(target string) string {
		return map[string]string{"PAGE": "https://fine.test/app/x"}[target]
	}, shared: &SharedBrowser{Shows: func(url string) bool {
		return strings.HasPrefix(url, "https://fine.test/app/") || strings.HasPrefix(url, "http://all.test")
	}}}
	page, frame, worker := &session{of: "PAGE", page: "PAGE"}, &session{of: "FRAME", page: "PAGE"}, &session{of: "WORKER", page: "WORKER"}
	for _, c := range []struct {
		s                         *session
		origin, kind, name, frame string
		want                      bool
	}{
		{page, "https://fine.test", "default", "", "PAGE", true}, {page, "http://all.test", "default", "", "PAGE", true}, {page, "https://fine.test:1", "default", "", "PAGE", false},
		{page, "https://other.test", "default", "", "PAGE", false}, {page, "https://other.test", "default", "", "FRAME", true}, {page, "://", "default", "", "PAGE", true},
		{page, "file://", "default", "", "PAGE", false}, {page, "file://", "default", "", "FRAME", false}, {page, "chrome://settings", "default", "", "PAGE", false}, {page, "devtools://devtools", "default", "", "PAGE", false},
		{page, "https://fine.test", "isolated", "mine", "PAGE", true}, {page, "https://fine.test", "isolated", "theirs", "PAGE", false}, {page, "chrome-extension://id", "isolated", "mine", "PAGE", false},
		{frame, "https://other.test", "default", "", "FRAME", true}, {frame, "chrome-extension://id", "default", "", "FRAME", false}, {frame, "httpx://other.test", "default", "", "FRAME", false},
		{worker, "https://other.test/w.js", "", "", "", true}, {worker, "blob:https://fine.test/1", "", "", "", true}, {worker, "chrome-extension://id/w.js", "", "", "", false}, {worker, "blob:chrome-extension://id/1", "", "", "", false},
	} {
		r := &realm{Origin: c.origin, Name: c.name}
		r.Of.Type, r.Of.Frame = c.kind, c.frame
		if got := w.fits(c.s, r); got != c.want {
			t.Errorf("%s %s %q in %s: %v", c.kind, c.origin, c.name, c.frame, got)
		}
	}
}
