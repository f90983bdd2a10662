package tabwall

import (
	"encoding/json"
	"fmt"
	"os"
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

// TestCommands: what becomes of commands in the person's context, and in one that the agent made. What Chromium would
// not undo
// when the tab is given back is refused in the first alone. In both, no key and no button copies, cuts or pastes, no
// code
// outlives the session, and nothing is fetched with the person's cookies.
func TestCommands(t *testing.T) {
	table, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		var method, params, person, own string
		if _, err := fmt.Sscanf(line, "%q %q %q %q", &method, &params, &person, &own); err != nil {
			t.Fatal(line, err)
		}
		if one, other := judged(method, params, false), judged(method, params, true); one != person || other != own {
			t.Errorf("%s %s: %s in the person's context, %s in the agent's", method, params, one, other)
		}
	}
}
