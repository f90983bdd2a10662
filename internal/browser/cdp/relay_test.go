package cdp

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest/until"
)

// answered is an answer of this size to a command of the peer's.
func answered(n, size int) []byte {
	return fmt.Appendf(nil, `{"id":%d,"result":{"data":"%s"},"sessionId":"P"}`+"\x00", n+1, strings.Repeat("x", size))
}

// TestBusyPeer: messages for a peer that does not read are bounded, even while one is being
// written. Later all of them arrive, in order.
func TestBusyPeer(t *testing.T) {
	c, b := connected(t)
	p := relayed(t, c)
	const size, many = 4 << 20, 2 * maxQueued >> 22
	var said atomic.Int64
	go func() {
		for n := range many {
			if _, err := b.out.Write(answered(n, size)); err != nil {
				return
			}
			said.Add(1)
		}
	}()
	// Besides the queue, one message is being read, and one waits to be queued.
	const most = maxQueued/size + 3
	until.Holds(t, "the queue is full", func() bool { return said.Load() >= maxQueued/size })
	for n := range many {
		if held := int(said.Load()) - n; held > most {
			t.Fatalf("%d messages are held, want %d at most", held, most)
		}
		m, err := p.hears.next(longestSaid)
		if want := fmt.Sprintf(`"id":%d,`, n+1); err != nil || !strings.Contains(string(m[:100]), want) {
			t.Fatalf("%.100s, want %s (%v)", m, want, err)
		}
	}
}

// TestLongMessagesLeaveLittleGarbage: a message for the peer is copied once, whatever its
// length, so that Go's heap does not grow with earlier messages.
func TestLongMessagesLeaveLittleGarbage(t *testing.T) {
	c, b := connected(t)
	p := relayed(t, c)
	const many = 100
	m := answered(0, 1<<20)
	pass := func() {
		if _, err := b.out.Write(m); err != nil {
			t.Fatal(err)
		}
		if got, err := p.hears.next(longestSaid); err != nil || len(got) != len(m) {
			t.Fatalf("%d bytes, want %d (%v)", len(got), len(m), err)
		}
	}
	pass() // allocates the buffers
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range many {
		pass()
	}
	runtime.ReadMemStats(&after)
	if times := float64(after.TotalAlloc-before.TotalAlloc) / float64(many*len(m)); times > 1.5 {
		t.Errorf("%.1f times the bytes that passed were allocated, want 1.5 at most", times)
	}
}
