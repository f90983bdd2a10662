//go:build evidence

package fastpath_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// clicks are selectors to click. The driver should click the last ones.
var clicks = []string{"#plain", "#nested", "#bold", "b >> i", "text=Plain", "#link", "#script", "#nowhere", "#label", "#checkbox", "#for", "#radio",
	"#text", "#area", "#select", "#summary", ".same", ".same >> nth=1", "role=button[name=Plain]", "#inline", "#of-contents", "#turned", "#half", "#seen", "#under",
	"#hides", "#asks", "#throws", "#pushes", "#stops", "#draggable", "#editable", "#busy", "#inner", "#slotted", "#clobbered", "#no-send", "html", "body",
	"#lines", "#contents", "#circle", "#image", "#deep", "#zoomed", "#below", "#cut", "#far", "#scrolls", "#file", "button["}

// disturbed elements are clicked, but what the page sees before depends on the number
// of tries, or on when a dialog was answered.
var disturbed = []string{"#uncovers", "#moves", "#asks-down"}

// unclickable elements are never ready. The error depends on when the page was seen.
var unclickable = []string{"#disabled", "#inside", "#covered", "#hidden", "#none", "#flat", "#more", "#absent", "#option", "#aria"}

// TestClickBothWays clicks all kinds of elements on the fast path and by the driver.
// The page's events, the positions and the errors are the same.
func TestClickBothWays(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBothWays is quick")
	s := start(t)
	site := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(site.Close)
	s.call("nav", site.URL+"/clicks.html")
	p := s.page()
	s.call("click", "#plain") // the driver makes the first click
	missed := 0
	for _, sel := range clicks {
		want := s.clickOf(fastpath.Without(s.ctx), sel, 0)
		before := fastpath.Counts(p).Clicks
		got := s.clickOf(s.ctx, sel, 0)
		if fastpath.Counts(p).Clicks == before {
			missed++
			t.Logf("by the driver: %q", sel)
		}
		if got != want {
			t.Errorf("click %q\n the direct line: %s\n the driver:      %s", sel, got, want)
		}
	}
	if most := len(clicks) / 3; missed > most {
		t.Errorf("%d of %d did not take the direct line", missed, len(clicks))
	}
	// The driver finds no box of an area.
	if got := s.clickOf(s.ctx, "#area-of", 0); !strings.Contains(got, "click area-of ") {
		t.Errorf("click of an area: %s", got)
	}
	for _, ctx := range []context.Context{fastpath.Without(s.ctx), s.ctx} {
		for _, sel := range disturbed {
			if got := s.clickOf(ctx, sel, 0); !strings.HasPrefix(got, "done\n") || strings.Count(got, "click "+sel[1:]+" ") > 1 {
				t.Errorf("click %q: %s", sel, got)
			}
		}
		for _, sel := range unclickable {
			if got := s.clickOf(ctx, sel, 300*time.Millisecond); !strings.HasPrefix(got, "click: ") || strings.Contains(got, `"click `) {
				t.Errorf("click %q: %s", sel, got)
			}
		}
	}
}

// TestClickWaitsForItsNavigation: a click returns after the navigation that it starts,
// and begins after a navigation in progress.
func TestClickWaitsForItsNavigation(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBothWays is quick")
	s := start(t)
	site := pipetest.ServePages(t, map[string]string{
		"/":     `<a href=/next id=link>l</a><form action=/next><button id=send>s</button></form><button id=script onclick="location.href = '/next'">j</button><a href=#here id=here>h</a><a id=none href=/none>204</a>`,
		"/next": "<a href=/ id=link>back</a>"})
	s.call("nav", site)
	p := s.page()
	s.call("click", "body")
	before := fastpath.Counts(p).Clicks
	for i := range 12 {
		s.call("nav", site)
		s.call("click", []string{"#link", "#send", "#script"}[i%3])
		if got := s.call("url"); !strings.Contains(got, "/next") {
			t.Errorf("%d: %s", i, got)
		}
		s.call("click", "#link")
		if got := s.call("url"); !strings.HasSuffix(got, `/"`) {
			t.Errorf("%d: %s", i, got)
		}
		s.call("click", "#here")
		if got := s.call("url"); !strings.HasSuffix(got, `#here"`) {
			t.Errorf("%d: %s", i, got)
		}
		s.call("eval", "document.querySelector('#link').click()")
		s.call("click", "#link")
		if got := s.call("url"); !strings.HasSuffix(got, `/"`) {
			t.Errorf("%d: %s", i, got)
		}
	}
	if got := fastpath.Counts(p).Clicks - before; got < 24 {
		t.Errorf("%d took the direct line", got)
	}
}

// TestClickOfABusyPage: if a click's handler does not end, the error is the driver's,
// and there was one click.
func TestClickOfABusyPage(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it waits for a page that is busy")
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<button onclick="window.n = (window.n ?? 0) + 1; for (const end = Date.now() + 6000; Date.now() < end;);">b</button>`}))
	p := s.page()
	s.call("click", "body")
	var said []string
	for i, ctx := range []context.Context{fastpath.Without(s.ctx), s.ctx} {
		before := fastpath.Counts(p).Clicks
		_, err := s.table.Call(ctx, provider.Request{Tool: "click", Params: encode([]string{"button"}), Timeout: 3 * time.Second})
		if err == nil {
			t.Fatal("it ended")
		}
		if took := fastpath.Counts(p).Clicks > before; took != (i == 1) {
			t.Errorf("the direct line: %v", took)
		}
		said = append(said, err.Error())
		if got := s.call("eval", "window.n"); got != fmt.Sprint(i+1) {
			t.Errorf("it was clicked %s times", got)
		}
	}
	if said[0] != said[1] {
		t.Errorf("\n%s\n%s", said[0], said[1])
	}
}

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
