package events

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

func texts(list []Event) (out []string) {
	for _, e := range list {
		out = append(out, e.Text)
	}
	return out
}

func TestRingKeepsTheNewest(t *testing.T) {
	r := ring[int]{most: 3}
	for i := range 8 {
		old, dropped := r.push(i)
		if dropped != (i >= 3) || dropped && old != i-3 {
			t.Errorf("push %d dropped %v, %v", i, old, dropped)
		}
		want := []int{}
		for j := max(0, i-2); j <= i; j++ {
			want = append(want, j)
		}
		if b := r.back(2); (b != nil) != (i >= 2) || b != nil && *b != i-2 {
			t.Errorf("after %d: back(2) is %v", i, b)
		}
		if got := r.items; !slices.Equal(got, want) {
			t.Errorf("after %d: %v, want %v", i, got, want)
		}
	}
}

func TestEventsKeepEachKindApart(t *testing.T) {
	r := newEvents()
	r.add(Event{Kind: EventConsole, Text: "first"})
	for i := range 3 * keptPerKind {
		r.add(Event{Kind: EventRequest, Text: fmt.Sprint(i)})
	}
	r.add(Event{Kind: EventConsole, Text: "last"})
	if got := texts(r.Since(0, EventConsole)); !slices.Equal(got, []string{"first", "last"}) {
		t.Errorf("a flood of requests pushed console messages out: %v", got)
	}
	all := r.Since(0)
	if len(all) != keptPerKind+2 || !slices.IsSortedFunc(all, func(a, b Event) int { return int(a.Seq - b.Seq) }) {
		t.Errorf("kept %d events in disorder or number", len(all))
	}
	if got := r.Since(r.Newest() - 1); len(got) != 1 || got[0].Text != "last" {
		t.Errorf("since the one before the last: %v", got)
	}
	if e, ok := r.Find(1); !ok || e.Text != "first" {
		t.Errorf("find(1): %v %v", e, ok)
	}
}

