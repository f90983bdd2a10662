package extension

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/browser/cdp"
)

// lendOne is a browser with one lent tab, and sessions with both. heard gets what the
// extension is asked to do.
func lendOne(t *testing.T) (b *browser, ask func(session, method, params string) string, tab string, heard chan outgoing) {
	t.Helper()
	b, heard = newBrowser(func(string, string) {}), make(chan outgoing, 100)
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _ = b.Close(); _ = theirs.Close() })
	if !b.enter(ours, "Mozilla/5.0 Chrome/125.0.0.0 Safari/537.36") {
		t.Fatal("the connection is taken")
	}
	go func() {
		for {
			text, err := readFrame(theirs)
			if err != nil {
				return
			}
			var m outgoing
			_ = json.Unmarshal(text, &m)
			heard <- m
			b.reply(said{ID: m.ID, Result: jsonObject("{}")})
		}
	}()
	b.lend(7, targetInfo{ID: "T", URL: "https://example.com/", Title: "Mine", Context: "C"})
	said := bufio.NewReader(b.out)
	last := 0
	ask = func(session, method, params string) string {
		last++
		m := fmt.Sprintf(`{"id":%d,"method":%q,"params":%s,"sessionId":%q}`+"\x00", last, method, params, session)
		if _, err := b.Write([]byte(m)); err != nil {
			t.Fatal(err)
		}
		for {
			text, err := said.ReadString(0)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(text, fmt.Sprintf(`{"id":%d,`, last)) {
				return strings.TrimSuffix(text, "\x00")
			}
		}
	}
	answer := ask("", "Target.attachToTarget", `{"targetId":"T","flatten":true}`)
	var got struct{ Result struct{ SessionID string } }
	if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Result.SessionID == "" {
		t.Fatal(answer)
	}
	return b, ask, got.Result.SessionID, heard
}

// What is of the whole browser is refused, and the extension does not hear of it.
func TestRefused(t *testing.T) {
	_, ask, tab, heard := lendOne(t)
	for _, at := range []struct{ session, methods string }{
		{"", `Browser.close Browser.crash Browser.getWindowForTarget Browser.grantPermissions Browser.executeBrowserCommand
			Target.createBrowserContext Target.disposeBrowserContext Target.exposeDevToolsProtocol Target.setRemoteLocations
			Target.sendMessageToTarget Target.autoAttachRelated Storage.setCookies Storage.clearCookies SystemInfo.getInfo
			Tracing.start Fetch.enable IO.read Network.getAllCookies Page.navigate Runtime.evaluate Extensions.loadUnpacked
			target.getTargets Target.gettargets Target Target. .getTargets`},
		{tab, `Browser.close Browser.getVersion Network.getAllCookies Network.clearBrowserCookies Network.clearBrowserCache
			Storage.getCookies Storage.setCookies Storage.clearDataForOrigin Target.createTarget Target.closeTarget
			Target.attachToTarget Target.getTargets Target.exposeDevToolsProtocol Target.setDiscoverTargets
			ServiceWorker.enable SystemInfo.getInfo Tracing.start Extensions.loadUnpacked Page.close Page.setDownloadBehavior
			Emulation.setPageScaleFactor Emulation.setEmitTouchEventsForMouse Emulation.setVirtualTimePolicy Input.synthesizePinchGesture
			Security.setOverrideCertificateErrors Security.handleCertificateError Profiler.start Network.setCookie Network.setCookies Network.deleteCookies network.getAllCookies`},
	} {
		for _, method := range strings.Fields(at.methods) {
			answer := ask(at.session, method, `{}`)
			if !strings.Contains(answer, `"error":{`) && !strings.Contains(answer, `"id":"browser"`) {
				t.Errorf("%s of %q: %s", method, at.session, answer)
			}
		}
	}
	for _, session := range []string{"S", "x" + tab} {
		if answer := ask(session, "Runtime.evaluate", `{"expression":"1"}`); !strings.Contains(answer, "not found") {
			t.Error(answer)
		}
	}
	select {
	case m := <-heard:
		t.Errorf("the extension was asked: %+v", m)
	case <-time.After(50 * time.Millisecond):
	}
}

