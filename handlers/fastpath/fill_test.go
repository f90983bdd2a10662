package fastpath_test

import (
	"strings"
	"testing"

	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
)

// TestFillTellsWhatCameOfIt: when a fill returns, the driver knows its effects,
// and they are reported.
func TestFillTellsWhatCameOfIt(t *testing.T) {
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<link rel=icon href=data:,><input oninput="console.log(this.value); history.pushState({}, '', '?' + this.value); window.open('about:blank')">`}))
	p := s.page()
	s.call("fill", "input", "the first is the driver's")
	before := fastpath.Counts(p).Answers
	s.call("fill", "input", "second")
	if after := fastpath.Counts(p).Answers; after == before {
		t.Error("it did not take the direct line")
	}
	if n := len(s.OpenPages()); n != 3 {
		t.Errorf("%d pages", n)
	}
	if at := p.PW.URL(); !strings.HasSuffix(at, "?second") {
		t.Errorf("it is at %s", at)
	}
	said := events.Recorded.Of(s.Session).Since(0, events.EventConsole)
	if len(said) != 2 || said[1].Text != "second" {
		t.Errorf("the console: %+v", said)
	}
}

// TestFillHappensOnce: the text is typed once, even if the page is busy after the focus.
func TestFillHappensOnce(t *testing.T) {
	pipetest.InCI(t, "it is about a race, and TestFillTellsWhatCameOfIt is quick")
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<input oninput="window.inputs = (window.inputs || 0) + 1"
onfocus="setTimeout(() => { for (const end = Date.now() + 1500; Date.now() < end;); })"><button>b</button>`}))
	s.page()
	s.call("fill", "input", "the first is the driver's")
	s.call("eval", "document.activeElement.blur(), window.inputs = 0")
	s.call("fill", "input", "second")
	if got := s.call("eval", "window.inputs"); got != "1" {
		t.Errorf("%s input events", got)
	}
}
