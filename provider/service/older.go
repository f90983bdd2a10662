package service

import (
	"crypto/rand"
	"mime"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
)

// olderMCP serves MCP's older transport: the answers come on an event stream, and the client
// posts its messages. The SDK's own handler keeps any number of streams, also of clients that
// never begin.
type olderMCP struct {
	server  *mcp.Server
	maxBody int64

	mu   sync.Mutex
	open map[string]*olderStream
}

// olderStream is one client of the older transport.
type olderStream struct {
	transport *mcp.SSEServerTransport
	session   *mcp.ServerSession
}

// Streams without a session: how many there may be, and for how long.
const (
	maxUnbegun = 32
	beginTime  = 30 * time.Second
)

// begun reports whether the client has begun its session.
func (c *olderStream) begun() bool { return c.session != nil && c.session.InitializeParams() != nil }

// stream is the event stream of a client.
func (o *olderMCP) stream(w http.ResponseWriter, r *http.Request) {
	id := rand.Text()
	c := &olderStream{transport: &mcp.SSEServerTransport{
		Endpoint: r.URL.Path + "?sessionid=" + id, Response: w, MaxRequestBodyBytes: o.maxBody}}
	if !o.add(id, c) {
		writeError(w, provider.Errorf(provider.KindLimit,
			"%d event streams wait for their clients to begin", maxUnbegun).
			WithHint("send initialize on one, or close it"))
		return
	}
	defer o.remove(id)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	session, err := o.server.Connect(r.Context(), c.transport, nil)
	if err != nil {
		return
	}
	o.mu.Lock()
	c.session = session
	o.mu.Unlock()
	defer func() { _ = session.Close() }()
	ended := make(chan struct{})
	go func() { defer close(ended); _ = session.Wait() }()
	late := time.NewTimer(beginTime)
	defer late.Stop()
	for {
		select {
		case <-late.C:
			if !c.begun() {
				return
			}
		case <-ended:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// add keeps a stream, unless too many wait for their clients.
func (o *olderMCP) add(id string, c *olderStream) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	waiting := 0
	for _, other := range o.open {
		if !other.begun() {
			waiting++
		}
	}
	if waiting >= maxUnbegun {
		return false
	}
	o.open[id] = c
	return true
}

func (o *olderMCP) remove(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.open, id)
}

// message is what a client posts.
func (o *olderMCP) message(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be 'application/json'", http.StatusUnsupportedMediaType)
		return
	}
	o.mu.Lock()
	c := o.open[r.URL.Query().Get("sessionid")]
	o.mu.Unlock()
	if c == nil {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	c.transport.ServeHTTP(w, r)
}