// A command of a tab passes the wall that all lent tabs have: the clipboard, the zoom and warnings
// are the person's.
func TestSameWall(t *testing.T) {
	_, ask, tab, heard := lendOne(t)
	for _, c := range [][2]string{
		{"Input.dispatchMouseEvent", `{"type":"mousePressed","x":1,"y":1,"button":"middle"}`},
		{"Input.dispatchTouchEvent", `{"type":"touchStart","touchPoints":[{"x":1,"y":1},{"x":2,"y":2}]}`},
		{"Security.setIgnoreCertificateErrors", `{"ignore":true}`},
		{"Network.loadNetworkResource", `{"url":"https://bank.example/","options":{"disableCache":true,"includeCredentials":true}}`},
		{"Page.setWebLifecycleState", `{"state":"frozen"}`},
		{"Debugger.setBreakpointByUrl", `{"lineNumber":1,"condition":"steal()"}`},
	} {
		if answer := ask(tab, c[0], c[1]); !strings.Contains(answer, `"error":{`) {
			t.Errorf("%s: %s", c[0], answer)
		}
	}
	if answer := ask(tab, "Page.setFontFamilies", `{"fontFamilies":{}}`); !strings.Contains(answer, `"result":{}`) {
		t.Error(answer)
	}
	ask(tab, "Input.dispatchKeyEvent", `{"type":"keyDown","key":"v","windowsVirtualKeyCode":86,"modifiers":2,"commands":["paste","selectAll"],"nativeVirtualKeyCode":86}`)
	if m := <-heard; string(m.Params) != `{"type":"keyDown","modifiers":2,"key":"v","commands":["selectAll"]}` {
		t.Errorf("the extension was asked: %s %s", m.Method, m.Params)
	}
}

// Cookies are read for the page of the tab, whatever addresses a command names.
func TestCookiesOfThePage(t *testing.T) {
	_, ask, tab, heard := lendOne(t)
	ask(tab, "Network.getCookies", `{"urls":["https://bank.example/"]}`)
	if m := <-heard; m.Method != "Network.getCookies" || string(m.Params) != "{}" {
		t.Errorf("the extension was asked: %s %s", m.Method, m.Params)
	}
}

// Commands for a tab reach the extension, also those that are longer than Chrome takes.
func TestPassed(t *testing.T) {
	b, _, tab, _ := lendOne(t)
	ours, theirs := net.Pipe()
	b.mu.Lock()
	b.conn = ours
	b.mu.Unlock()
	long := strings.Repeat(`é"\`, 1<<20)
	params, err := cdp.Encode(map[string]string{"expression": long})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = fmt.Fprintf(b, "{\"id\":99,\"method\":\"Runtime.evaluate\",\"params\":%s,\"sessionId\":%q}\x00", params, tab)
	}()
	var whole strings.Builder
	for {
		text, err := readFrame(theirs)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > longestTold {
			t.Fatalf("a message of %d bytes", len(text))
		}
		var piece struct {
			Piece string
			Last  bool
		}
		if err := json.Unmarshal(text, &piece); err != nil {
			t.Fatal(err)
		}
		if whole.WriteString(piece.Piece); piece.Last {
			break
		}
	}
	var m outgoing
	var got struct{ Expression string }
	if err := json.Unmarshal([]byte(whole.String()), &m); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(m.Params, &got); err != nil || got.Expression != long || m.Tab != 7 || m.Method != "Runtime.evaluate" {
		t.Errorf("%v, %d bytes, %d %s", err, len(got.Expression), m.Tab, m.Method)
	}
}

// A message without an end, or with too long a length, is an error.
func TestFrames(t *testing.T) {
	for _, text := range []string{"\x05\x00\x00\x00four", "\xff\xff\xff\xff", "\x01"} {
		if _, err := readFrame(strings.NewReader(text)); err == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
