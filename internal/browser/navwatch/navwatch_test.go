package navwatch

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"pwpipe/internal/browser/cdp"
)

// TestCourse follows a browser's reports of a page's navigations.
func TestCourse(t *testing.T) {
	t.Parallel()
	in, tells := io.Pipe()
	asked, out := io.Pipe()
	conn := cdp.New(in, out)
	t.Cleanup(func() { _ = conn.Close() })
	say := func(format string, args ...any) {
		if _, err := fmt.Fprintf(tells, format+"\x00", args...); err != nil {
			t.Error(err)
		}
	}
	go func() { // the browser
		for r := bufio.NewReader(asked); ; {
			line, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			var call struct {
				ID     int64
				Method string
			}
			_ = json.Unmarshal(line[:len(line)-1], &call)
			result := map[string]string{"Target.attachToBrowserTarget": `{"sessionId":"S"}`, "Page.getFrameTree": `{"frameTree":{"frame":{"id":"M"}}}`}[call.Method]
			if result == "" {
				result = "{}"
			}
			say(`{"id":%d,"result":%s,"sessionId":"S"}`, call.ID, result)
		}
	}()
	s, err := conn.Browser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := &Course{}
	begun := c.watch(t.Context(), s)
	look := func(what string, still bool) {
		t.Helper()
		if err := s.Call(t.Context(), "Any.thing", nil, nil); err != nil { // all earlier events are read by then
			t.Fatal(err)
		}
		if c.Still(s) != still {
			t.Errorf("%s: still %v", what, !still)
		}
	}
	event := func(method, params string) { say(`{"method":"Page.%s","params":%s,"sessionId":"S"}`, method, params) }
	look("nothing is known", false)
	c.settled(begun)
	look("the driver acted", true)
	event("frameRequestedNavigation", `{"frameId":"M","disposition":"newTab"}`)
	event("frameRequestedNavigation", `{"frameId":"F","disposition":"currentTab"}`)
	event("frameStartedNavigating", `{"frameId":"M","loaderId":"0","navigationType":"sameDocument"}`)
	look("that is no navigation of the page's", true)
	event("frameRequestedNavigation", `{"frameId":"M","disposition":"currentTab"}`)
	look("one was asked for", false)
	event("javascriptDialogClosed", `{"result":false}`)
	look("a dialog of another kind is dismissed", false)
	event("javascriptDialogOpening", `{"type":"beforeunload"}`)
	event("javascriptDialogClosed", `{"result":false}`)
	look("the page was not let go", true)
	event("frameRequestedNavigation", `{"frameId":"M","disposition":"currentTab"}`)
	event("javascriptDialogOpening", `{"type":"beforeunload"}`)
	event("javascriptDialogClosed", `{"result":true}`)
	event("frameNavigated", `{"frame":{"id":"F","parentId":"M","loaderId":"1"}}`)
	look("it was, and a frame has navigated", false)
	event("frameStartedNavigating", `{"frameId":"M","loaderId":"2","navigationType":"differentDocument"}`)
	event("frameNavigated", `{"frame":{"id":"M","loaderId":"1"}}`)
	look("an older one is there", false)
	event("frameNavigated", `{"frame":{"id":"M","loaderId":"2"}}`)
	look("it is there", true)
	begun = c.watch(t.Context(), s)
	event("frameStartedNavigating", `{"frameId":"M","loaderId":"3","navigationType":"reload"}`)
	look("another has begun", false)
	over, end := context.WithCancel(t.Context())
	end()
	if c.Arrived(over, s) {
		t.Error("what has not come in time has arrived")
	}
	c.settled(begun)
	look("it had not when the driver began to act", false)
	event("frameStoppedLoading", `{"frameId":"M"}`)
	look("it came to nothing", true)
	if !c.Arrived(t.Context(), s) {
		t.Error("there is nothing to wait for")
	}
}
