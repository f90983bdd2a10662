//go:build evidence && unix

package scale

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// user is a client with a session, over a socket. It knows its session's state from
// the replies.
type user struct {
	c      *chaos
	name   string
	random *rand.Rand
	ws     *websocket.Conn
	last   int
	id     string // of the session, "" for none

	// The known state. After an error, or without a reply, it is open whether a change
	// happened.
	known bool
	value string // of the field
	calm  bool   // no fault is at work any more: every call has the time that it needs
	seen  int    // number of faults when this was last confirmed
}

func newUser(c *chaos, n int) *user {
	return &user{c: c, name: fmt.Sprint("user", n), random: rand.New(rand.NewPCG(uint64(n), 2))}
}

// live uses the session until all faults are over, and then once more, when everything
// must succeed.
func (u *user) live() {
	for !u.c.over.Load() {
		if u.ready(); !u.c.over.Load() {
			u.step()
		}
	}
	end := time.Now().Add(90 * time.Second)
	for ok := false; !ok; {
		u.ready()
		_, said := u.ask("page.goto", pipetest.Object{"url": "/form", "waitUntil": "load"})
		if said == "" { // the script's process may have to be replaced first
			_, said = u.ask("execute", pipetest.Object{"code": "1"})
		}
		if ok = said == ""; ok {
			u.known, u.value, u.seen, u.calm = true, "", u.c.faultsBegan(), true
			for range 6 {
				u.step()
			}
			if !u.known {
				u.c.t.Errorf("%s: all is over, and it does not go well", u.name)
			}
		} else if time.Now().After(end) {
			u.c.t.Errorf("%s: all is over, and it is told %s", u.name, said)
			break
		}
	}
	if u.id != "" && u.ws != nil {
		u.ask("session.close", pipetest.Object{})
	}
	if u.ws != nil {
		_ = u.ws.Close()
	}
}

// ready makes sure that there are a socket and a session.
func (u *user) ready() {
	for end := time.Now().Add(time.Minute); u.ws == nil || u.id == ""; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			u.c.t.Errorf("%s: no session can be had", u.name)
			return
		}
		if u.ws == nil {
			u.ws, _, _ = (&websocket.Dialer{HandshakeTimeout: 10 * time.Second}).Dial("ws://"+u.c.wire.Addr+"/ws", http.Header{"X-Api-Key": {pipetest.Key}})
			continue
		}
		var made struct {
			ID string `json:"session_id"`
		}
		if result, said := u.ask("session.create", pipetest.Object{}); said == "" {
			_ = json.Unmarshal(result, &made)
			u.id, u.known = made.ID, false
		}
	}
}

// step is one action, and the check of its reply.
func (u *user) step() {
	began := u.c.faultsBegan()
	switch n := u.random.IntN(6); {
	case !u.known || n == 0:
		_, said := u.ask("page.goto", pipetest.Object{"url": "/form", "waitUntil": "load"})
		u.known, u.value, u.seen = said == "", "", began
	case n == 1:
		value := fmt.Sprint(u.name, " ", u.last)
		_, said := u.ask("page.fill", pipetest.Object{"selector": "input", "value": value})
		u.known, u.value = said == "", value
	case n == 2:
		result, said := u.ask("execute", pipetest.Object{"code": "return await page.evaluate(() => [location.pathname, document.querySelector('input')?.value])"})
		var got struct{ Result json.RawMessage }
		_ = json.Unmarshal(result, &got)
		u.compare(string(got.Result), said)
	default:
		result, said := u.ask("page.evaluate", pipetest.Object{"expression": "[location.pathname, document.querySelector('input')?.value]"})
		var got struct{ Result json.RawMessage }
		_ = json.Unmarshal(result, &got)
		u.compare(string(got.Result), said)
	}
}

// compare checks what a session shows: its last state, or, after a fault, an empty
// page. Never anything else.
func (u *user) compare(got, said string) {
	if said != "" { // a read changes nothing, but the browser may be a new one
		u.known = false
		return
	}
	want, _ := json.Marshal([]any{"/form", u.value})
	fresh := strings.HasPrefix(got, `["blank"`)
	switch began := u.c.faultsBegan(); {
	case got == string(want):
		u.seen = began
	case fresh && began > u.seen:
		u.known = false
	default:
		u.c.t.Errorf("%s: its session shows %s, want %s (%d faults, %d when it was last seen)", u.name, got, want, began, u.seen)
		u.known = false
	}
}

// clearWords are in the errors of a user who lost something.
var clearWords = []string{
	"went away", "hung", "died", "gone", "closed", "crashed", "ended", "after ", "no session", "stopping", "does not answer", "did not", "all 8 sessions", "interrupted", "no answer", "has not started yet",
	"was given up", // a navigation whose renderer was killed
}

// ask sends a request and reads its one reply. A second reply, or one to no request,
// fails the test. If the socket ends there is no reply.
func (u *user) ask(method string, params pipetest.Object) (result json.RawMessage, said string) {
	if u.ws == nil {
		return nil, "the socket ended"
	}
	u.last++
	seconds := 6
	if u.calm {
		seconds = 60
	}
	if params["timeout"] = 1000 * seconds; method == "execute" {
		params["timeout"] = seconds // its profile counts in seconds
	}
	if u.id != "" {
		params["session_id"] = u.id
	}
	if err := u.ws.WriteJSON(pipetest.Object{"jsonrpc": "2.0", "id": u.last, "method": method, "params": params}); err != nil {
		u.hangUp()
		return nil, "the socket ended"
	}
	var reply struct {
		ID     int
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	_ = u.ws.SetReadDeadline(time.Now().Add(pipetest.Patience))
	if err := u.ws.ReadJSON(&reply); err != nil {
		if strings.Contains(err.Error(), "timeout") {
			u.c.t.Errorf("%s: %s has no reply", u.name, method)
		}
		u.hangUp()
		return nil, "the socket ended"
	}
	u.c.calls.Add(1)
	switch {
	case reply.ID != u.last || (reply.Result == nil) == (reply.Error == nil):
		u.c.t.Errorf("%s: asked %d, answered %+v", u.name, u.last, reply)
		return nil, "no reply"
	case reply.Error == nil:
		return reply.Result, ""
	}
	said = reply.Error.Message
	ok := false
	for _, word := range clearWords {
		ok = ok || strings.Contains(said, word)
	}
	if !ok {
		u.c.t.Errorf("%s: %s is told %q", u.name, method, said)
	}
	if strings.Contains(said, "no session") || strings.Contains(said, "is gone") {
		u.id = ""
	}
	return nil, said
}

func (u *user) hangUp() {
	_ = u.ws.Close()
	u.ws, u.known = nil, false
}
