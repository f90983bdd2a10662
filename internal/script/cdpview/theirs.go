package cdpview

import (
	"context"
	"encoding/json"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// Theirs is what there is to know of a browser that somebody else uses as well,
// and has been using before.
type Theirs struct {
	// Home is the context that it has from the beginning, with that person's tabs
	// and cookies: it is named by no name. "" where that is not known.
	Home string
	// Shows says whether what is at a URL may be seen. It must not wait.
	Shows func(url string) bool
}

// watchTargets has a session of our own tell where targets are. A page that goes
// where it may not be seen is gone for the client, until it comes back.
func (b *browser) watchTargets(ctx context.Context, devtools *cdp.Session) (err error) {
	if b.o.Theirs == nil {
		return nil
	}
	if b.watch, err = devtools.Browser(ctx); err != nil {
		return err
	}
	b.watch.On("Target.targetCreated", b.moved)
	b.watch.On("Target.targetInfoChanged", b.moved)
	b.watch.On("Target.targetDestroyed", b.goneTarget)
	b.watch.On("Fetch.requestPaused", b.paused)
	if err := b.watch.Call(ctx, "Fetch.enable", watches, nil); err != nil {
		return err
	}
	if err := b.watch.Call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": []any{map[string]any{}}}, nil); err != nil {
		return err
	}
	return b.origins(ctx)
}

// shows says whether a target may be seen where it is.
func (b *browser) shows(info targetInfo) bool {
	if b.o.Theirs == nil {
		return true
	}
	b.mu.Lock()
	_, going := b.leaving[info.TargetID]
	inside := (b.hidden[info.Opener] || b.hidden[info.TargetID]) && (info.URL == "" || strings.HasPrefix(info.URL, "about:")) // of the origin of who opened it, or of where it was
	b.mu.Unlock()
	return !going && !inside && b.o.Theirs.Shows(info.URL)
}

// moved hears where a target is. It runs where the connection is read.
func (b *browser) moved(params json.RawMessage) {
	var e struct {
		Info targetInfo `json:"targetInfo"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	id := e.Info.TargetID
	if part[e.Info.Type] {
		b.partMoved(e.Info)
	}
	if e.Info.Type != "page" && e.Info.Type != "tab" {
		return
	}
	b.mu.Lock()
	b.there[id] = e.Info.URL
	for _, s := range b.sessions {
		if s.of == id && s.lent {
			b.retell(s)
		}
	}
	if !b.o.Theirs.Shows(e.Info.URL) {
		delete(b.leaving, id) // it is there
	}
	b.mu.Unlock()
	seen := b.shows(e.Info)
	b.mu.Lock()
	was := !b.hidden[id]
	if seen == was {
		b.mu.Unlock()
		return
	}
	if !seen {
		b.hidden[id] = true
		b.mu.Unlock()
		b.lose(id)
		return
	}
	delete(b.hidden, id)
	var hear, attach []*session
	for _, s := range b.sessions {
		if s.discovers {
			hear = append(hear, s)
		}
		if s.attaches && e.Info.Type == "page" {
			attach = append(attach, s)
		}
	}
	b.mu.Unlock()
	if !b.has(e.Info) {
		return
	}
	b.tell(hear, "Target.targetCreated", params)
	for _, s := range attach {
		s.Send("Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, nil)
	}
}

// lose has a target be gone for the client, which is not to have it any more.
func (b *browser) lose(id string) {
	var on, hear []*session
	b.mu.Lock()
	for _, s := range b.sessions {
		if s.of == id {
			on = append(on, s)
			s.lost.Store(true)
		}
		if s.discovers {
			hear = append(hear, s)
		}
	}
	known := b.targets[id]
	delete(b.targets, id)
	b.mu.Unlock()
	for _, s := range on {
		s.Drop() // the browser tells the client
	}
	if known {
		b.tell(hear, "Target.targetDestroyed", map[string]any{"targetId": id})
	}
}

// tell tells of a target on sessions where the client asked for that.
func (b *browser) tell(on []*session, method string, params any) {
	text := encoded(params)
	for _, s := range on {
		b.say(message{Method: method, Params: text, Session: s.id})
	}
}

// autoAttach: what is told then is judged.
func autoAttach(c *command) error {
	on, err := param[bool](c, "autoAttach")
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.session.attaches = on && c.session.root
	c.mu.Unlock()
	return flat(c)
}

// discover: likewise.
func discover(c *command) error {
	on, err := param[bool](c, "discover")
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.session.discovers = on
	c.mu.Unlock()
	return nil
}
