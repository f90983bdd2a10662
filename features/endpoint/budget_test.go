package endpoint_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// Clients that request much and read nothing have a bound each, and one for their
// session together. A client over a bound is disconnected. Another session goes on.
func TestBudgetOfClients(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	svc, ours, theirs, _, _ := startPair(t)
	reads, last := connect(t, svc, ours), connect(t, svc, theirs)
	at, other := reads.settle(), last.settle()
	began := time.Now()
	read := deaf(t, svc, ours, at.target)
	pipetest.Eventually(t, "all are answered", func() bool { return reads.evaluate(at.session, "window.asked") == "6" })
	if got := last.evaluate(other.session, "document.body.textContent"); got != "first" {
		t.Errorf("the other session: %s", got)
	}
	whole := read()
	late := time.Since(began) > 25*time.Second // who takes nothing for 30 s is let go, whatever waits for it
	if whole == 0 && !late || whole > 4 {
		t.Errorf("%d of 6 clients had 48 MB each wait for them, of a session's 192 MiB", whole)
	}
	theirs.On("eval", map[string]any{"code": "1"})
	pipetest.Eventually(t, "who comes now is served", func() bool {
		again := connect(t, svc, ours)
		return len(again.evaluate(again.settle().session, "'x'.repeat(3e6)")) == 3e6
	})
}

// deaf has six clients ask for 48 MB each. Once read is called they read, and it tells how many
// had all wait for them.
func deaf(t *testing.T, svc *pipetest.Service, s pipetest.Session, target string) (read func() int) {
	t.Helper()
	const text = `{"id":1,"method":"Runtime.evaluate","params":{"expression":"window.asked=(window.asked||0)+1,'x'.repeat(48e6)","returnByValue":true}}`
	var clients []*websocket.Conn
	for range 6 {
		ws, _, err := websocket.DefaultDialer.Dial(strings.Replace(svc.URL, "http:", "ws:", 1)+"/cdp/"+s.ID+"/devtools/page/"+target, http.Header{"X-Api-Key": {svc.Key}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ws.Close() })
		if err := ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, ws)
	}
	return func() int {
		var whole atomic.Int64
		var all sync.WaitGroup
		for _, ws := range clients {
			all.Go(func() {
				_, m, err := ws.ReadMessage()
				var closed *websocket.CloseError
				if err == nil && len(m) > 48e6 {
					whole.Add(1)
				} else if errors.As(err, &closed) && closed.Code != websocket.CloseTryAgainLater && closed.Code != websocket.CloseAbnormalClosure {
					t.Errorf("a client that is let go is told %v", err)
				}
				_ = ws.Close()
			})
		}
		all.Wait()
		return int(whole.Load())
	}
}
