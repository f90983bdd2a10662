package scripthost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"pwpipe/internal/pipetest/until"
)

// A process that opens connections, gets data, answers nothing and hangs up leaves
// nothing behind.
func TestTunnelsThatAreHungUp(t *testing.T) {
	r := lonely(t)
	var peers sync.WaitGroup
	r.host.Dial = func(context.Context, Address) (net.Conn, error) {
		ours, theirs := net.Pipe()
		peers.Go(func() { _, _ = theirs.Write([]byte("x")) })
		return ours, nil
	}
	r.calls.control.w = io.Discard
	const many = 2000 // more than maxTunnels
	for i := range many {
		if _, err := dial(r, r.process.ctx, Address{Host: "a", Port: 1}, nil); err != nil {
			t.Fatal(err)
		}
		peers.Wait() // the data is written
		in := framed(fmt.Sprintf(`{"call":"hangUp","args":{"stream":%d}}`, i+1), "")
		if err := r.readCalls(bytes.NewReader(in), &writer{w: io.Discard}, false); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	}
	waiting := func() int {
		r.calls.mu.Lock()
		defer r.calls.mu.Unlock()
		return len(r.calls.waiting)
	}
	until.Holds(t, "no call waits for an answer", func() bool { return waiting() == 0 })
}
