package cdp

import (
	"io"
	"strings"
	"testing"
)

// TestCostlyEvents: a page that has the browser send more than a page may is reported, although the
// peer takes all of it: by the events of the peer's sessions, also of those that it opened by a
// session with the browser, and of ours.
func TestCostlyEvents(t *testing.T) {
	const address = `{"method":"Page.navigatedWithinDocument","params":{"frameId":"F","url":"u"},"sessionId":"P"}`
	const call = `{"method":"Runtime.bindingCalled","params":{"name":"f","payload":"","executionContextId":1},"sessionId":"P"}`
	long := strings.Replace(call, `"payload":"`, `"payload":"`+strings.Repeat("p", 1<<20), 1)
	for _, c := range []struct {
		name, event string
		times       int
		by          string // the session that opens the page's
	}{
		{"addresses", address, costs.most / 40, ""},
		{"calls", call, costs.most / 5, "B"},
		{"long calls", long, costs.most >> 10, "B"},
		{"calls of ours", call, costs.most / 5, "own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, b, ctx, own := opened(t)
			p := relayed(t, conn)
			go func() { _, _ = io.Copy(io.Discard, p.hears) }()
			floods := floodsOf(conn)
			b.say(`{"method":"Target.attachedToTarget","params":{"sessionId":"B","targetInfo":{"targetId":"BROWSER","type":"browser"}}}`)
			by := c.by
			if by == "own" {
				by = own.ID()
				own.Adopt("P")
			}
			opens := `{"method":"Target.attachedToTarget","params":{"sessionId":"P","targetInfo":{"targetId":"T","type":"page",` +
				`"browserContextId":"A"}}`
			if by != "" {
				opens += `,"sessionId":"` + by + `"`
			}
			b.say(opens + "}")
			for range c.times - 1 {
				b.say(c.event)
			}
			if err := own.Call(ctx, "Page.works", nil, nil); err != nil { // all was read
				t.Fatal(err)
			}
			select {
			case got := <-floods:
				t.Fatalf("%s floods after what a page may send", got)
			default:
			}
			stop := make(chan struct{})
			defer close(stop)
			go func() {
				for {
					select {
					case <-stop:
						return
					default:
						b.say(c.event)
					}
				}
			}()
			if got := soonest(t, floods); got != "T" {
				t.Errorf("%s floods", got)
			}
		})
	}
}

// TestCostsOfLongTexts: how often a page may have frames with names of 2 MB, before it is closed.
func TestCostsOfLongTexts(t *testing.T) {
	for event, c := range map[string]struct{ bytes, most int }{
		"Page.frameNavigated": {2 << 20, 16}, "Page.frameAttached": {2 << 20, 16},
	} {
		of := func(bytes int) int { return costOf([]byte(`{"method":"`+event+`","params":{}}`), bytes) }
		if n := costs.most / of(c.bytes); n < 1 || n > c.most {
			t.Errorf("%s with %d bytes: %d times, want 1 to %d", event, c.bytes, n, c.most)
		}
		if n := costs.most / of(1000); n < 400 {
			t.Errorf("%s: %d times", event, n)
		}
	}
}
