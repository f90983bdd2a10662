package endpoint_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// Clients that request much and read nothing have a bound each, and one for their
// session together. A client over a bound is disconnected. Another session goes on.
func TestBudgetOfClients(t *testing.T) {
	t.Parallel()
	svc, ours, theirs, _, _ := startPair(t)
	reads := connect(t, svc, ours)
	at := reads.settle()
	var deaf []*websocket.Conn
	for range 6 {
		ws, _, err := websocket.DefaultDialer.Dial(strings.Replace(svc.URL, "http:", "ws:", 1)+"/cdp/"+ours.ID+"/devtools/page/"+at.target, http.Header{"X-Api-Key": {svc.Key}})
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		text := `{"id":1,"method":"Runtime.evaluate","params":{"expression":"window.asked=(window.asked||0)+1,'x'.repeat(48e6)","returnByValue":true}}`
		if err := ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			t.Fatal(err)
		}
		deaf = append(deaf, ws)
	}
	pipetest.Eventually(t, "all are answered", func() bool { return reads.evaluate(at.session, "window.asked") == "6" })
	last := connect(t, svc, theirs)
	if got := last.evaluate(last.settle().session, "document.body.textContent"); got != "first" {
		t.Errorf("the other session: %s", got)
	}
	whole := 0
	for _, ws := range deaf {
		_, m, err := ws.ReadMessage()
		var closed *websocket.CloseError
		if err == nil && len(m) > 48e6 {
			whole++
		} else if errors.As(err, &closed) && closed.Code != websocket.CloseTryAgainLater && closed.Code != websocket.CloseAbnormalClosure {
			t.Errorf("a client that is let go is told %v", err)
		}
	}
	if whole == 0 || whole > 4 {
		t.Errorf("%d of 6 clients had 48 MB each wait for them, of a session's 192 MiB", whole)
	}
	theirs.On("eval", map[string]any{"code": "1"})
	pipetest.Eventually(t, "who comes now is served", func() bool {
		again := connect(t, svc, ours)
		return len(again.evaluate(again.settle().session, "'x'.repeat(3e6)")) == 3e6
	})
}
