package cdpview

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest/until"
)

// small is a session's budget of n bytes for running commands.
func small(n int) *Budget {
	b := NewBudget()
	b.held.most = n
	return b
}

// empty waits until a budget has no running commands.
func empty(t *testing.T, b *Budget) {
	t.Helper()
	until.Holds(t, "no bytes are counted", func() bool {
		b.held.mu.Lock()
		defer b.held.mu.Unlock()
		return b.held.used == 0
	})
}

// A client's command counts until it has ended, whether the browser or pwpipe executes it.
// A command over the budget is refused. The count returns to zero.
func TestCommandsUnderWayAreCounted(t *testing.T) {
	t.Parallel()
	pad := strings.Repeat("A", 100_000)
	for _, method := range []string{"Input.dispatchKeyEvent", "Runtime.evaluate", "Target.createTarget"} {
		o, pasted := strict(), make(chan struct{})
		o.Budget = small(1 << 20)
		o.Input = func(string, string, map[string]json.RawMessage) (func() error, error) {
			return func() error { <-pasted; return nil }, nil
		}
		says := []string{`{"id":1,"method":"Target.getTargets"}`, `{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`}
		root, b := startChromium(t)
		b.mutes(method)
		s, left := stay(root, o)
		s.add(says...)
		id := attachedID(t, s)
		session := `"sessionId":"` + id + `",`
		if method == "Target.createTarget" {
			session = ""
		}
		s.mu.Lock()
		s.patient = true
		s.mu.Unlock()
		for i := range 30 {
			s.add(fmt.Sprintf(`{"id":%d,%s"method":%q,"params":{"url":"about:blank"},"z":"%s"}`, i+10, session, method, pad))
		}
		refused := 0
		until.Held(func() bool {
			refused = strings.Count(s.text(), errSessionHeld.Error())
			return refused >= 20
		})
		if refused != 20 {
			t.Errorf("%s: %d of 30 of 100 kB were refused, of 1 MiB", method, refused)
		}
		close(pasted)
		s.end()
		<-left
		empty(t, o.Budget)
	}
}

// text is everything that a client has received.
func (s *script) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard.String()
}

// attachedID is the id of the session that a client got.
func attachedID(t *testing.T, s *script) string {
	t.Helper()
	id := ""
	until.Holds(t, "a session", func() bool {
		_, rest, found := strings.Cut(s.text(), `{"id":2,"result":{"sessionId":"`)
		id, _, _ = strings.Cut(rest, `"`)
		return found
	})
	return id
}

// A paste key keeps nothing of its message while it waits.
func TestPastesKeepNothing(t *testing.T) {
	t.Parallel()
	root, _ := startChromium(t)
	b := newBrowser(root, root, &script{}, strict())
	s := &session{Session: root, client: b}
	pasted := make(chan struct{})
	var kept *command
	paste := func(c *command) error {
		kept = c
		c.instead = func() (json.RawMessage, error) { <-pasted; return nothing, errors.New("done") }
		return nil
	}
	id := int64(1)
	b.do(s, message{ID: &id, Method: "Input.dispatchKeyEvent", Params: json.RawMessage(`{"x":"long"}`)}, paste)
	if kept.params != nil {
		t.Errorf("%d params are kept", len(kept.params))
	}
	close(pasted)
}

// A client's message reaches the browser at its original length: also on a page's own
// connection, and if pwpipe inspects it.
func TestMessagesKeepTheirLength(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<&>", 100_000)
	for _, ask := range []string{
		`{"id":3,"method":"Runtime.evaluate","params":{"expression":"1","x":"` + long + `"}}`,
		`{"id":3,"method":"Page.navigate","params":{"url":"about:blank","x":"` + long + `"}}`,
		`{"id":3,"method":"Page.addScriptToEvaluateOnNewDocument","params":{"source":"` + long + `","worldName":"driver"}}`,
		`{"id":3,"method":"Page.captureScreenshot","params":{"clip":{"x":0,"y":0,"width":1,"height":1,"scale":1,"z":"` + long + `"}}}`,
		`{"id":3,"method":"Input.dispatchDragEvent","params":{"type":"drop","data":{"items":[],"z":"` + long + `"}}}`,
	} {
		root, b := startChromium(t)
		s := &script{says: [][]byte{[]byte(ask)}}
		s.change.L = &s.mu
		o := strict()
		o.World, o.Page = "driver", "MINE-T"
		if err := Serve(t.Context(), root, s, o); err != nil {
			t.Fatal(err)
		}
		method := ask[len(`{"id":3,"method":"`):]
		method = method[:strings.IndexByte(method, '"')]
		if got := b.first(method); got.ID == 0 || len(got.text) > len(ask)+100 {
			t.Errorf("%s: %d bytes became %d; %.200s", method, len(ask), len(got.text), s.text())
		}
		if !strings.Contains(s.text(), `{"id":3,"result"`) {
			t.Errorf("%s: %.200s", method, s.text())
		}
	}
}

// A message that Chromium can't parse is answered here, because Chromium would not answer.
func TestDeepMessages(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for n, want := range map[int]bool{maxDeep - 2: false, maxDeep - 1: true, 9000: true} {
		_, heard := play(t, strict(), `{"id":1,"method":"Browser.getVersion","params":{"s":"\"[[[","x":`+nested(n)+`}}`)
		if got := strings.Contains(heard, "deep"); got != want || !strings.Contains(heard, `{"id":1,`) {
			t.Errorf("%d deep: %s", n, heard)
		}
	}
}

// A target's events go to each session with it. So these sessions are limited, per client
// and for all clients of a session.
func TestSessionsWithOneTarget(t *testing.T) {
	t.Parallel()
	root, _ := startChromium(t)
	o := strict()
	o.Budget = small(1 << 20)
	var clients []*script
	var lefts []<-chan error
	granted := func(s *script) int { return strings.Count(s.text(), `"result":{"sessionId"`) }
	for n := range targetAttached/maxSame + 1 {
		s, left := stay(root, o)
		clients, lefts = append(clients, s), append(lefts, left)
		s.add(`{"id":1,"method":"Target.getTargets"}`)
		for i := range maxSame + 2 {
			s.add(fmt.Sprintf(`{"id":%d,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`, i+2))
		}
		until.Held(func() bool { return strings.Count(s.text(), `"id":`) >= maxSame+3 })
		want, why := maxSame, "the client has 8 DevTools sessions with the target"
		if n == targetAttached/maxSame {
			want, why = 0, "the session's clients have 32 DevTools sessions with the target"
		}
		if got := granted(s); got != want || !strings.Contains(s.text(), why) {
			t.Errorf("client %d has %d sessions with a target, of %d: %s", n, got, want, s.text())
		}
	}
	clients[0].end()
	<-lefts[0]
	last := clients[len(clients)-1]
	last.add(`{"id":50,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`)
	until.Held(func() bool { return granted(last) > 0 })
	if granted(last) != 1 {
		t.Errorf("one has left, and there is no room: %s", last.text())
	}
	for i, s := range clients {
		if s.end(); i > 0 {
			<-lefts[i]
		}
	}
	if o.Budget.all != 0 || len(o.Budget.with) != 0 {
		t.Errorf("%d sessions are counted still", o.Budget.all)
	}
}
