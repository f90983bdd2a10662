// Package sockets mocks the WebSockets of pages, and lists their messages.
package sockets

import (
	"encoding/json"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy/urlglob"
	"pwpipe/provider"
)

// Tools mock WebSockets and list their messages.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPageDo(tool.Net.Acts("ws-mock", "Mock WebSocket",
			"Answer the page's WebSockets that match a URL glob, in place of a server, "+
				"in documents that load from now on"), mockWebSocket),
		tool.OnPage(tool.Net.Acts("ws-send", "Send to WebSocket",
			"Send a message to the page over the mocked WebSockets that are open"), sendWebSocket),
		tool.OnPage(tool.Net.Reads("ws-messages", "WebSocket messages",
			"List the messages of the page's WebSockets, mocked or not, the oldest first"), listWebSocket),
	}
}

type wsMockParams struct {
	Pattern string            `json:"pattern" doc:"URL glob such as **/ws"`
	Greet   []string          `json:"greet,omitempty" doc:"messages to send when a socket opens"`
	Replies map[string]string `json:"replies,omitempty" doc:"what to send back, by the message that came; \"*\" for any other"`
	Echo    bool              `json:"echo,omitempty" doc:"send back whatever has no reply"`
	Forward bool              `json:"forward,omitempty" doc:"connect to the real server; what has no reply here goes there"`
}

// Bounds of a page's kept WebSocket messages: their number, their bytes, and the bytes
// of each.
const (
	maxMessages     = 1000
	maxMessageBytes = 8 << 20
	maxMessage      = 64 << 10
)

// talking are a page's WebSockets.
var talking browser.State[*browser.Page, sockets]

// Hooks records the WebSocket messages of pages.
var Hooks = browser.Hooks{Page: func(p *browser.Page) { talking.Of(p).watch(p.PW) }}

type sockets struct {
	mu        sync.Mutex
	open      []playwright.WebSocketRoute // mocked
	forwarded map[string]int              // mocked
	messages  []wsMessage
	bytes     int
}

// watch records the messages of real WebSockets. It runs in event callbacks.
func (s *sockets) watch(pw playwright.Page) {
	pw.OnWebSocket(func(ws playwright.WebSocket) {
		url := ws.URL()
		s.mu.Lock()
		behind := s.forwarded[url] > 0 // its mock reports it already
		if behind {
			s.forwarded[url]--
		}
		s.mu.Unlock()
		if behind {
			return
		}
		ws.OnFrameSent(func(b []byte) { s.note(url, "page", frameText(b)) })
		ws.OnFrameReceived(func(b []byte) { s.note(url, "server", frameText(b)) })
	})
}

// frameText is a message in the page's form: a text, or bytes.
func frameText(b []byte) any {
	if utf8.Valid(b) {
		return string(b)
	}
	return b
}

type wsMessage struct {
	URL  string `json:"url" doc:"address of the socket"`
	From string `json:"from" own:"word" doc:"page, mock or server"`
	Text string `json:"text" doc:"message; of a binary one its size"`
}

// mockWebSocket is page.routeWebSocket.
func mockWebSocket(c *tool.Call, in wsMockParams) error {
	glob, err := urlglob.CompileSocket(in.Pattern, c.Session.Browser.Config.BaseURL)
	if err != nil {
		return provider.Errorf(provider.KindArgs, "pattern: %w", err)
	}
	s := talking.Of(c.Page)
	return c.Fail(c.PW.RouteWebSocket(glob.Match, func(ws playwright.WebSocketRoute) { s.serve(ws, in) }), "")
}

// serve answers one socket. It runs in event callbacks, in which Send does not
// block.
func (s *sockets) serve(ws playwright.WebSocketRoute, in wsMockParams) {
	var server playwright.WebSocketRoute
	connected := make(chan struct{}) // closed when server is set, or will not be
	// This comes before the connection: the page may send as soon as the server has accepted it.
	ws.OnMessage(func(m any) {
		<-connected
		s.note(ws.URL(), "page", m)
		text, _ := m.(string)
		reply, ok := in.Replies[text]
		if !ok && server == nil {
			reply, ok = in.Replies["*"]
		}
		switch {
		case ok:
			s.say(ws, reply)
		case server != nil:
			server.Send(m)
		case in.Echo:
			s.note(ws.URL(), "mock", m)
			ws.Send(m)
		}
	})
	if in.Forward {
		s.mu.Lock()
		if s.forwarded == nil {
			s.forwarded = map[string]int{}
		}
		s.forwarded[ws.URL()]++
		s.mu.Unlock()
		server, _ = ws.ConnectToServer()
	}
	if server != nil {
		server.OnMessage(func(m any) {
			s.note(ws.URL(), "server", m)
			ws.Send(m)
		})
	}
	s.mu.Lock()
	s.open = append(s.open, ws)
	s.mu.Unlock()
	close(connected)
	for _, text := range in.Greet {
		s.say(ws, text)
	}
}

func (s *sockets) say(ws playwright.WebSocketRoute, text string) {
	s.note(ws.URL(), "mock", text)
	ws.Send(text)
}

func (s *sockets) note(url, from string, m any) {
	text, ok := m.(string)
	if b, binary := m.([]byte); binary {
		text, ok = fmt.Sprintf("%d bytes", len(b)), true
	}
	if !ok {
		raw, _ := json.Marshal(m)
		text = string(raw)
	}
	message := wsMessage{events.Clip(url, events.KeptURL), from, events.Clip(text, maxMessage)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, message)
	s.bytes += message.size()
	for len(s.messages) > maxMessages || s.bytes > maxMessageBytes {
		s.bytes -= s.messages[0].size()
		s.messages = s.messages[1:]
	}
}

func (m wsMessage) size() int { return len(m.URL) + len(m.Text) }

type wsSendParams struct {
	Text string `json:"text" doc:"message"`
	URL  string `json:"url,omitempty" doc:"only over sockets of this address"`
}

// sendWebSocket is webSocketRoute.send. It answers the number of sockets.
func sendWebSocket(c *tool.Call, in wsSendParams) (int, error) {
	s := talking.Of(c.Page)
	s.mu.Lock()
	open := append([]playwright.WebSocketRoute{}, s.open...)
	s.mu.Unlock()
	n := 0
	for _, ws := range open {
		if in.URL == "" || ws.URL() == in.URL {
			s.say(ws, in.Text)
			n++
		}
	}
	if n == 0 {
		return 0, provider.Errorf(provider.KindFailed, "the page has opened no mocked WebSocket").WithHint("call ws-mock before nav")
	}
	return n, nil
}

// listWebSocket lists the messages, oldest first.
func listWebSocket(c *tool.Call, _ tool.NoParams) ([]wsMessage, error) {
	s := talking.Of(c.Page)
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]wsMessage{}, s.messages...), nil
}
