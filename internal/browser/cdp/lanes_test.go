package cdp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// opensPage has the peer's session with a page of a context opened.
func (b *browser) opensPage(session, target, context string) {
	b.say(`{"method":"Target.attachedToTarget","params":{"sessionId":"` + session + `","targetInfo":{"targetId":"` + target +
		`","type":"page","title":"","url":"","browserContextId":"` + context + `"}}}`)
}

func line(n int, session string) string {
	return fmt.Sprintf(`{"method":"Runtime.consoleAPICalled","params":{"n":%d},"sessionId":"%s"}`, n, session)
}

// floodsOf is where a connection reports pages that flood.
func floodsOf(c *Conn) chan string {
	floods := make(chan string, 10)
	c.OnFlood(func(target string) { floods <- target })
	return floods
}

func soonest(t *testing.T, floods chan string) string {
	t.Helper()
	select {
	case target := <-floods:
		return target
	case <-time.After(20 * time.Second):
		t.Fatal("no page floods")
		return ""
	}
}

// TestShortLinesOfOnePage: the lines of a page that never stops are dropped above a bound, and the
// page is reported. Neither the browser, nor our calls, nor what is of other contexts waits for
// them, although the peer reads nothing meanwhile. Commands on that page are answered.
func TestShortLinesOfOnePage(t *testing.T) {
	c, b, ctx, own := opened(t)
	p := relayed(t, c)
	floods := floodsOf(c)
	b.opensPage("P", "T", "A")
	b.opensPage("Q", "U", "B")
	for n := range manyWaiting + mostDropped + 5000 {
		b.say(line(n, "P"))
	}
	b.say(`{"id":9,"result":{},"sessionId":"P"}`)
	b.say(line(7, "Q"))
	if err := own.Call(ctx, "Page.works", nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := soonest(t, floods); got != "T" {
		t.Errorf("%s floods", got)
	}
	heard := 0
	for answered, other := false, false; !answered || !other; heard++ {
		m := p.hear(t)
		answered = answered || strings.HasPrefix(m, `{"id":9,`)
		other = other || m == line(7, "Q")
	}
	if heard > 2*firstBuffer/len(line(1, "P")) { // what was on its way already
		t.Errorf("%d messages came before the other page's", heard)
	}
	b.say(line(1, "P"))
	b.say(line(8, "Q"))
	if got := p.hear(t); got != line(8, "Q") {
		t.Errorf("then comes %s", got)
	}
	select {
	case got := <-floods:
		t.Errorf("%s floods too", got)
	default:
	}
}

// TestManyLines: a page may write many lines at once, and all of them arrive in order.
func TestManyLines(t *testing.T) {
	c, b := connected(t)
	p := relayed(t, c)
	b.opensPage("P", "T", "A")
	for n := range manyWaiting / 2 {
		b.say(line(n, "P"))
	}
	p.hear(t) // the page's opening
	for n := range manyWaiting / 2 {
		if got := p.hear(t); got != line(n, "P") {
			t.Fatalf("%s, want line %d", got, n)
		}
	}
}

// TestOtherEventsOfOnePage: events that the peer needs are not dropped, so a page with too many of
// them is reported: the one with the most. What waits of it goes.
func TestOtherEventsOfOnePage(t *testing.T) {
	c, b := connected(t)
	p := relayed(t, c)
	floods := floodsOf(c)
	b.opensPage("P", "T", "A")
	b.opensPage("Q", "U", "A") // in the same lane
	event := func(session string) string {
		return `{"method":"Page.frameAttached","params":{"text":"` + strings.Repeat("x", peersText) + `"},"sessionId":"` + session + `"}`
	}
	for range 20 {
		b.say(event("Q"))
	}
	for range mostBytes/peersText + 10 {
		b.say(event("P"))
	}
	if got := soonest(t, floods); got != "T" {
		t.Errorf("%s floods", got)
	}
	b.say(line(1, "Q"))
	last, of := "", map[string]int{}
	for last != line(1, "Q") {
		last = p.hear(t)
		of[answeredIn([]byte(last+"\x00"))]++
	}
	if of["Q"] != 21 || of["P"] > 10 {
		t.Errorf("heard: %v", of)
	}
}

// TestAllLanesHaveABound: many contexts that flood a little each do not fill the process.
func TestAllLanesHaveABound(t *testing.T) {
	q := newLanes(func(string) {})
	text := []byte(strings.Repeat("x", 64<<10))
	for n := range 40 {
		session := fmt.Sprint("P", n)
		q.enter(session, "", fmt.Sprint("T", n), fmt.Sprint("C", n))
		for range 100 {
			q.put(session, event, func(func(int) bool) []byte { return text })
		}
		if q.bytes > maxQueued+len(text) {
			t.Fatalf("%d MiB wait after %d pages", q.bytes>>20, n+1)
		}
	}
}

// TestBodiesHaveABound: requests in a loop come without their bodies once those are more than are
// kept.
func TestBodiesHaveABound(t *testing.T) {
	q := newLanes(func(string) {})
	q.enter("P", "", "T", "A")
	with := 0
	for range 100 {
		q.put("P", event, func(bodies func(int) bool) []byte {
			if bodies(1 << 20) {
				with++
			}
			return []byte("x\x00")
		})
		_, _ = q.Read(make([]byte, 100)) // the peer is as fast as the page
	}
	if with < 10 || with > 40 {
		t.Errorf("%d of 100 bodies came", with)
	}
}

// TestTextsInVain: a page whose texts are all cut floods too: the browser writes them for nothing.
func TestTextsInVain(t *testing.T) {
	var floods []string
	q := newLanes(func(target string) { floods = append(floods, target) })
	q.enter("P", "", "T", "A")
	q.enter("W", "P", "worker", "A") // its worker
	for range 100 {
		q.wasCut("W", 30<<20)
		q.wasCut("nobody's", 30<<20)
	}
	if !slices.Equal(floods, []string{"T"}) {
		t.Errorf("%v flood", floods)
	}
}

// TestGoneSessionsLeaveNothing: no place is kept for a session that has ended.
func TestGoneSessionsLeaveNothing(t *testing.T) {
	q := newLanes(func(string) {})
	for n := range 100 {
		session := fmt.Sprint("P", n)
		q.enter(session, "", "T", "A")
		q.enter(session+"w", session, "W", "A")
		q.leave(session + "w")
		q.leave(session)
	}
	if len(q.places)+len(q.of)+len(q.full) != 0 {
		t.Errorf("left: %v %v", q.places, q.of)
	}
}
