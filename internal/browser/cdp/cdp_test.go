package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// browser is the other end of a connection: it answers each call with the
// method's name, and opens sessions.
type browser struct {
	in  *reader
	out io.WriteCloser

	mu    sync.Mutex
	asked []string // messages in order of arrival
	next  int
	mute  map[string]bool // methods that it never answers
}

func connected(t *testing.T) (*Conn, *browser) {
	fromBrowser, out := io.Pipe()
	in, toBrowser := io.Pipe()
	b := &browser{in: newReader(in), out: out, mute: map[string]bool{}}
	c := New(fromBrowser, toBrowser)
	t.Cleanup(func() { _ = c.Close() })
	go b.serve()
	return c, b
}

func (b *browser) serve() {
	for {
		m, err := b.in.next(longestTold)
		if err != nil {
			_ = b.out.Close()
			return
		}
		var q struct {
			ID      int64
			Method  string
			Session string `json:"sessionId"`
		}
		_ = json.Unmarshal(m[:len(m)-1], &q)
		b.mu.Lock()
		b.asked = append(b.asked, string(m[:len(m)-1]))
		mute := b.mute[q.Method]
		b.mu.Unlock()
		switch {
		case mute:
		case opensSession(q.Method):
			b.next++
			id := fmt.Sprintf("S%d", b.next)
			b.say(`{"method":"Target.attachedToTarget","params":{"sessionId":"` + id + `"}` + of(q.Session) + `}`)
			b.say(fmt.Sprintf(`{"id":%d,"result":{"sessionId":"%s"}%s}`, q.ID, id, of(q.Session)))
		case q.Method == "Fails":
			b.say(fmt.Sprintf(`{"id":%d,"error":{"code":-32000,"message":"no such thing"}%s}`, q.ID, of(q.Session)))
		default:
			b.say(fmt.Sprintf(`{"id":%d,"result":{"method":"%s"}%s}`, q.ID, q.Method, of(q.Session)))
		}
	}
}

func of(session string) string {
	if session == "" {
		return ""
	}
	return `,"sessionId":"` + session + `"`
}

func (b *browser) say(m string) { _, _ = b.out.Write([]byte(m + "\x00")) }

