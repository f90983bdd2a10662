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

// fills are a selector, a text, and the id of the field to check if it is
// another.
var fills = [][]string{
	{"#text", "Ada"}, {"#text", ""}, {"#text", "two\nlines"}, {"#text", "<b> &amp; \u0000 灯台 🏮"}, {"#text", strings.Repeat("long ", 5000)},
	{"#typeless", "a"}, {"#odd", "a"}, {"#email", "a@b.c"}, {"#email", "no address"}, {"#password", "secret"}, {"#search", "a"}, {"#tel", "1"}, {"#url", "x:y"},
	{"#number", "12.5"}, {"#number", " 7 "}, {"#number", "seven"}, {"#number", "1e3"}, {"#number", ""},
	{"#date", "2024-02-29"}, {"#date", "2023-02-29"}, {"#date", " 2024-01-01 "}, {"#time", "12:30"}, {"#time", "25:00"},
	{"#local", "2024-01-01T12:00"}, {"#month", "2024-05"}, {"#week", "2024-W05"}, {"#color", "#ff0000"}, {"#color", "red"}, {"#range", "5"}, {"#range", "50"},
	{"#checkbox", "a"}, {"#radio", "a"}, {"#file", "a"}, {"#submit", "a"}, {"#short", "abcdef"}, {"#aria-readonly", "a"},
	{"#f", "a"}, {"#area", "three\nmore\nlines"}, {"#select", "a"},
	{"#wraps", "a", "wrapped"}, {"text=Name", "a", "wrapped"}, {"#names", "a", "named"}, {"#nobody", "a"}, {"internal:label=\"Name\"i >> nth=0", "a", "wrapped"},
	{".same", "a", "same"}, {".same >> nth=1", "b", "other"}, {"#plain", "a"}, {"#edit", "a <b>"}, {"#bold", "a", "edit"}, {"#edit", "a\nb"}, {"#plaintext", "a\nb"},
	{"#textbox", "a"}, {"#linked", "a"}, {"#host input", "Ada", "inner"}, {"input[", "a"}, {"role=textbox[name=Name] >> nth=0", "a", "wrapped"},
	{"#refuses", "a"}, {"#shouts", "a"}, {"#passes", "a", "text"}, {"#throws", "a"}, {"#asks", "a"}, {"#asks-late", "a"}, {"#moves", "a"}, {"#leaves", "a"},
}

// unfillable fields are never ready.
var unfillable = [][]string{{"#hidden", "a"}, {"#readonly", "a"}, {"#disabled", "a"}, {"#inside", "a"}, {"#aria-disabled", "a"}, {"#gone", "a"},
	{"#unseen", "a"}, {"#flat", "a"}, {"#none", "a"}}

// TestFillBothWays fills all kinds of fields on the fast path and by the driver.
// Values, events and errors are the same.
func TestFillBothWays(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBothWays is quick")
	s := start(t)
	site := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(site.Close)
	s.call("nav", site.URL+"/fields.html")
	p := s.page()
	s.call("fill", "#text", "the first is the driver's")
	missed := 0
	compare := func(params []string, timeout time.Duration) {
		want := s.fillOf(fastpath.Without(s.ctx), params, timeout)
		before := fastpath.Counts(p).Answers
		got := s.fillOf(s.ctx, params, timeout)
		if after := fastpath.Counts(p).Answers; after == before {
			missed++
			t.Logf("by the driver: %q", params)
		}
		if got != want {
			t.Errorf("fill %.80q\n the direct line: %.900s\n the driver:      %.900s", params, got, want)
		}
	}
	for _, params := range fills {
		compare(params, 0)
	}
	if most := len(fills) / 2; missed > most {
		t.Errorf("%d of %d did not take the direct line", missed, len(fills))
	}
	for _, params := range unfillable {
		compare(params, 800*time.Millisecond)
	}
}

// TestFillOfABusyPage: if the page does not answer, the error is the driver's,
// and an abandoned fill does not happen later.
func TestFillOfABusyPage(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestFillTellsWhatCameOfIt is quick")
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<input oninput="window.filled = 1">`}))
	s.page()
	s.call("fill", "input", "the first is the driver's")
	s.call("eval", "window.filled = 0")
	s.call("eval", busy(4000))
	_, err := s.table.Call(s.ctx, provider.Request{Tool: "fill", Params: encode([]string{"input", "late"}), Timeout: 400 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "after 0.4 s on p1 (") {
		t.Errorf("%v", err)
	}
	if got := s.call("eval", "window.filled"); got != "0" {
		t.Errorf("it was filled %s times", got)
	}
}

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

// busy keeps the page from answering for a while, starting now.
func busy(milliseconds int) string {
	return fmt.Sprintf(`new Promise(r => setTimeout(() => { r(1); setTimeout(() => { for (const end = Date.now() + %d; Date.now() < end;); }) }))`, milliseconds)
}