func TestSlowSubscriberLosesTheOldest(t *testing.T) {
	r := newEvents()
	slow, picky := r.subscribe(), r.subscribe(EventCrash)
	for i := range subscription + 7 {
		r.add(Event{Kind: EventConsole, Text: fmt.Sprint(i)})
	}
	r.add(Event{Kind: EventCrash, Text: "crash"})
	list, lost, err := slow.Next(context.Background())
	if err != nil || lost != 8 || len(list) != subscription || list[0].Text != "8" || list[len(list)-1].Text != "crash" {
		t.Errorf("got %d events, lost %d, %v", len(list), lost, err)
	}
	if list, lost, err := picky.Next(context.Background()); err != nil || lost != 0 || len(list) != 1 || list[0].Text != "crash" {
		t.Errorf("by kind: %v, lost %d, %v", list, lost, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := slow.Next(ctx); err != context.Canceled {
		t.Errorf("Next under an ended context: %v", err)
	}
	r.add(Event{Kind: EventConsole, Text: "after"})
	r.close()
	if list, lost, err := slow.Next(context.Background()); err != nil || lost != 0 || len(list) != 1 {
		t.Errorf("what was left at the end: %v, lost %d, %v", list, lost, err)
	}
	if _, _, err := slow.Next(context.Background()); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
	if _, _, err := r.subscribe().Next(context.Background()); err != io.EOF {
		t.Errorf("subscribing after the end: %v", err)
	}
	slow.Close()
	picky.Close()
	if len(r.subs) != 1 {
		t.Errorf("%d subscriptions left, want the one that is open", len(r.subs))
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in, want string
		n        int
	}{{"abc", "abc", 3}, {"abcd", "abc…", 3}, {"aéé", "aé…", 4}, {"", "", 0}} {
		if got := Clip(c.in, c.n); got != c.want {
			t.Errorf("clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

// TestLinesOfEachPage: each page keeps its own limited number of console lines.
func TestLinesOfEachPage(t *testing.T) {
	r := newEvents()
	r.add(Event{Kind: EventConsole, Page: "p1", Text: "quiet"})
	for i := range keptLines + 5 {
		r.add(Event{Kind: EventConsole, Page: "p2", Text: fmt.Sprint(i)})
	}
	got := texts(r.Since(0, EventConsole))
	if len(got) != keptLines+1 || got[0] != "quiet" || got[1] != "5" {
		t.Errorf("%d lines, from %q", len(got), got[:2])
	}
}

// TestBytesOfASession: the oldest events of the kind that takes most are dropped
// first, and the byte count stays exact.
func TestBytesOfASession(t *testing.T) {
	r := newEvents()
	long := strings.Repeat("x", keptText)
	r.add(Event{Kind: EventCrash, Text: "crash"})
	for i := range 10000 {
		r.add(Event{Kind: EventConsole, Page: fmt.Sprint("p", i%3), Text: long, URL: fmt.Sprint(i)})
	}
	bytes, all := 0, r.Since(0)
	for _, e := range all {
		bytes += e.cost()
	}
	if bytes != r.kept.bytes || bytes > keptBytes || bytes < keptBytes-2*keptText {
		t.Errorf("%d bytes are kept, %d counted, %d allowed", bytes, r.kept.bytes, keptBytes)
	}
	if all[0].Text != "crash" || all[len(all)-1].URL != "9999" || len(r.kept.of) != 4 {
		t.Errorf("from %q to %q on %d shelves", all[0].Text, all[len(all)-1].URL, len(r.kept.of))
	}
	for page := range 3000 { // dropped kinds leave nothing behind
		r.add(Event{Kind: EventConsole, Page: fmt.Sprint("q", page), Text: long})
	}
	if len(r.kept.of) > keptBytes/keptText+1 {
		t.Errorf("%d shelves", len(r.kept.of))
	}
}

// posted is a request with a body.
type posted struct {
	playwright.Request
	body []byte
}

func (p *posted) PostDataBuffer() ([]byte, error) { return p.body, nil }
func (p *posted) URL() string                     { return "http://a/" }

// TestSources: an answer names its request and its time; bodies are kept of the newest requests, up to a number and
// a size. What was masked is cut then, in each text.
func TestSources(t *testing.T) {
	r := newEvents()
	r.mask = func(s string) string { return strings.ReplaceAll(s, "hush", "…") }
	first := &posted{}
	r.add(Event{Kind: EventRequest, PWRequest: first})
	r.add(Event{Kind: EventResponse, PWRequest: first})
	if e, _ := r.Find(2); e.Request != 1 || e.PWRequest != nil {
		t.Errorf("the response: %+v", e)
	}
	for range keptSources {
		r.add(Event{Kind: EventRequest, PWRequest: &posted{}})
	}
	r.add(Event{Kind: EventResponse, PWRequest: first})
	if e, _ := r.Find(r.Newest()); e.Request != 0 || len(r.kept.sent) != keptSources ||
		r.kept.bodies != keptSources*len("http://a/") {
		t.Errorf("behind %d requests: %+v; %d bytes of %d", keptSources, e, r.kept.bodies, len(r.kept.sent))
	}
	for range 5 {
		r.add(Event{Kind: EventRequest, PWRequest: &posted{body: make([]byte, keptBodies/4)}})
	}
	if len(r.kept.sent) != 3 || r.kept.bodies > keptBodies {
		t.Errorf("%d bytes of %d requests", r.kept.bodies, len(r.kept.sent))
	}
	r.add(Event{Kind: EventDialog, Text: "a hush", Stack: "hush", URL: "/hush", Default: "hush!", File: "hush.txt"})
	long := strings.Repeat("x", keptText-2) + "hush"
	r.add(Event{Kind: EventDialog, Text: long, Stack: long, URL: long, Default: long})
	list := r.Since(0, EventDialog)
	if e := list[0]; e.Text+e.Stack+e.URL+e.Default+e.File != "a ……/……!….txt" {
		t.Errorf("%+v", e)
	}
	if e := list[1]; len(e.Text) > keptText+3 || len(e.Stack) > keptText+3 ||
		len(e.URL) > KeptURL+3 || len(e.Default) > keptText+3 ||
		strings.Contains(e.Text+e.Stack+e.Default, "hu") {
		t.Errorf("%d, %d, %d, %d bytes", len(e.Text), len(e.Stack), len(e.URL), len(e.Default))
	}
	if _, ok := r.Find(r.Newest() + 1); ok {
		t.Error("an event that has not come is found")
	}
}
