package service

import (
	"context"
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// Bounds of viewers.
const (
	maxViewers = 32       // at most half of them without the operator's key
	maxMessage = 64 << 10 // longest message from a viewer, in bytes: a pasted text
	askEvery   = time.Second
)

// socket is GET /watch/socket: everything that the page shows and everything that a
// person does goes over it.
func (p *Page) socket(w http.ResponseWriter, r *http.Request) {
	right, ok := p.lets(r)
	switch {
	case !ok:
		writeStatus(w, http.StatusUnauthorized, provider.Errorf(provider.KindBlocked, "not logged in"))
		return
	case r.Header.Get("Origin") == "": // the door has compared one that there is; programs have /ws
		writeStatus(w, http.StatusForbidden, provider.Errorf(provider.KindBlocked, "only the page at / may use this").
			WithHint("programs use GET /ws"))
		return
	case p.base.Err() != nil:
		writeError(w, errStopping())
		return
	}
	defer p.looking.Add(-1)
	limit := int32(maxViewers)
	if !right.all { // clients must not keep the operator out
		limit /= 2
	}
	if p.looking.Add(1) > limit {
		writeError(w, provider.Errorf(provider.KindLimit, "%d people are watching already", limit))
		return
	}
	ws, err := upgrade(w, r, websocket.Upgrader{WriteBufferSize: 32 << 10}, maxMessage)
	if err != nil {
		return
	}
	p.sockets.Add(1)
	defer p.sockets.Done()
	p.serve(ws, r, right)
}

// serve shows the page until the viewer leaves or logs out, or the service ends.
func (p *Page) serve(ws *peer, r *http.Request, right ticket) {
	defer ws.Close()
	ctx, end := context.WithCancel(p.base)
	defer end()
	defer context.AfterFunc(ctx, func() { ws.leave("") })()
	// Without keys a viewer who has logged out is still admitted, but may have other
	// rights than before.
	in := func() bool { now, in := p.lets(r); return in && now.all == right.all && now.team == right.team }
	go func() {
		ping, ask := time.NewTicker(pingEvery), time.NewTicker(askEvery)
		defer ping.Stop()
		defer ask.Stop()
		for {
			select {
			case <-ping.C:
				if ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(10*time.Second)) != nil {
					end()
				}
			case <-ask.C:
				if !in() {
					end()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	p.Watch(ctx, &viewer{ws: ws, right: right, in: in})
}

// viewer is one connection: [provider.Viewer].
type viewer struct {
	ws    *peer
	right ticket
	in    func() bool // still logged in
}

// Heard reads the viewer's messages. Logging out, even in another tab, ends them.
func (v *viewer) Heard() ([]byte, error) {
	text, err := v.ws.next()
	if err == nil && !v.in() {
		err = websocket.ErrCloseSent
	}
	return text, err
}

// Show writes a message, directly followed by its bytes.
func (v *viewer) Show(message any, bytes []byte) error {
	text, err := rawjson.TryEncode(message)
	if err != nil {
		return err
	}
	return v.ws.send(text, bytes)
}

func (v *viewer) All() bool { return v.right.all }

func (v *viewer) Team() string { return v.right.team }
