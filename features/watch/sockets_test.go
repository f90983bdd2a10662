package watch_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// cookieOf logs in with a key and returns the cookie header.
func cookieOf(t *testing.T, s *pipetest.Service, key string) string {
	t.Helper()
	req, _ := http.NewRequest("POST", s.URL+"/watch/login", strings.NewReader("key="+key))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultTransport.RoundTrip(req) // follows no redirect
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	cookie, _, _ := strings.Cut(resp.Header.Get("Set-Cookie"), ";")
	if cookie == "" {
		t.Fatal("no cookie")
	}
	return cookie
}

// looks opens the page's socket with a cookie. ws is nil if the request was refused.
func looks(t *testing.T, s *pipetest.Service, cookie string) (ws *websocket.Conn, status int) {
	t.Helper()
	ws, resp, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.URL, "http")+"/watch/socket", http.Header{"Origin": {s.URL}, "Cookie": {cookie}})
	if resp == nil {
		t.Fatal(err)
	}
	if err == nil {
		t.Cleanup(func() { _ = ws.Close() })
	}
	return ws, resp.StatusCode
}

// TestLoggedOut: a socket ends when its viewer logs out, even if no key is needed and
// the viewer may return to see less.
func TestLoggedOut(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestDoor is quick")
	t.Parallel()
	for _, key := range []string{"", pipetest.Key} {
		s := pipetest.StartService(t, "API_KEY="+key, "OPERATOR_KEY="+operator)
		cookie := cookieOf(t, s, operator)
		ws, status := looks(t, s, cookie)
		if ws == nil {
			t.Fatal(status)
		}
		s.Do("POST", "/watch/logout", "", "Content-Type: application/x-www-form-urlencoded", "Cookie: "+cookie)
		_ = ws.SetReadDeadline(time.Now().Add(10 * time.Second)) // the next ping is due after 20
		var err error
		for err == nil {
			_, _, err = ws.ReadMessage()
		}
		if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
			t.Errorf("API key %q: %v", key, err)
		}
	}
}

// TestOperatorKeepsRoom: clients, however many log in and watch, do not keep the
// operator from logging in or watching.
func TestOperatorKeepsRoom(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBoundsOfViewers is quick")
	t.Parallel()
	s := pipetest.StartService(t, "OPERATOR_KEY="+operator)
	all, client := cookieOf(t, s, operator), cookieOf(t, s, pipetest.Key)
	last := 0
	for range 17 {
		_, last = looks(t, s, client)
	}
	if ws, status := looks(t, s, all); ws == nil || last != http.StatusTooManyRequests {
		t.Errorf("the operator is answered %d, the last client %d", status, last)
	}
}
