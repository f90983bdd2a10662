package eachtool_test

import (
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRealWebSockets: messages of a socket without a mock are reported, both
// ways. A message that a mock forwards is reported once.
func TestRealWebSockets(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and the transcript traffic is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	type message struct{ URL, From, Text string }
	const talk = `new Promise(done => {
	const ws = new WebSocket(location.origin.replace('http', 'ws') + '/ws');
	let n = 0;
	ws.onopen = () => { ws.send('hello'); ws.send(new Uint8Array([255, 254, 0])); ws.send('ü'.repeat(70000)) };
	ws.onmessage = () => { if (++n === 3) done(n) };
})`
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("ws-messages", nil, "[]"),
		does("eval", list(talk), "3"),
	)
	listed := func(want ...string) {
		t.Helper()
		var said []string
		for _, m := range pipetest.Get[[]message](p, "ws-messages", nil) {
			if !strings.HasSuffix(m.URL, "/ws") || len(m.Text) > 64<<10+4 {
				t.Errorf("a message of %d bytes of %s", len(m.Text), m.URL)
			}
			said = append(said, m.From+" "+m.Text[:min(len(m.Text), 10)])
		}
		if slices.Sort(said); !slices.Equal(said, want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
	listed("page 3 bytes", "page hello", "page üüüüü", "server 3 bytes", "server hello", "server üüüüü")
	pipetest.Steps(p,
		does("new-ctx", nil, `"c2"`),
		does("new-page", pipetest.Object{"ctx": "c2", "use": true}, `"p2"`),
		does("ws-mock", pipetest.Object{"pattern": "**/ws", "forward": true,
			"replies": pipetest.Object{"hello": "you", "*": "?"}}, "null"),
		does("nav", list("/form"), "null"), // the mock is in force in documents that load after it
		does("eval", list(talk), "3"),
	)
	listed("mock you", "page 3 bytes", "page hello", "page üüüüü", "server 3 bytes", "server üüüüü")
}
