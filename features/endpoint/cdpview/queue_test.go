package cdpview

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// asking makes a client send messages to a browser that does not answer one method. The
// client leaves after they have arrived.
func asking(t *testing.T, mute string, o Options, says ...string) (b *chromium, s *script, left chan struct{}) {
	t.Helper()
	root, b := startChromium(t)
	b.mu.Lock()
	b.mute = mute
	b.mu.Unlock()
	s = &script{patient: len(says) > 1}
	s.change.L = &s.mu
	for _, m := range says {
		s.says = append(s.says, []byte(m))
	}
	left = make(chan struct{})
	go func() {
		defer close(left)
		if err := Serve(context.Background(), root, s, o); err != nil {
			t.Error(err)
		}
	}()
	return b, s, left
}

// Pages are opened a few at a time, so that a flood is judged as it is counted.
func TestPagesAreOpenedAFewAtATime(t *testing.T) {
	t.Parallel()
	var says []string
	for i := range 40 {
		says = append(says, fmt.Sprintf(`{"id":%d,"method":"Target.createTarget","params":{"url":"about:blank"}}`, i+1))
	}
	b, _, left := asking(t, "Target.createTarget", strict(), says...)
	<-left
	if n := b.count("Target.createTarget"); n != maxOpening {
		t.Errorf("%d pages were asked for before one was there", n)
	}
	judged := 0
	o := strict()
	o.NewPage = func(string) error { judged++; return nil } // one at a time, since all are answered at once
	list, _ := play(t, o, says...)
	n := 0
	for _, q := range list {
		if q.Method == "Target.createTarget" {
			n++
		}
	}
	if judged != 40 || n != 40 {
		t.Errorf("%d of 40 pages were judged, %d opened", judged, n)
	}
}

// Only this many commands wait for the browser at once.
func TestCommandsThatAreNeverAnswered(t *testing.T) {
	t.Parallel()
	var says []string
	for i := range maxCalls + 1 {
		says = append(says, fmt.Sprintf(`{"id":%d,"method":"Browser.getVersion"}`, i+1))
	}
	b, s, left := asking(t, "Browser.getVersion", strict(), says...)
	<-left
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.replies == 0 {
		s.change.Wait()
	}
	if n := b.count("Browser.getVersion"); n != maxCalls || !strings.Contains(s.heard.String(), "under way already") {
		t.Errorf("%d were asked; %.200s", n, s.heard.String())
	}
}

// A client's context frees its place once it is gone.
func TestPlaceOfAContextThatGoes(t *testing.T) {
	t.Parallel()
	o, closed := strict(), make(chan string, 1)
	o.Closed = func(id string) { closed <- id }
	b, _, left := asking(t, "Target.disposeBrowserContext", o, `{"id":1,"method":"Target.createBrowserContext"}`)
	asked := <-b.muted
	select {
	case id := <-closed:
		t.Errorf("%s gave its place back before it had gone", id)
	default:
	}
	b.says <- fmt.Sprintf(`{"id":%d,"result":{},"sessionId":"%s"}`, asked.ID, asked.Session)
	<-closed
	<-left
}

// Delayed pages are opened as others end, until the client leaves. Then their bytes are
// released.
func TestDelayedPages(t *testing.T) {
	b := small(1 << 20)
	u := &queue{held: &b.held}
	var ended []message
	for i := range maxOpening + 3 {
		q := message{Method: "Target.createTarget"}
		if err := u.held.take(100); err != nil {
			t.Fatal(err)
		}
		q.held = 100
		switch delayed, err := u.delay(nil, q, nil); {
		case err != nil || delayed != (i >= maxOpening):
			t.Errorf("page %d is delayed: %v, %v", i, delayed, err)
		case !delayed:
			ended = append(ended, q)
		}
	}
	if u.end(message{Method: "Page.navigate"}) != nil {
		t.Error("another command opens the next page")
	}
	next := u.end(ended[0])
	if next == nil || len(u.delayed) != 2 {
		t.Fatalf("the next page is not opened; %d wait", len(u.delayed))
	}
	u.close()
	for _, q := range append(ended[1:], next.q) {
		if u.end(q) != nil {
			t.Error("a page is opened after the client has left")
		}
	}
	empty(t, b)
}
