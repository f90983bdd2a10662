package cdp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// TestDoor: one peer may join at the URL, and no second one or stranger. Each WebSocket
// message stays one message, in however many frames it came.
func TestDoor(t *testing.T) {
	c, b := connected(t)
	if _, err := c.Browser(soon(t)); err != nil {
		t.Fatal(err)
	}
	at, err := c.Door()
	if err != nil {
		t.Fatal(err)
	}
	dial := func(address string) (*websocket.Conn, error) {
		ws, _, err := websocket.DefaultDialer.DialContext(soon(t), address, nil)
		return ws, err
	}
	if _, err := dial(at[:strings.LastIndex(at, "/")+1] + "other"); err == nil {
		t.Error("a stranger got in")
	}
	ws, err := dial(at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dial(at); err == nil {
		t.Error("a second peer got in")
	}
	long := strings.Repeat("x", 2<<20)
	for id, method := range []string{"First", long, "Last"} {
		if err := ws.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"id":%d,"method":%q}`, id+1, method)); err != nil {
			t.Fatal(err)
		}
		_, got, err := ws.ReadMessage()
		if want := fmt.Sprintf(`{"id":%d,"result":{"method":"%s"}}`, id+1, method); err != nil || string(got) != want {
			t.Errorf("%d: %.100s, want %.100s (%v)", id, got, want, err)
		}
	}
	b.say(`{"method":"One"}` + "\x00" + `{"method":"Two"}`)
	for _, want := range []string{`{"method":"One"}`, `{"method":"Two"}`} {
		if _, got, err := ws.ReadMessage(); err != nil || string(got) != want {
			t.Errorf("%s (%v)", got, err)
		}
	}
	_ = b.out.Close()
	if _, _, err := ws.ReadMessage(); err == nil {
		t.Error("the door stays open behind the browser")
	}
}
