package fastpath_test

import (
	"strings"
	"testing"

	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
)

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
	s.call("click", "#c")
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
