package fastpath_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// fillOf returns the result of a fill: the error, and what the page recorded.
func (s *session) fillOf(ctx context.Context, params []string, timeout time.Duration) string {
	s.Helper()
	s.call("eval", "reset()")
	came := "done"
	if _, err := s.table.Call(ctx, provider.Request{Tool: "fill", Params: encode(params[:2]), Timeout: timeout}); err != nil {
		came = err.Error()
	}
	id := strings.TrimPrefix(params[0], "#")
	if len(params) > 2 {
		id = params[2]
	}
	return came + "\n" + s.call("url") + "\n" + s.call("eval", fmt.Sprintf("told(%s)", encode(id)))
}

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
