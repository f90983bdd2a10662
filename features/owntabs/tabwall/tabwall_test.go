package tabwall

import (
	"encoding/json"
	"strings"
	"testing"
)

// judged is what becomes of a command: "refused", "answered", or the params that are sent.
func judged(method, params string, own bool) string {
	rule := Of(method, own)
	if rule == nil {
		return "refused"
	}
	v, err := rule(json.RawMessage(params))
	switch {
	case err != nil:
		return "refused"
	case v.Done:
		return "answered"
	case v.Params == nil:
		return params
	}
	sent, err := json.Marshal(v.Params)
	if err != nil {
		return err.Error()
	}
	return string(sent)
}

// TestListIsTheWall: what is on no list is refused, in the person's context and in an agent's
// own; so is a name that is spelled in another way, or that a later Chromium brings.
func TestListIsTheWall(t *testing.T) {
	for _, method := range strings.Fields(`Browser.close Browser.grantPermissions Browser.setDownloadBehavior
		SystemInfo.getInfo Target.createTarget Target.attachToTarget Target.setDiscoverTargets Tracing.start Memory.prepareForLeakDetection
		ServiceWorker.unregister BackgroundService.startObserving DeviceAccess.enable Extensions.loadUnpacked
		Autofill.trigger Cast.startTabMirroring PWA.install Tethering.bind FileSystem.getDirectory
		Storage.clearDataForOrigin Storage.getCookies Network.clearBrowserCookies Network.getCookies Network.setCookie
		Network.clearBrowserCache Page.close Page.crash Page.navigate Page.addScriptToEvaluateOnNewDocument Page.setDownloadBehavior
		Page.captureSnapshotEverything HeapProfiler.takeHeapSnapshot Profiler.start Security.handleCertificateError
		Security.setOverrideCertificateErrors Input.setClipboard Emulation.addScreen Emulation.setFutureThing
		runtime.evaluate Page. .enable DOM2.enable`) {
		for _, own := range []bool{false, true} {
			if got := judged(method, `{}`, own); got != "refused" {
				t.Errorf("%s (own context: %t): %s", method, own, got)
			}
		}
	}
	for _, method := range strings.Fields(`Runtime.evaluate DOM.getDocument CSS.enable Fetch.enable Page.captureScreenshot
		Page.printToPDF Network.enable Network.getResponseBody Input.insertText Emulation.setDeviceMetricsOverride
		Accessibility.getFullAXTree Debugger.enable HeapProfiler.collectGarbage`) {
		if got := judged(method, `{"a":1}`, false); got != `{"a":1}` {
			t.Errorf("%s: %s", method, got)
		}
	}
}

// TestWhatStaysWithTheTab: what Chromium would not undo when the tab is given back is refused in the
// person's context alone.
func TestWhatStaysWithTheTab(t *testing.T) {
	for _, c := range []struct{ method, params, person, own string }{
		{"Emulation.setPageScaleFactor", `{"pageScaleFactor":2}`, "refused", `{"pageScaleFactor":2}`},
		{"Emulation.setVirtualTimePolicy", `{}`, "refused", `{}`},
		{"Emulation.setEmitTouchEventsForMouse", `{"enabled":true}`, "refused", `{"enabled":true}`},
		{"Input.synthesizePinchGesture", `{}`, "refused", `{}`},
		{"Input.dispatchTouchEvent", `{"type":"touchStart","touchPoints":[{"x":1},{"x":2}]}`, "refused", `{"type":"touchStart","touchPoints":[{"x":1},{"x":2}]}`},
		{"Input.dispatchTouchEvent", `{"type":"touchStart","touchPoints":[{"x":1}]}`, `{"type":"touchStart","touchPoints":[{"x":1}]}`, `{"type":"touchStart","touchPoints":[{"x":1}]}`},
		{"Input.dispatchTouchEvent", `{"type":"touchEnd"}`, `{"type":"touchEnd","touchPoints":[]}`, `{"type":"touchEnd"}`},
		{"Page.setFontSizes", `{"fontSizes":{}}`, "answered", `{"fontSizes":{}}`},
		{"Page.setFontFamilies", `{}`, "answered", `{}`},
		{"Page.setWebLifecycleState", `{"state":"frozen"}`, "refused", `{"state":"frozen"}`},
		{"Page.setWebLifecycleState", `{"state":"active"}`, `{"state":"active"}`, `{"state":"active"}`},
		{"Security.setIgnoreCertificateErrors", `{"ignore":true}`, "refused", `{"ignore":true}`},
		{"Security.setIgnoreCertificateErrors", `{"ignore":false}`, `{"ignore":false}`, `{"ignore":false}`},
		{"Security.setIgnoreCertificateErrors", `{"ignore":"yes"}`, "refused", `{"ignore":"yes"}`},
	} {
		if got := judged(c.method, c.params, false); got != c.person {
			t.Errorf("%s %s in the person's context: %s", c.method, c.params, got)
		}
		if got := judged(c.method, c.params, true); got != c.own {
			t.Errorf("%s %s in the agent's: %s", c.method, c.params, got)
		}
	}
}

