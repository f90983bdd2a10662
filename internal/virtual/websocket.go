package virtual

import (
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Bounds of a client's connection.
const (
	longestMessage = 100 << 20 // Playwright sends files of up to 50 MB in one
	pingEvery      = 20 * time.Second
	silentTime     = 60 * time.Second
	writeTime      = 30 * time.Second
)

// socket is a client that is connected by WebSocket, a message a text.
type socket struct {
	*websocket.Conn
	writing sync.Mutex
	ended   chan struct{}
	once    sync.Once
}

// Upgrade makes a WebSocket of a request that has been let in. It has answered
// the request where there is an error.
func Upgrade(w http.ResponseWriter, r *http.Request) (Client, error) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }, ReadBufferSize: 64 << 10, WriteBufferSize: 64 << 10}
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		return nil, err
	}
	c.SetReadLimit(longestMessage)
	c.SetPongHandler(func(string) error { return c.SetReadDeadline(time.Now().Add(silentTime)) })
	s := &socket{Conn: c, ended: make(chan struct{})}
	go s.ping()
	return s, nil
}

// ping finds out about clients that vanished.
func (s *socket) ping() {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.ended:
			return
		case <-tick.C:
		}
		if s.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTime)) != nil {
			_ = s.Close()
			return
		}
	}
}

func (s *socket) Read() ([]byte, error) {
	_ = s.SetReadDeadline(time.Now().Add(silentTime))
	_, m, err := s.ReadMessage()
	return m, err
}

func (s *socket) Write(m []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_ = s.SetWriteDeadline(time.Now().Add(writeTime))
	return s.WriteMessage(websocket.TextMessage, m)
}

func (s *socket) Close() error {
	s.once.Do(func() {
		close(s.ended)
		_ = s.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	})
	return s.Conn.Close()
}
