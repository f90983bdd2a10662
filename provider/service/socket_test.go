package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/sourcegraph/jsonrpc2"
	wsstream "github.com/sourcegraph/jsonrpc2/websocket"

	"pwpipe/internal/pipetest"
)

// dial opens a socket to the service.
func dial(t *testing.T, svc *pipetest.Service) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(svc.URL, "http")+"/ws", http.Header{"X-Api-Key": {pipetest.Key}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	return ws
}

// peer is a client on the library's own Conn.
func peer(t *testing.T, svc *pipetest.Service) (*jsonrpc2.Conn, *heard) {
	events := &heard{come: make(chan event, 10000)}
	h := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		var e event
		if r.Method == "event" && json.Unmarshal(*r.Params, &e) == nil {
			events.come <- e
		}
		return nil, nil
	})
	c := jsonrpc2.NewConn(context.Background(), wsstream.NewObjectStream(dial(t, svc)), h, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	t.Cleanup(func() { _ = c.Close() })
	return c, events
}

type event struct {
	Event, Page, Type, Text, URL, Opened, File string
	Session                                    string `json:"session_id"`
	Seq                                        int64
	Status, Lost                               int
}

func TestSocket(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	svc := pipetest.SharedService(t)
	c, _ := peer(t, svc)
	ctx, cancel := context.WithTimeout(context.Background(), pipetest.Patience)
	defer cancel()
	call := func(method string, params m, out any) error { return c.Call(ctx, method, params, out) }
	var s struct {
		ID string `json:"session_id"`
	}
	if err := call("session.create", nil, &s); err == nil {
		t.Error("params null passed")
	}
	if err := call("session.create", m{}, &s); err != nil {
		t.Fatal(err)
	}
	// A session's calls run in the order sent, without waiting for replies.
	var waits []jsonrpc2.Waiter
	for i := range 20 {
		w, err := c.DispatchCall(ctx, "page.evaluate", m{"session_id": s.ID, "expression": fmt.Sprintf("(window.order = (window.order || '') + '%c', 0)", 'a'+i)})
		if err != nil {
			t.Fatal(err)
		}
		waits = append(waits, w)
	}
	for _, w := range waits {
		if err := w.Wait(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	var got struct{ Result string }
	if err := call("page.evaluate", m{"session_id": s.ID, "expression": "window.order"}, &got); err != nil || got.Result != "abcdefghijklmnopqrst" {
		t.Errorf("order: %q, %v", got.Result, err)
	}
	err := call("page.click", m{"session_id": s.ID, "selector": "#gone", "timeout": 3000}, nil)
	// A busy page does not tell in time that nothing matches: then it is a timeout.
	if e, ok := err.(*jsonrpc2.Error); !ok || e.Data == nil || e.Code != -32001 && (e.Code != -32000 || !strings.Contains(e.Message, "#gone")) {
		t.Errorf("an error: %v", err)
	}
	// A call is cancelled by its id.
	w, err := c.DispatchCall(ctx, "page.waitFor", m{"session_id": s.ID, "state": "idleFor", "ms": 60000}, jsonrpc2.PickID(jsonrpc2.ID{Str: "long", IsString: true}))
	if err != nil {
		t.Fatal(err)
	}
	cancels := func(c *jsonrpc2.Conn, want bool) {
		t.Helper()
		var found bool
		if err := c.Call(ctx, "$/cancelRequest", m{"id": "long"}, &found); err != nil || found != want {
			t.Errorf("cancel answers %v, want %v: %v", found, want, err)
		}
	}
	stranger, _ := peer(t, svc)
	cancels(stranger, false) // each client has ids of its own
	cancels(c, true)
	if e, ok := w.Wait(ctx, nil).(*jsonrpc2.Error); !ok || e.Code != -32005 {
		t.Errorf("a call that was taken back: %v", e)
	}
	cancels(c, false) // it has ended
	if err := call("session.close", m{"session_id": s.ID}, nil); err != nil {
		t.Error(err)
	}
}

func TestSocketTakesWhatTheLibraryDoesNot(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	svc := pipetest.SharedService(t)
	ws := dial(t, svc)
	for _, c := range []struct{ in, want string }{
		{`{"jsonrpc":"2.0","id":1.5,"method":"rpc.discover"}`, `{"jsonrpc":"2.0","id":1.5,"result":{"openrpc"`},
		{`{"jsonrpc":"2.0","id":-5,"method":"nope"}`, `{"jsonrpc":"2.0","id":-5,"error":{"code":-32601`},
		{`{"jsonrpc":"2.0","id":null,"method":"nope"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601`},
		{`[{"jsonrpc":"2.0","id":1,"method":"nope"},{"jsonrpc":"2.0","id":2,"method":"nope"}]`, `[{"jsonrpc":"2.0","id":1,"error"`},
		{`nonsense`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`},
		{``, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`},
		{`{"id":1,"method":"url"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"url"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":"x","result":1}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":7,"method":"url","params":{}}`, `{"id":7`},
	} {
		if err := ws.WriteMessage(websocket.TextMessage, []byte(c.in)); err != nil {
			t.Fatal(err)
		}
		_ = ws.SetReadDeadline(time.Now().Add(pipetest.Patience))
		_, got, err := ws.ReadMessage()
		if err != nil {
			t.Fatalf("%s: %v", c.in, err)
		}
		if !strings.HasPrefix(string(got), c.want) && !strings.Contains(string(got), strings.Trim(c.want, "{")) {
			t.Errorf("%s\n got %.200s\nwant %s", c.in, got, c.want)
		}
	}
	if err := ws.WriteMessage(websocket.TextMessage, make([]byte, 600<<10)); err == nil {
		_ = ws.SetReadDeadline(time.Now().Add(pipetest.Patience))
		if _, _, err := ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) && err == nil {
			t.Errorf("a message over the cap: %v", err)
		}
	}
}

// heard are the events of a client. Those of different kinds come in any order.
type heard struct {
	come chan event
	kept []event // that came while a test waited for others
}

// next returns the next event of a kind.
func next(t *testing.T, h *heard, kind string) event {
	t.Helper()
	if i := slices.IndexFunc(h.kept, func(e event) bool { return e.Event == kind }); i >= 0 {
		e := h.kept[i]
		h.kept = slices.Delete(h.kept, i, i+1)
		return e
	}
	for {
		select {
		case e := <-h.come:
			if e.Event == kind {
				return e
			}
			h.kept = append(h.kept, e)
		case <-time.After(pipetest.Patience):
			t.Fatalf("no %s event", kind)
		}
	}
}

func TestEventsOverSocket(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestSocket is quick")
	t.Parallel()
	// Without interception: the race detector reports that playwright-go reads a
	// pop-up's page in one goroutine while another creates it.
	svc := pipetest.StartService(t, "SESSION_TTL_MS=4000", "ALLOW_HOST_REGEX=.*")
	c, events := peer(t, svc)
	ctx := context.Background()
	s := svc.Open(nil)
	var kinds struct{ Kinds []string }
	if err := c.Call(ctx, "events.subscribe", m{"session_id": s.ID}, &kinds); err != nil || len(kinds.Kinds) != 10 {
		t.Fatalf("%v %v", kinds, err)
	}
	if err := c.Call(ctx, "events.subscribe", m{"session_id": s.ID, "kinds": []string{"nope"}}, nil); err == nil || !strings.Contains(err.Error(), "page-error") {
		t.Errorf("an unknown kind: %v", err)
	}
	other := svc.Open(nil) // before the other listens it would be idle for as long as this one takes to open
	// A subscription takes the place of the one before. The last ends all, so nobody listens.
	for _, method := range []string{"events.subscribe", "events.subscribe", "events.unsubscribe"} {
		if err := c.Call(ctx, method, m{"session_id": other.ID}, nil); err != nil {
			t.Fatal(err)
		}
	}
	other.On("page.goto", m{"url": "/errors"}) // not subscribed to
	s.On("page.goto", m{"url": "/errors"})
	if e := next(t, events, "request"); e.URL != s.Site+"/errors" || e.Page != "p1" || e.Session != s.ID || e.Seq != 1 {
		t.Errorf("request: %+v", e)
	}
	if e := next(t, events, "response"); e.Status != 200 {
		t.Errorf("response: %+v", e)
	}
	if e := next(t, events, "console"); !strings.HasPrefix(e.Text, "errors page: hello") || e.Type != "log" {
		t.Errorf("console: %+v", e)
	}
	if e := next(t, events, "page-error"); e.Type != "TypeError" && e.Type != "Error" {
		t.Errorf("page-error: %+v", e)
	}
	s.On("page.evaluate", m{"expression": "alert('hello there')"})
	if e := next(t, events, "dialog"); e.Text != "hello there" || e.Type != "alert" {
		t.Errorf("dialog: %+v", e)
	}
	s.On("page.evaluate", m{"expression": "(window.open('/popup-child'), 0)"})
	if e := next(t, events, "popup"); e.Opened != "p2" || e.Page != "p1" {
		t.Errorf("popup: %+v", e)
	}
	s.On("page.evaluate", m{"expression": "((a) => { a.href = 'data:text/plain,x'; a.download = 'a.txt'; a.click(); return 0 })(document.createElement('a'))"})
	if e := next(t, events, "download"); e.File != "a.txt" {
		t.Errorf("download: %+v", e)
	}
	// Listening counts as use: this session outlives its TTL, the other does not.
	pipetest.Eventually(t, "the other session is closed for being idle", func() bool { return svc.Metric("pwpipe_sessions_open") == "1" })
	s.On("url", nil)
	if err := c.Call(ctx, "events.subscribe", m{"session_id": s.ID, "kinds": []string{"console"}}, &kinds); err != nil {
		t.Fatal(err)
	}
	s.On("page.evaluate", m{"expression": "fetch('/api/me').catch(() => 0).then(() => (console.log('only this'), 0))"})
	for {
		e := next(t, events, "console")
		if e.Text == "only this" {
			break
		}
	}
	if slices.ContainsFunc(events.kept, func(e event) bool { return strings.HasSuffix(e.URL, "/api/me") }) {
		t.Error("the second subscription sends kinds of the first")
	}
	if r := svc.Try("events.subscribe", m{"session_id": s.ID}); r.Error == nil || !strings.Contains(r.Error.Message, "/ws") {
		t.Errorf("subscribing over plain HTTP: %+v", r)
	}
	_ = c.Close()
	pipetest.Eventually(t, "a session without a listener is closed", func() bool { return svc.Metric("pwpipe_sessions_open") == "0" })
}

func TestCrashEvent(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestSocket is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "ALLOW_HOST_REGEX=.", "--allow-file")
	s := svc.Open(nil)
	c, events := peer(t, svc)
	if err := c.Call(context.Background(), "events.subscribe", m{"session_id": s.ID, "kinds": []string{"crash"}}, nil); err != nil {
		t.Fatal(err)
	}
	svc.Try("page.goto", s.With(m{"url": "chrome://crash", "timeout": 3000}))
	if e := next(t, events, "crash"); e.Page != "p1" {
		t.Errorf("crash: %+v", e)
	}
}

