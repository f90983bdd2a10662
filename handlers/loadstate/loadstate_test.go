package loadstate

import (
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// asked is a request, of a document if it navigates, in the main frame.
type asked struct {
	playwright.Request
	url       string
	navigates bool
}

func (r *asked) URL() string               { return r.url }
func (r *asked) IsNavigationRequest() bool { return r.navigates }
func (r *asked) Frame() playwright.Frame   { return mainFrame{} }

type mainFrame struct{ playwright.Frame }

func (mainFrame) ParentFrame() playwright.Frame { return nil }

// since is a network in which the last thing happened so long ago.
func (n *traffic) since(d time.Duration) *traffic {
	n.last = time.Now().Add(-d)
	return n
}

// A network is idle half a second after the last of its requests. A body that does not end
// counts for a second, unless streams are asked for; a request without response, always.
func TestIdleNetwork(t *testing.T) {
	n := newTraffic()
	idle := func(what string, after time.Duration, streams, want bool) {
		t.Helper()
		if got := n.since(after).rest(time.Time{}, streams) <= 0; got != want {
			t.Errorf("%s, %s later: idle is %t", what, after, got)
		}
	}
	idle("nothing", idleTime/2, false, false)
	idle("nothing", idleTime, false, true)
	if n.rest(time.Now(), false) <= 0 {
		t.Error("it is idle since now")
	}
	r := &asked{url: "/feed"}
	n.note(r, true, false)
	idle("a request", time.Hour, false, false)
	if last, open := n.Open(); !open || n.Waiting() != "/feed" || time.Since(last) < time.Minute {
		t.Errorf("waits for %q, %t", n.Waiting(), open)
	}
	n.note(r, true, true)
	idle("a stream", quiet/2, false, false)
	idle("a stream", quiet, false, true)
	idle("a stream", time.Hour, true, false)
	if _, open := n.Open(); open || n.Waiting() != "" {
		t.Error("a stream is waited for as a request is")
	}
	n.note(r, false, true)
	idle("the stream's end", idleTime, true, true)
}

// The response of a new document ends what the one before waits for; until then the page is
// leaving.
func TestDocumentEndsTraffic(t *testing.T) {
	n := newTraffic()
	old, doc := &asked{url: "/old"}, &asked{url: "/new", navigates: true}
	n.note(old, true, false)
	if n.Leaving() {
		t.Error("a request is taken for a navigation")
	}
	n.note(doc, true, false)
	if !n.Leaving() || len(n.open) != 2 {
		t.Errorf("the navigation is not seen, of %d requests", len(n.open))
	}
	n.note(doc, true, true)
	if n.Leaving() || n.Waiting() != "" || len(n.open) != 1 {
		t.Errorf("%d requests, %q among them", len(n.open), n.Waiting())
	}
}

// Streams that never end are forgotten above the bound; requests without response are not.
func TestBoundOfTraffic(t *testing.T) {
	n := newTraffic()
	first := &asked{url: "/first"}
	n.note(first, true, false)
	for range maxOpen {
		n.note(&asked{}, true, true)
	}
	if len(n.open) > maxOpen || n.Waiting() != "/first" {
		t.Errorf("%d requests, %q among them", len(n.open), n.Waiting())
	}
}
