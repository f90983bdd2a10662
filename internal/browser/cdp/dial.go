package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// Bounds of a connection to a remote browser. A message may be as long as the driver's.
const (
	longestReply  = 256 << 20
	longestAnswer = 1 << 20 // of json/version
	writeTime     = 30 * time.Second
)

// Dial connects to a browser that listens for DevTools. The address is that of its
// WebSocket, or an HTTP address, below which json/version has the WebSocket's, as in
// browserType.connectOverCDP.
func Dial(ctx context.Context, address string, headers http.Header) (*Conn, error) {
	at, err := webSocketOf(ctx, address, headers)
	if err != nil {
		return nil, err
	}
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, ReadBufferSize: firstBuffer, WriteBufferSize: firstBuffer}
	ws, answer, err := dialer.DialContext(ctx, at, headers)
	if err != nil {
		if answer != nil {
			err = fmt.Errorf("%w: %s", err, answer.Status)
		}
		return nil, err
	}
	ws.SetReadLimit(longestReply)
	s := &socket{ws: ws}
	return New(s, s), nil
}

// webSocketOf asks for the address of a browser's WebSocket. An address ws://HOST:PORT without a path may be
// that of a browser too, which has its WebSocket below a path of its own.
func webSocketOf(ctx context.Context, address string, headers http.Header) (string, error) {
	if strings.HasPrefix(address, "ws") {
		at, err := url.Parse(address)
		if err != nil || strings.Trim(at.Path, "/") != "" || at.RawQuery != "" {
			return address, nil
		}
		if found, err := askedFor(ctx, "http"+strings.TrimPrefix(address, "ws"), headers); err == nil {
			return found, nil
		}
		return address, nil
	}
	return askedFor(ctx, address, headers)
}

// askedFor is the WebSocket that json/version names.
func askedFor(ctx context.Context, address string, headers http.Header) (string, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(address, "/")+"/json/version/", nil)
	if err != nil {
		return "", err
	}
	maps.Copy(ask.Header, headers)
	ask.Close = true
	r, err := http.DefaultClient.Do(ask)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", ask.URL.Path, r.Status)
	}
	var got struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, longestAnswer)).Decode(&got); err != nil || got.URL == "" {
		return "", errors.Join(errors.New("json/version names no WebSocket"), err)
	}
	return got.URL, nil
}

// socket is a WebSocket used like a pipe: each message ends in NUL.
type socket struct {
	ws      *websocket.Conn
	message io.Reader // nil between two
}

func (s *socket) Read(p []byte) (int, error) {
	if s.message == nil {
		_, r, err := s.ws.NextReader()
		if err != nil {
			return 0, err
		}
		s.message = r
	}
	n, err := s.message.Read(p)
	if errors.Is(err, io.EOF) {
		s.message, err = nil, nil
		if n < len(p) {
			p[n] = 0
			return n + 1, nil
		}
		s.message = strings.NewReader("") // there was no room for its end
	}
	return n, err
}

// Write writes one message. A connection that takes only a part of it can't go on, and is closed.
func (s *socket) Write(m []byte) (int, error) {
	err := s.ws.SetWriteDeadline(time.Now().Add(writeTime))
	if err == nil {
		err = s.ws.WriteMessage(websocket.TextMessage, bytes.TrimSuffix(m, []byte{0}))
	}
	if err != nil {
		_ = s.ws.Close()
		return 0, err
	}
	return len(m), nil
}

func (s *socket) Close() error { return s.ws.Close() }
