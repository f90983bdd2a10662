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
	pipetest.UnderRace(t)
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
	got := pipetest.Decode[[]message](t, p.Call("ws-messages", nil))
	var said []string
	for _, m := range got {
		if !strings.HasSuffix(m.URL, "/ws") {
			t.Errorf("of %s", m.URL)
		}
		said = append(said, m.From+" "+m.Text[:min(len(m.Text), 10)])
	}
	slices.Sort(said)
	if want := []string{"page 3 bytes", "page hello", "page üüüüü", "server 3 bytes", "server hello", "server üüüüü"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	for _, m := range got {
		if len(m.Text) > 64<<10+4 {
			t.Errorf("a message of %d bytes is kept whole", len(m.Text))
		}
	}
	pipetest.Steps(p,
		does("new-ctx", nil, `"c2"`),
		does("new-page", pipetest.Object{"ctx": "c2", "use": true}, `"p2"`),
		does("nav", list("/form"), "null"),
		does("ws-mock", pipetest.Object{"pattern": "**/ws", "forward": true}, "null"),
		does("eval", list(talk), "3"),
	)
	if got := pipetest.Decode[[]message](t, p.Call("ws-messages", nil)); len(got) != 6 {
		t.Errorf("forwarded: %d messages", len(got))
	}
}
