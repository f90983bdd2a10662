package cdp

import "testing"

// The reply to a call of ours on the peer's session comes to us. The session's
// events go to the peer, which never sees our call.
func TestBeside(t *testing.T) {
	c, b, ctx, own := opened(t)
	p := relayed(t, c)
	tell := func(m string) {
		t.Helper()
		b.say(m)
		if got := p.hear(t); got != m {
			t.Errorf("the peer hears %s, expected %s", got, m)
		}
	}
	attached := func(session, target string) string {
		return `{"method":"Target.attachedToTarget","params":{"sessionId":"` + session + `","targetInfo":{"targetId":"` + target + `","type":"page"}}}`
	}
	if _, err := own.Attach(ctx, "T"); err != nil || c.Beside("T") != nil {
		t.Errorf("a session of ours is taken for the peer's (%v)", err)
	}
	tell(attached("P1", "T"))
	tell(attached("P2", "T"))
	tell(attached("Q", "U"))
	s := c.Beside("T")
	if s == nil || s.ID() != "P1" || c.Beside("U").ID() != "Q" || c.Beside("V") != nil {
		t.Fatalf("beside us are %v", c.beside)
	}
	var got struct{ Method string }
	if err := s.Call(ctx, "Page.works", nil, &got); err != nil || got.Method != "Page.works" {
		t.Errorf("%v %v", got, err)
	}
	tell(`{"method":"Page.loaded","params":{},"sessionId":"P1"}`)
	tell(`{"method":"Target.detachedFromTarget","params":{"sessionId":"P2"}}`)
	if c.Beside("T") != s {
		t.Error("another session's end is taken for its own")
	}
	tell(`{"method":"Target.detachedFromTarget","params":{"sessionId":"P1"}}`)
	if c.Beside("T") != nil || s.Call(ctx, "Page.works", nil, nil) == nil {
		t.Error("the session is there when it has ended")
	}
}
