package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/sourcegraph/jsonrpc2"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// socketQueue bounds the unanswered requests of one socket.
const socketQueue = 256

// websocket is GET /ws: JSON-RPC 2.0 with jsonrpc2's Conn, one message each way, and
// events as notifications.
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
	caller := provider.WithCaller(provider.WithClient(s.base, remoteIP(r)), callerOf(r))
	caller = s.Table.Incoming(caller, r.Header.Get)
	base, end := context.WithCancel(provider.SameRequest(caller, r.Context()))
	defer end()
	k := &socket{service: s, ws: ws, request: r, running: map[string]context.CancelFunc{}, places: make(chan struct{}, socketQueue)}
	k.ctx = provider.WithEmitter(base, &provider.Emitter{Connection: base, Emit: k.emit, Key: k})
	conn := jsonrpc2.NewConn(base, k, k, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	go k.ping(base)
	select {
	case <-conn.DisconnectNotify():
	case <-base.Done():
		ws.leave("the service is stopping")
		_ = conn.Close()
	}
	end()
	k.calls.Wait()
}

// socket is one client's connection: jsonrpc2's stream and handler. The stream itself
// answers messages that the library can't represent: batches, ids that are no whole
// numbers, text that is not JSON.
type socket struct {
	service *server
	ws      *peer
	request *http.Request
	ctx     context.Context
	calls   sync.WaitGroup
	places  chan struct{}

	mu      sync.Mutex
	running map[string]context.CancelFunc // by id
}

// ReadObject reads the next request for the Conn: [jsonrpc2.ObjectStream].
func (k *socket) ReadObject(v any) error {
	for {
		text, err := k.ws.next()
		if err != nil {
			return err
		}
		k.service.metrics.bytes(int64(len(text)), 0)
		if !k.service.rate.take(k.request, 1) {
			if err := k.refuse(text); err != nil {
				return err
			}
			continue
		}
		text = bytes.TrimSpace(text)
		if rawjson.Check(text) == nil && conventional(text) && json.Unmarshal(text, v) == nil {
			return nil
		}
		k.answer(text)
	}
}

// Handle takes requests in the order in which they came, and runs them in parallel:
// [jsonrpc2.Handler].
func (k *socket) Handle(_ context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	text, err := json.Marshal(req)
	if err != nil {
		return
	}
	m := k.service.parseRPC(text)
	if m.Notify = req.Notif; !m.Notify {
		m.ID = rawjson.Encode(req.ID)
	}
	if id, ok := m.Cancels(); ok {
		found := k.cancel(string(id))
		if !m.Notify {
			_ = conn.Reply(k.ctx, req.ID, found)
		}
		return
	}
	if m.Err != nil {
		k.reply(conn, req, provider.Result{}, m.Err)
		return
	}
	ctx, cancel := context.WithCancel(k.ctx)
	t, err := k.service.place(ctx, m, sessionOf(k.request))
	if err != nil {
		cancel()
		k.reply(conn, req, provider.Result{}, err)
		return
	}
	ended := k.note(m, cancel)
	k.start(func() {
		result, err := k.service.run(ctx, t, m.Request)
		ended()
		k.reply(conn, req, result, err)
	})
}

// note stores how to cancel a request, until the request has ended.
func (k *socket) note(m *provider.Message, cancel context.CancelFunc) (ended func()) {
	if m.Notify {
		return cancel
	}
	id := string(m.ID)
	k.mu.Lock()
	k.running[id] = cancel
	k.mu.Unlock()
	return func() {
		cancel()
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.running, id)
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

func (k *socket) reply(conn *jsonrpc2.Conn, req *jsonrpc2.Request, result provider.Result, err error) {
	if req.Notif {
		return
	}
	if err == nil {
		raw := result.JSON
		_ = conn.SendResponse(k.ctx, &jsonrpc2.Response{ID: req.ID, Result: &raw})
		return
	}
	e := provider.AsError(err).RPC()
	wire := &jsonrpc2.Error{Code: int64(e.Code), Message: e.Message}
	if e.Data != nil {
		wire.Data = &e.Data
	}
	_ = conn.ReplyWithError(k.ctx, req.ID, wire)
}

// cancel cancels a running request; its answer is an error.
func (k *socket) cancel(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	cancel := k.running[id]
	if cancel == nil {
		return false
	}
	cancel()
	return true
}

// emit sends an event as a notification.
func (k *socket) emit(event json.RawMessage) error { return k.write(provider.Notification(event)) }

// WriteObject writes the answer of the Conn: [jsonrpc2.ObjectStream].
func (k *socket) WriteObject(v any) error {
	text, err := rawjson.TryEncode(v)
	if err != nil {
		return err
	}
	return k.write(text)
}

func (k *socket) write(text []byte) error {
	k.service.metrics.bytes(0, int64(len(text)))
	return k.ws.send(text, nil)
}

// Close closes the socket: [jsonrpc2.ObjectStream].
func (k *socket) Close() error { return k.ws.Close() }

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
