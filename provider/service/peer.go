package service

import (
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Times of a socket. A peer that does not answer a ping within pongTime is gone. So is
// one that does not read for writeTime.
const (
	pingEvery = 20 * time.Second
	pongTime  = 60 * time.Second
)

// peer is a WebSocket that may be written to from everywhere.
type peer struct {
	*websocket.Conn
	writing sync.Mutex
}

// upgrade turns a request into a WebSocket. If it fails, it answers the request. The door has
// checked Host and Origin already. limit bounds a message, in bytes.
func upgrade(w http.ResponseWriter, r *http.Request, up websocket.Upgrader, limit int64) (*peer, error) {
	up.CheckOrigin = func(*http.Request) bool { return true }
	head := http.Header{} // the upgrade writes these headers itself
	seal(head)
	ws, err := up.Upgrade(w, r, head)
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(limit)
	ws.SetPongHandler(func(string) error { return ws.SetReadDeadline(time.Now().Add(pongTime)) })
	return &peer{Conn: ws}, nil
}

// next is the next message.
func (p *peer) next() ([]byte, error) {
	_ = p.SetReadDeadline(time.Now().Add(pongTime))
	_, text, err := p.ReadMessage()
	return text, err
}

// send writes a text, directly followed by bytes, nil for none.
func (p *peer) send(text, bytes []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	_ = p.SetWriteDeadline(time.Now().Add(writeTime))
	err := p.WriteMessage(websocket.TextMessage, text)
	if err == nil && bytes != nil {
		err = p.WriteMessage(websocket.BinaryMessage, bytes)
	}
	if err != nil {
		_ = p.Close() // who does not read is gone
	}
	return err
}

// leave says why the connection ends, and ends it.
func (p *peer) leave(reason string) {
	text := websocket.FormatCloseMessage(websocket.CloseGoingAway, reason)
	_ = p.WriteControl(websocket.CloseMessage, text, time.Now().Add(time.Second))
	_ = p.Close()
}
