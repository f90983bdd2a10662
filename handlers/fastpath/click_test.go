package fastpath_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// clickOf returns the result of a click: the error, and what the page recorded.
func (s *session) clickOf(ctx context.Context, sel string, timeout time.Duration) string {
	s.Helper()
	s.call("mouse-move", 1270, 400) // start from an empty spot
	s.call("eval", "reset()")
	came := "done"
	if _, err := s.table.Call(ctx, provider.Request{Tool: "click", Params: encode([]string{sel}), Timeout: timeout}); err != nil {
		came = err.Error()
	}
	return came + "\n" + s.call("url") + "\n" + s.call("eval", "told()")
}

// TestClickTellsWhatCameOfIt: when a click that opens a page or goes elsewhere returns, the driver
// knows its effects.
func TestClickTellsWhatCameOfIt(t *testing.T) {
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<link rel=icon href=data:,><button onclick="console.log('clicked'); history.pushState({}, '', '?clicked'); window.open('about:blank')">b</button>`}))
	p := s.page()
	s.call("click", "body")
	before := fastpath.Counts(p).Clicks
	s.call("click", "button")
	if fastpath.Counts(p).Clicks == before {
		t.Error("it did not take the direct line")
	}
	if n := len(s.OpenPages()); n != 2 {
		t.Errorf("%d pages", n)
	}
	if at := p.PW.URL(); !strings.HasSuffix(at, "?clicked") {
		t.Errorf("it is at %s", at)
	}
	if said := events.Recorded.Of(s.Session).Since(0, events.EventConsole); len(said) != 1 || said[0].Text != "clicked" {
		t.Errorf("the console: %+v", said)
	}
}

// TestMouseAfterClicks: tools that depend on the mouse's position, or hold a button or
// a key, work as if the driver had made all clicks.
func TestMouseAfterClicks(t *testing.T) {
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<body style="margin: 0"><div id=a style="height: 100px; overflow: auto"><button id=b style="height: 50px">b</button><p style="height: 900px"></div>
		<div id=c style="height: 100px; overflow: auto"><p style="height: 900px"></div><script>let seen = []; onclick = (e) => seen.push(e.shiftKey)</script>`}))
	p := s.page()
	s.call("hover", "#c")
	s.call("click", "#b")
	before := fastpath.Counts(p).Clicks
	s.call("click", "#b")
	if fastpath.Counts(p).Clicks == before {
		t.Error("it did not take the direct line")
	}
	s.call("wheel", 0, 30)
	s.call("eval", "new Promise(f => { const look = () => document.querySelector('#a').scrollTop === 30 ? f() : requestAnimationFrame(look); look() })")
	if got := s.call("eval", "document.querySelector('#c').scrollTop"); got != "0" {
		t.Errorf("another was scrolled: %s", got)
	}
	s.call("key-down", "Shift")
	s.call("click", "#b")
	s.call("key-up", "Shift")
	if got := s.call("eval", "JSON.stringify(seen)"); got != `"[false,false,true]"` {
		t.Error(got)
	}
}
