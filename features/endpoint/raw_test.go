package endpoint_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// raw is a client that sends arbitrary messages.
type raw struct {
	t  *testing.T
	ws *websocket.Conn

	mu      sync.Mutex
	last    int
	replies map[int]chan rawReply
	heard   strings.Builder // all that it received
	ended   chan struct{}
}

type rawReply struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func connect(t *testing.T, svc *pipetest.Service, s pipetest.Session) *raw {
	t.Helper()
	return dial(t, strings.Replace(svc.URL, "http:", "ws:", 1)+"/cdp/"+s.ID, http.Header{"X-Api-Key": {svc.Key}})
}

// connectTo connects a client to a pipe's session.
func connectTo(t *testing.T, p *pipetest.Pipe) *raw {
	t.Helper()
	return dial(t, pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL, nil)
}

// onPages goes to the first page of the site of pages, and connects a client to that page.
func onPages(t *testing.T, p *pipetest.Pipe) (site string, c *raw, at place) {
	t.Helper()
	site = pipetest.ServePages(t, pages)
	p.Call("nav", []any{site + "/"})
	c = connectTo(t, p)
	return site, c, c.settle()
}

// dial connects a client to a URL.
func dial(t *testing.T, at string, head http.Header) *raw {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(at, head)
	if err != nil {
		t.Fatal(err)
	}
	c := &raw{t: t, ws: ws, replies: map[int]chan rawReply{}, ended: make(chan struct{})}
	t.Cleanup(func() { _ = ws.Close() })
	go c.read()
	return c
}

func (c *raw) read() {
	defer close(c.ended)
	for {
		_, m, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		var r rawReply
		_ = json.Unmarshal(m, &r)
		c.mu.Lock()
		c.heard.Write(m)
		c.heard.WriteByte('\n')
		if waits := c.replies[r.ID]; waits != nil && r.Method == "" {
			waits <- r
		}
		c.mu.Unlock()
	}
}

// say sends a text unchanged, and waits for the reply with this id.
func (c *raw) say(id int, text string) rawReply {
	c.t.Helper()
	reply := make(chan rawReply, 10)
	c.mu.Lock()
	c.replies[id] = reply
	c.mu.Unlock()
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.t.Fatalf("%.100s: %v", text, err)
	}
	select {
	case r := <-reply:
		return r
	case <-c.ended:
		c.t.Fatalf("the connection ended at %.200s", text)
	case <-time.After(pipetest.Patience):
		c.t.Fatalf("no reply to %.200s", text)
	}
	return rawReply{}
}

func (c *raw) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return c.last
}

// ask sends a command.
func (c *raw) ask(session, method string, params any) rawReply {
	c.t.Helper()
	id := c.next()
	m := map[string]any{"id": id, "method": method, "params": params}
	if session != "" {
		m["sessionId"] = session
	}
	text, _ := json.Marshal(m)
	return c.say(id, string(text))
}

// get sends a command that must succeed, and decodes its result.
func (c *raw) get(session, method string, params, result any) {
	c.t.Helper()
	r := c.ask(session, method, params)
	if r.Error != nil {
		c.t.Fatalf("%s: %s", method, r.Error.Message)
	}
	if err := json.Unmarshal(r.Result, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// refused sends a command that must fail.
func (c *raw) refused(session, method string, params any, why string) {
	c.t.Helper()
	r := c.ask(session, method, params)
	if r.Error == nil || !strings.Contains(r.Error.Message, why) {
		c.t.Errorf("%s %v: %s %+v, expected an error with %q", method, params, r.Result, r.Error, why)
	}
}

func (c *raw) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heard.String()
}

// place is the client's first page.
type place struct{ target, context, session string }

// settle attaches a client to its page.
func (c *raw) settle() (p place) {
	c.t.Helper()
	var list struct {
		Infos []struct{ TargetID, BrowserContextID string } `json:"targetInfos"`
	}
	c.get("", "Target.getTargets", map[string]any{}, &list)
	if len(list.Infos) != 1 {
		c.t.Fatalf("targets: %+v", list)
	}
	var got struct{ SessionID string }
	c.get("", "Target.attachToTarget", map[string]any{"targetId": list.Infos[0].TargetID}, &got)
	return place{list.Infos[0].TargetID, list.Infos[0].BrowserContextID, got.SessionID}
}

// evaluate returns an expression's value.
func (c *raw) evaluate(session, code string) string {
	c.t.Helper()
	var got struct{ Result struct{ Value any } }
	c.get(session, "Runtime.evaluate", map[string]any{"expression": code, "returnByValue": true}, &got)
	return fmt.Sprint(got.Result.Value)
}
