package cdpview

import (
	"bytes"
	"cmp"
	"io"
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
	budget  *Budget
	done    func() // ends the long message that was read last
	ended   chan struct{}
	once    sync.Once
	// bare clients take every frame for a text: go-rod's own WebSocket ends its program at
	// a ping or a close. Chromium sends neither. TCP's keep-alive detects bare clients that
	// vanished.
	bare bool
}

// Upgrade turns a request that has been let in into a WebSocket. If it returns an error, it
// has answered the request.
func Upgrade(w http.ResponseWriter, r *http.Request, b *Budget) (Client, error) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true },
		ReadBufferSize: 64 << 10, WriteBufferSize: 64 << 10}
	w, r, bare := keyed(w, r)
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		return nil, err
	}
	c.SetReadLimit(longestMessage)
	s := &socket{Conn: c, budget: b, ended: make(chan struct{}), bare: bare}
	c.SetPongHandler(s.lives)
	if !bare {
		go s.ping()
	}
	return s, nil
}

// ping detects clients that vanished.
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

// Read returns the next message. What was read before has been handled by now.
func (s *socket) Read() ([]byte, error) {
	s.handled()
	_ = s.lives("")
	_, r, err := s.NextReader()
	if err != nil {
		return nil, err
	}
	m, err := io.ReadAll(io.LimitReader(r, longMessage))
	if err != nil || len(m) < longMessage {
		rest, more := io.ReadAll(r)
		return append(m, rest...), cmp.Or(err, more)
	}
	if s.done, err = s.budget.read(s.ended); err != nil {
		s.Refuse(err)
		return nil, err
	}
	s.SetPongHandler(func(string) error { return nil }) // a ping does not give it more time
	_ = s.SetReadDeadline(time.Now().Add(longTime))
	whole := bytes.NewBuffer(m)
	_, err = whole.ReadFrom(r)
	s.SetPongHandler(s.lives)
	if err != nil {
		s.handled()
	}
	return whole.Bytes(), err
}

// handled lets another client send its next long message.
func (s *socket) handled() {
	if s.done != nil {
		s.done()
		s.done = nil
	}
}

// lives gives a client that answers more time. A bare client is not pinged, and may be
// silent without end.
func (s *socket) lives(string) error {
	if s.bare {
		return s.SetReadDeadline(time.Time{})
	}
	return s.SetReadDeadline(time.Now().Add(silentTime))
}

// Refuse tells the client why it is disconnected, if it reads.
func (s *socket) Refuse(why error) {
	s.sendClose(websocket.CloseTryAgainLater, why.Error())
}

func (s *socket) sendClose(code int, why string) {
	if !s.bare {
		_ = s.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(time.Second))
	}
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
		s.sendClose(websocket.CloseNormalClosure, "")
	})
	return s.Conn.Close()
}