// A client that does not read loses the oldest events, gets their number, and blocks
// neither the page nor its other requests.
func TestSlowSubscriber(t *testing.T) {
	pipetest.InCIAndRace(t, "it waits for one that does not read")
	t.Parallel()
	svc := pipetest.SharedService(t)
	s := svc.Open(nil)
	ws := dial(t, svc)
	send := func(id int, method string, params m) {
		raw, _ := json.Marshal(m{"jsonrpc": "2.0", "id": id, "method": method, "params": s.With(params)})
		if err := ws.WriteMessage(websocket.TextMessage, raw); err != nil {
			t.Fatal(err)
		}
	}
	send(1, "events.subscribe", m{"kinds": []string{"console"}})
	if _, text, err := ws.ReadMessage(); err != nil || !strings.Contains(string(text), `"id":1`) {
		t.Fatalf("%s %v", text, err)
	}
	const rounds, each = 30, 100
	long := strings.Repeat("x", 6000) // far more in total than socket buffers hold
	for i := range rounds {
		s.On("page.evaluate", m{"expression": fmt.Sprintf("(() => { for (let i = 0; i < %d; i++) console.log(%d + i + ' %s') })()", each, i*each, long)})
		s.On("network.pull", nil) // returns after all of the page's console lines
	}
	seen, lost, last := 0, 0, int64(0)
	for seen+lost < rounds*each {
		_ = ws.SetReadDeadline(time.Now().Add(pipetest.Patience))
		_, text, err := ws.ReadMessage()
		if err != nil {
			t.Fatalf("after %d seen and %d lost: %v", seen, lost, err)
		}
		var n struct{ Params event }
		if err := json.Unmarshal(text, &n); err != nil || n.Params.Seq <= last {
			t.Fatalf("%v: %.100s after %d", err, text, last)
		}
		if n.Params.Seq != last+1+int64(n.Params.Lost) {
			t.Fatalf("event %d after %d, with %d lost", n.Params.Seq, last, n.Params.Lost)
		}
		last = n.Params.Seq
		seen++
		lost += n.Params.Lost
	}
	if lost == 0 {
		t.Errorf("nothing was lost of %d events of 6 kB; the test proves nothing", seen)
	}
}
