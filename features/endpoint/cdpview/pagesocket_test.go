package cdpview

import (
	"context"
	"testing"

	"pwpipe/internal/pipetest/until"
)

// leaver is a script that leaves when it is disconnected.
type leaver struct{ *script }

func (c leaver) Close() error {
	c.end()
	return nil
}

// A page's own connection does not name the page's session, hears no events of the browser,
// and ends with the session.
func TestPagesOwnConnection(t *testing.T) {
	t.Parallel()
	root, b := startChromium(t)
	s := &script{stays: true}
	s.change.L = &s.mu
	s.add(`{"id":1,"method":"Runtime.evaluate"}`, `{"id":2,"method":"Target.getTargetInfo","sessionId":"NONE"}`)
	o := strict()
	o.Page = "MINE-T"
	served := make(chan error)
	go func() { served <- Serve(context.Background(), root, leaver{s}, o) }()
	const replies = `{"id":1,"result":{}}` + "\n" +
		`{"id":2,"error":{"code":-32001,"message":"Session with given id not found."},"sessionId":"NONE"}` + "\n"
	until.Holds(t, "it hears "+replies, func() bool { return s.text() == replies })
	page, browser := b.first("Runtime.evaluate").Session, b.first("Target.attachToTarget").Session
	b.says <- `{"method":"Page.loadEventFired","params":{},"sessionId":"` + page + `"}`
	b.says <- `{"method":"Target.targetDestroyed","params":{"targetId":"MINE-T"},"sessionId":"` + browser + `"}`
	b.says <- `{"method":"Target.detachedFromTarget","params":{"sessionId":"` + page + `"},"sessionId":"` + browser + `"}`
	if err := <-served; err != nil || s.text() != replies+`{"method":"Page.loadEventFired","params":{}}`+"\n" {
		t.Errorf("%v, and it hears %s", err, s.text())
	}
}

// There is no connection with a page of somebody else's.
func TestOwnConnectionOfOthersPage(t *testing.T) {
	t.Parallel()
	root, b := startChromium(t)
	s := &script{stays: true}
	s.change.L = &s.mu
	o := strict()
	o.Page = foreign + "-T"
	if err := Serve(context.Background(), root, leaver{s}, o); err != nil || s.text() != "" {
		t.Errorf("%v, and it hears %s", err, s.text())
	}
	if n := b.count("Target.attachToTarget"); n > 0 {
		t.Errorf("%d sessions", n)
	}
}