// TestClipboardIsOutOfReach: no key and no button copies, cuts or pastes, in any context.
func TestClipboardIsOutOfReach(t *testing.T) {
	for _, c := range []struct{ params, sent string }{
		{`{"type":"keyDown","modifiers":2,"key":"v","windowsVirtualKeyCode":86}`, `{"type":"keyDown","modifiers":2,"key":"v"}`},
		{`{"type":"keyDown","modifiers":4,"key":"c","windowsVirtualKeyCode":67}`, `{"type":"keyDown","modifiers":4,"key":"c"}`},
		{`{"type":"keyDown","modifiers":2,"key":"x","windowsVirtualKeyCode":88}`, `{"type":"keyDown","modifiers":2,"key":"x"}`},
		{`{"type":"keyDown","modifiers":8,"key":"Insert","windowsVirtualKeyCode":45}`, `{"type":"keyDown","modifiers":8,"key":"Insert"}`},
		{`{"type":"keyDown","modifiers":8,"key":"Delete","windowsVirtualKeyCode":46}`, `{"type":"keyDown","modifiers":8,"key":"Delete"}`},
		{`{"type":"keyDown","key":"Paste","code":"Paste"}`, `{"type":"keyDown"}`},
		{`{"type":"keyDown","commands":["paste","Paste:","selectAll","yank","copy","moveLeft:","pasteAndMatchStyle"]}`, `{"type":"keyDown","commands":["selectAll","moveLeft:"]}`},
		{`{"type":"keyDown","key":"v","windowsVirtualKeyCode":86,"nativeVirtualKeyCode":86}`, `{"type":"keyDown","key":"v","windowsVirtualKeyCode":86}`},
		{`{"type":"keyDown","key":"Delete","windowsVirtualKeyCode":46}`, `{"type":"keyDown","key":"Delete","windowsVirtualKeyCode":46}`},
	} {
		for _, own := range []bool{false, true} {
			if got := judged("Input.dispatchKeyEvent", c.params, own); got != c.sent {
				t.Errorf("%s: sent %s", c.params, got)
			}
		}
	}
	for params, want := range map[string]string{
		`{"type":"mousePressed","button":"middle"}`:              "refused",
		`{"type":"mousePressed","button":"left","buttons":5}`:    "refused",
		`{"type":"mousePressed","button":"left","buttons":1}`:    `{"type":"mousePressed","button":"left","buttons":1}`,
		`{"type":"mouseWheel","modifiers":10,"deltaY":100}`:      `{"type":"mouseWheel","modifiers":8,"deltaY":100}`,
		`{"type":"mousePressed","button":["left"],"buttons":{}}`: "refused",
	} {
		for _, method := range []string{"Input.dispatchMouseEvent", "Input.emulateTouchFromMouseEvent"} {
			if got := judged(method, params, true); got != want {
				t.Errorf("%s %s: %s", method, params, got)
			}
		}
	}
}

// TestNothingBeyondThePage: no code that outlives the session, no fetch with the person's cookies or
// of a file.
func TestNothingBeyondThePage(t *testing.T) {
	for _, method := range strings.Fields("Debugger.setBreakpoint Debugger.setBreakpointByUrl Debugger.setBreakpointOnFunctionCall") {
		for params, want := range map[string]string{
			`{"lineNumber":1}`:                     `{"lineNumber":1}`,
			`{"condition":""}`:                     `{"condition":""}`,
			`{"condition":"steal()"}`:              "refused",
			`{"condition":{"toString":"steal()"}}`: "refused",
		} {
			if got := judged(method, params, true); got != want {
				t.Errorf("%s %s: %s", method, params, got)
			}
		}
	}
	for params, want := range map[string]string{
		`{"url":"https://a.test/x.map","options":{"disableCache":true,"includeCredentials":false}}`: `{"url":"https://a.test/x.map","options":{"disableCache":true,"includeCredentials":false}}`,
		`{"url":"https://a.test/","options":{"includeCredentials":true}}`:                           "refused",
		`{"url":"file:///etc/passwd","options":{}}`:                                                 "refused",
		`{"url":" https://a.test/","options":{}}`:                                                   "refused",
		`{"url":"chrome://settings","options":{}}`:                                                  "refused",
	} {
		if got := judged("Network.loadNetworkResource", params, false); got != want {
			t.Errorf("%s: %s", params, got)
		}
	}
}