// soon is a context that outlasts no test.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// opened is a connection with a session of ours.
func opened(t *testing.T) (*Conn, *browser, context.Context, *Session) {
	t.Helper()
	c, b := connected(t)
	ctx := soon(t)
	own, err := c.Browser(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return c, b, ctx, own
}

// peer is the driver's side of a relay.
type peer struct {
	says  io.WriteCloser
	hears *reader
	ended chan error
}

func relayed(t *testing.T, c *Conn) *peer {
	r, says := io.Pipe()
	hears, w := io.Pipe()
	p := &peer{says, newReader(hears), make(chan error, 1)}
	t.Cleanup(func() { _, _ = says.Close(), hears.Close() })
	go func() { p.ended <- c.Relay(r, w) }()
	p.say(t, `{"id":1,"method":"Hello"}`)
	if got := p.hear(t); got != `{"id":1,"result":{"method":"Hello"}}` {
		t.Fatalf("the peer hears %s", got)
	}
	return p
}

func (p *peer) say(t *testing.T, m string) {
	t.Helper()
	if _, err := p.says.Write([]byte(m + "\x00")); err != nil {
		t.Fatal(err)
	}
}

func (p *peer) hear(t *testing.T) string {
	t.Helper()
	m, err := p.hears.next(longestSaid)
	if err != nil {
		t.Fatal(err)
	}
	return string(m[:len(m)-1])
}

// Each side gets only its own messages.
func TestTwoSpeakers(t *testing.T) {
	c, b, ctx, own := opened(t)
	p := relayed(t, c)
	page, err := own.Attach(ctx, "T")
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan string, 10)
	off := page.On("Page.loaded", func(params json.RawMessage) { heard <- string(params) })

	b.say(`{"method":"Page.loaded","params":{"n":1},"sessionId":"` + page.ID() + `"}`)
	b.say(`{"method":"Page.loaded","params":{"n":2},"sessionId":"THEIRS"}`)
	b.say(`{"method":"Target.targetCreated","params":{"sessionId":"` + page.ID() + `"}}`)
	if got := <-heard; got != `{"n":1}` {
		t.Errorf("we hear %s", got)
	}
	for _, want := range []string{`{"method":"Page.loaded","params":{"n":2},"sessionId":"THEIRS"}`, `{"method":"Target.targetCreated","params":{"sessionId":"` + page.ID() + `"}}`} {
		if got := p.hear(t); got != want {
			t.Errorf("the peer hears %s, expected %s", got, want)
		}
	}

	off()
	b.say(`{"method":"Page.loaded","params":{"n":3},"sessionId":"` + page.ID() + `"}`)
	odd := `{"sessionId": "THEIRS", "method":"X.y" , "params":{"text":"},\"sessionId\":\"` + page.ID() + `\"}"}}`
	p.say(t, odd) // any text stays unchanged
	if got := p.hear(t); got != `{"id":0,"result":{"method":"X.y"},"sessionId":"THEIRS"}` {
		t.Errorf("the peer hears %s", got)
	}
	var got struct{ Method string }
	if err := page.Call(ctx, "Runtime.evaluate", map[string]any{"expression": "1"}, &got); err != nil || got.Method != "Runtime.evaluate" {
		t.Errorf("%v %v", got, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if all := strings.Join(b.asked, "\n"); !strings.Contains(all, odd) || !strings.Contains(all, `"method":"Runtime.evaluate","params":{"expression":"1"},"sessionId":"S2"}`) {
		t.Errorf("the browser was asked\n%s", all)
	}
	if len(heard) > 0 {
		t.Errorf("heard after off: %s", <-heard)
	}
}

func TestErrors(t *testing.T) {
	c, b, ctx, own := opened(t)
	var failed *Error
	if err := own.Call(ctx, "Fails", nil, nil); !errors.As(err, &failed) || failed.Code != -32000 || failed.Message != "no such thing" {
		t.Errorf("%v", err)
	}
	if err := own.Call(ctx, "Works", nil, new(int)); err == nil || !strings.Contains(err.Error(), "the browser's reply") {
		t.Errorf("%v", err)
	}
	if err := own.Call(ctx, "Works", func() {}, nil); err == nil {
		t.Error("a function was sent")
	}
	b.mute["Waits"] = true
	late, cancel := context.WithCancel(ctx)
	cancel()
	if err := own.Call(late, "Waits", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	c.mu.Lock()
	if len(c.calls) > 0 {
		t.Errorf("%d calls are kept", len(c.calls))
	}
	c.mu.Unlock()
}

// Waiting calls fail when their session, a session above it, or the connection
// ends.
func TestEnds(t *testing.T) {
	c, b := connected(t)
	ctx := soon(t)
	b.mute["Waits"] = true
	own, err := c.Browser(ctx)
	if err != nil {
		t.Fatal(err)
	}
	page, err := own.Attach(ctx, "T")
	if err != nil {
		t.Fatal(err)
	}
	waits := func(s *Session) chan error {
		done := make(chan error, 1)
		go func() { done <- s.Call(ctx, "Waits", nil, nil) }()
		return done
	}
	first := waits(page)
	b.say(`{"method":"Target.detachedFromTarget","params":{"sessionId":"` + page.ID() + `"},"sessionId":"` + own.ID() + `"}`)
	if err := <-first; !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
	if err := page.Call(ctx, "Anything", nil, nil); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
	<-page.Gone()

	p := relayed(t, c)
	second := waits(own)
	_ = b.out.Close()
	if err := <-second; !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
	<-c.Gone()
	<-own.Gone()
	if _, err := p.hears.next(longestSaid); !errors.Is(err, io.EOF) {
		t.Errorf("the peer hears %v", err)
	}
	_ = p.says.Close()
	if err := <-p.ended; !errors.Is(err, ErrGone) {
		t.Errorf("the relay ends with %v", err)
	}
	if err := c.Relay(strings.NewReader(""), nopCloser{io.Discard}); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// If a peer leaves, even in the middle of a message, our connection stays. Only
// one peer at a time is allowed.
func TestPeerLeaves(t *testing.T) {
	c, b, ctx, own := opened(t)
	p := relayed(t, c)
	if err := c.Relay(strings.NewReader(""), nopCloser{io.Discard}); err == nil {
		t.Error("two peers")
	}
	_, _ = p.says.Write([]byte(`{"id":2,"method":"Half`))
	_ = p.says.Close()
	if err := <-p.ended; err != nil {
		t.Error(err)
	}
	if err := own.Call(ctx, "Works", nil, nil); err != nil {
		t.Error(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if strings.Contains(strings.Join(b.asked, ""), "Half") {
		t.Error("half a message was passed on")
	}
}

// A peer that does not read blocks nobody, and gets everything in the end.
func TestPeerDoesNotRead(t *testing.T) {
	c, b, ctx, own := opened(t)
	p := relayed(t, c)
	big := strings.Repeat("x", 3*firstBuffer)
	const n = 100
	for i := range n {
		b.say(fmt.Sprintf(`{"method":"Big.event","params":{"i":%d,"text":"%s"}}`, i, big))
	}
	if err := own.Call(ctx, "Works", nil, nil); err != nil {
		t.Error(err)
	}
	for i := range n {
		if got := p.hear(t); !strings.HasPrefix(got, fmt.Sprintf(`{"method":"Big.event","params":{"i":%d,`, i)) {
			t.Fatalf("event %d is %.60s", i, got)
		}
	}
}

// Ids stay in our range, and are unique.
func TestIDs(t *testing.T) {
	c, b, ctx, own := opened(t)
	b.mute["Waits"] = true
	held, err := c.enter(&call{session: own, done: func(json.RawMessage, error) {}})
	if err != nil {
		t.Fatal(err)
	}
	c.last = lastID - 1
	for range 3 {
		if err := own.Call(ctx, "Works", nil, nil); err != nil {
			t.Error(err)
		}
	}
	if c.last != firstID+2 || held != firstID+1 {
		t.Errorf("last %d, held %d", c.last, held)
	}
}

func FuzzLabel(f *testing.F) {
	for _, m := range []string{`{"id":1,"result":{}}`, `{"id":1073741824,"result":{},"sessionId":"A"}`, `{"method":"X","params":{},"sessionId":"A"}`,
		`{"method":"X","params":{"sessionId":"A"}}`, `{"method":"X"}`, `{"id":1}`, `{}`, `{"method":"X","params":{"a":"},\"sessionId\":\"B\"}"}}`, "{\"method\":\"X\",\"params\":{},\"sessionId\":\"\xb4\"}", `x`} {
		f.Add([]byte(m))
	}
	f.Fuzz(func(t *testing.T, m []byte) {
		got := labelOf(append(m, 0))
		var want struct {
			ID        *int64  `json:"id"`
			SessionID *string `json:"sessionId"`
			Method    string  `json:"method"`
			Params    any     `json:"params"`
			Result    any     `json:"result"`
			Error     any     `json:"error"`
		}
		var keys map[string]json.RawMessage
		if !utf8.Valid(m) || json.Unmarshal(m, &want) != nil || json.Unmarshal(m, &keys) != nil || strings.Contains(string(m), `\u`) {
			return // not a browser's message
		}
		for name := range keys {
			if !slices.Contains([]string{"id", "sessionId", "method", "params", "result", "error"}, name) {
				return
			}
		}
		canonical, _ := json.Marshal(keys)
		if strings.Count(string(canonical), `"`) != strings.Count(string(m), `"`) {
			return // duplicate names: no browser sends that
		}
		if want.ID != nil && *want.ID > 0 && got.id != *want.ID {
			t.Errorf("%s: id %d", m, got.id)
		}
		if want.ID == nil && want.SessionID != nil && got.session != *want.SessionID {
			t.Errorf("%s: session %q", m, got.session)
		}
	})
}

// resultOf extracts results from Chromium's form of a reply only.
func TestResultOf(t *testing.T) {
	for m, want := range map[string]string{
		`{"id":7,"result":{}}`: `{}`, `{"id":7,"result":{"a":"}"},"sessionId":"S"}`: `{"a":"}"}`,
		`{"id":7,"error":{"code":1,"message":"x"},"sessionId":"S"}`: "", `{"id":7,"result":{},"sessionId":"T"}`: "", `{"result":{},"id":7}`: "", `{"id":7,"result":`: "", `x`: "",
	} {
		session := ""
		if strings.Contains(m, "sessionId") {
			session = "S"
		}
		if got := resultOf([]byte(m+"\x00"), session); string(got) != want {
			t.Errorf("%s: %s", m, got)
		}
	}
}

// Passed counts progress for those who wait: incoming messages, and messages
// that the peer reads.
func TestPassed(t *testing.T) {
	c, b, ctx, own := opened(t)
	at := c.Passed()
	grown := func(what string) {
		t.Helper()
		now := c.Passed()
		if now <= at {
			t.Errorf("%s: %d is no more than %d", what, now, at)
		}
		at = now
	}
	if err := own.Call(ctx, "Anything", nil, nil); err != nil {
		t.Fatal(err)
	}
	grown("a reply")
	p := relayed(t, c)
	grown("the peer's first message")
	b.say(`{"method":"Page.said","params":{}}`)
	p.hear(t)
	grown("an event, and its way to the peer")
}
