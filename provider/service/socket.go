package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
	"pwpipe/provider/wire"
)

// socketQueue bounds the unanswered requests of one socket.
const socketQueue = 256

// websocket is GET /ws: JSON-RPC 2.0, one message each way, and events as notifications.
func (s *server) websocket(w http.ResponseWriter, r *http.Request) {
	if s.stopping() {
		writeError(w, errStopping())
		return
	}
	up := websocket.Upgrader{Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
		writeStatus(w, status, provider.Errorf(provider.KindInvalid, "websocket: %w", reason))
	}}
	ws, err := upgrade(w, r, up, s.Door.MaxBody)
	if err != nil {
		return
	}
	s.sockets.Add(1)
	defer s.sockets.Done()
	base, end := s.callContext(r)
	k := &socket{service: s, ws: ws, request: r, places: make(chan struct{}, socketQueue)}
	emit := func(event json.RawMessage) error { return k.write(wire.Notification(event)) }
	k.ctx = provider.WithEmitter(base, &provider.Emitter{Connection: base, Emit: emit, Key: k})
	defer k.calls.Wait()
	defer end()
	defer ws.Close()
	defer context.AfterFunc(base, func() { ws.leave("the service is stopping, or the key is good no more") })()
	go k.ping(base)
	k.read()
}

// socket is one client's connection.
type socket struct {
	service *server
	ws      *peer
	request *http.Request
	ctx     context.Context
	calls   sync.WaitGroup
	places  chan struct{}
	running sync.Map // by id: context.CancelFunc
}

// read takes messages until the connection ends: requests in the order in which they came,
// to run in parallel.
func (k *socket) read() {
	for {
		text, err := k.ws.next()
		if err != nil {
			return
		}
		k.service.metrics.bytes(int64(len(text)), 0)
		text = bytes.TrimSpace(text)
		m := &provider.Message{RPC: true}
		single := rawjson.Check(text) == nil && text[0] != '['
		if single {
			m = k.service.parseRPC(text)
		}
		switch {
		case !k.rate().take(k.request, 1):
			k.reply(m, nil, provider.Errorf(provider.KindLimit, "more than %d requests in a minute", k.rate().limit).
				WithHint("wait before the next"))
		case single:
			k.take(m)
		default: // a batch, or no JSON
			k.start(func() {
				ctx, written := provider.Answering(k.ctx)
				defer written()
				if line, _ := k.service.rpcText(ctx, k.request, text); line != nil {
					_ = k.write(line)
				}
			})
		}
	}
}

func (k *socket) rate() limiter { return k.service.rate.limiterOf(k.request, k.service.Door.Keys) }

// take begins one request.
func (k *socket) take(m *provider.Message) {
	if id, ok := m.Cancels(); ok {
		k.reply(m, rawjson.Encode(k.cancel(string(id))), nil)
		return
	}
	if m.Err != nil {
		k.reply(m, nil, m.Err)
		return
	}
	ctx, cancel := context.WithCancel(k.ctx)
	t, err := k.service.place(ctx, m, sessionOf(k.request))
	if err != nil {
		cancel()
		k.reply(m, nil, err)
		return
	}
	ended := k.note(m, cancel)
	k.start(func() {
		ctx, written := provider.Answering(ctx)
		defer written()
		result, err := k.service.run(ctx, t, m.Request)
		ended()
		k.reply(m, result.JSON, err)
	})
}

// note stores how to cancel a request, until the request has ended.
func (k *socket) note(m *provider.Message, cancel context.CancelFunc) (ended func()) {
	if m.Notify {
		return cancel
	}
	id := string(m.ID)
	k.running.Store(id, cancel)
	return func() {
		cancel()
		k.running.Delete(id)
	}
}

// start runs fn in parallel. It blocks while too many run, so the socket reads no
// further.
func (k *socket) start(fn func()) {
	k.places <- struct{}{}
	k.calls.Add(1)
	go func() {
		defer func() { <-k.places; k.calls.Done() }()
		fn()
	}()
}

func (k *socket) reply(m *provider.Message, result json.RawMessage, err error) {
	if line := wire.ReplyTo(m, result, err).Line; line != nil {
		_ = k.write(line)
	}
}

// cancel cancels a running request; its answer is an error.
func (k *socket) cancel(id string) bool {
	cancel, ok := k.running.Load(id)
	if ok {
		cancel.(context.CancelFunc)()
	}
	return ok
}

func (k *socket) write(text []byte) error {
	k.service.metrics.bytes(0, int64(len(text)))
	return k.ws.send(text, nil)
}

// ping finds peers that vanished.
func (k *socket) ping(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		err := k.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(10*time.Second))
		var netErr net.Error
		if err != nil && !(errors.As(err, &netErr) && netErr.Timeout()) {
			return
		}
	}
}
