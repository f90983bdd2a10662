package cdpview

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"
)

// Choosers give each file chooser of a session's pages to one listener: the browser reports
// it to all, and each would answer. Scripts come first, then other clients, the newest
// listener before older ones, and then a tool that waits. Some clients go on listening when
// they want no more: a client that does not ask for the element does not get the chooser.
type Choosers struct {
	mu        sync.Mutex
	listeners []*listener
	last      map[string]*chooser // by page
	tools     map[string]int      // by page, how many tools wait for a chooser
}

// listener is a session in which a client intercepts choosers.
type listener struct {
	*session
	confirmed bool // the browser has answered that it intercepts
	declined  bool // the client did not want the last chooser
}

type chooser struct {
	of      string // target
	node    int64
	events  map[*session]json.RawMessage // the browser's events, by listener; nil for one that gets none
	offered map[*browser]bool            // clients that have had their turn
	owner   *listener                    // whose turn it is; nil for no client
	settled context.Context              // ends once the owner is final
	settle  context.CancelFunc
}

const (
	takeTime = 2 * time.Second // for a client to ask for the element of a chooser
	tellTime = 2 * time.Second // for a page to report a chooser to all listeners
	maxLast  = 1000            // pages whose last chooser is remembered
)

// intercepts is the rule of Page.setInterceptFileChooserDialog.
var intercepts = with("enabled", func(c *command, on bool) error {
	own := func(l *listener) bool { return l.session == c.session }
	if on {
		c.o.Choosers.listen(c.session, false)
	}
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		switch {
		case on && err == nil:
			c.o.Choosers.listen(c.session, true)
		case on:
			c.o.Choosers.forget(func(l *listener) bool { return own(l) && !l.confirmed })
		case err == nil:
			c.o.Choosers.forget(own)
		}
		return result
	}
	return nil
})

// pageOff is the rule of Page.disable: the session hears of no more choosers.
func pageOff(c *command) error {
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		if err == nil {
			c.o.Choosers.forget(func(l *listener) bool { return l.session == c.session })
		}
		return result
	}
	return nil
}

// node is the rule of commands that name elements: a client that asks for the element of a
// chooser takes the chooser.
func node(c *command) error {
	var one int64
	var some []int64
	if err := c.decode(map[string]any{"backendNodeId": &one, "backendNodeIds": &some}); err != nil {
		return err
	}
	c.o.Choosers.take(c.browser, c.session.page, append(some, one))
	return nil
}

// listen makes a session the newest listener.
func (c *Choosers) listen(s *session, confirmed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &listener{session: s}
	c.listeners = slices.DeleteFunc(c.listeners, func(old *listener) bool {
		if old.session == s {
			l = old
		}
		return old.session == s
	})
	c.listeners, l.declined, l.confirmed = append(c.listeners, l), false, l.confirmed || confirmed
	if k := c.last[s.page]; k != nil && k.events[s] == nil && confirmed { // the chooser opened before
		k.events[s] = nil
	}
}

func (c *Choosers) forget(which func(*listener) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = slices.DeleteFunc(c.listeners, which)
}

func (c *Choosers) forgetClient(b *browser) {
	c.forget(func(l *listener) bool { return l.client == b })
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.last, func(_ string, k *chooser) bool { return k.settled.Err() != nil && k.reached(b) })
}

// reached reports whether the browser reported the chooser to a client.
func (k *chooser) reached(b *browser) bool {
	for s := range k.events {
		if s.client == b {
			return true
		}
	}
	return false
}

// opened notes the event of a session. It reports whether the chooser is the client's now;
// it may be later.
func (c *Choosers) opened(s *session, params json.RawMessage) bool {
	var e struct {
		Node int64 `json:"backendNodeId"`
	}
	if json.Unmarshal(params, &e) != nil || e.Node == 0 { // without an element there is nothing to answer
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.last[s.page]
	known := false
	if k != nil {
		_, known = k.events[s]
	}
	if k == nil || known || k.of != s.of || k.node != e.Node {
		k = &chooser{of: s.of, node: e.Node, events: map[*session]json.RawMessage{}, offered: map[*browser]bool{}}
		k.settled, k.settle = context.WithCancel(context.Background())
		if len(c.last) >= maxLast || c.last == nil {
			c.last = map[string]*chooser{}
		}
		c.last[s.page] = k
		c.offer(k, s.page)
	}
	k.events[s] = params
	return k.owner != nil && k.owner.session == s
}

// offer gives a chooser to the next client, which has takeTime to take it. The lock is
// held.
func (c *Choosers) offer(k *chooser, page string) {
	k.owner = nil
	for _, l := range c.listeners {
		waits := l.of == k.of && l.confirmed && !l.declined && !k.offered[l.client]
		if waits && (k.owner == nil || l.client.o.First || !k.owner.client.o.First) {
			k.owner = l
		}
	}
	if k.owner == nil && c.tools[page] == 0 { // nobody else wants it
		for _, l := range c.listeners {
			if _, has := k.events[l.session]; l.of == k.of && l.confirmed && !has && !k.offered[l.client] {
				k.owner = l
			}
		}
	}
	if k.owner == nil {
		k.settle()
		return
	}
	l := k.owner
	k.offered[l.client] = true
	if params := k.events[l.session]; params != nil {
		l.client.say(message{Method: "Page.fileChooserOpened", Params: params, Session: l.id})
	}
	time.AfterFunc(takeTime, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if k.owner == l && k.settled.Err() == nil {
			l.declined = true
			c.offer(k, page)
		}
	})
}

// take notes that a client asked for elements of a page.
func (c *Choosers) take(b *browser, page string, nodes []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.last[page]; k != nil && k.owner != nil && k.owner.client == b && slices.Contains(nodes, k.node) {
		k.owner.declined = false
		k.settle()
	}
}

// Expect is for a tool that is about to open a chooser of a page. The tool calls taken when
// it has, which reports whether the chooser is a client's; then done.
func (c *Choosers) Expect(page string) (taken func(context.Context) bool, done func()) {
	taken = c.Since(page)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tools == nil {
		c.tools = map[string]int{}
	}
	c.tools[page]++
	return taken, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.tools[page]--; c.tools[page] == 0 {
			delete(c.tools, page)
		}
	}
}

// Since answers a function that reports whether a chooser that opened since is a client's.
func (c *Choosers) Since(page string) (taken func(context.Context) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.last[page]
	return func(ctx context.Context) bool { return c.taken(ctx, page, before) }
}

func (c *Choosers) taken(ctx context.Context, page string, before *chooser) bool {
	c.mu.Lock()
	k := c.last[page]
	own := slices.DeleteFunc(slices.Clone(c.listeners), func(l *listener) bool { return l.page != page })
	c.mu.Unlock()
	if k == before {
		ctx, cancel := context.WithTimeout(ctx, tellTime)
		defer cancel()
		for _, l := range own {
			_ = l.Call(ctx, "Runtime.getIsolateId", nil, nil) // it is answered after earlier events
		}
		c.mu.Lock()
		k = c.last[page]
		c.mu.Unlock()
	}
	if k == before || k == nil {
		return false
	}
	select {
	case <-k.settled.Done():
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.owner != nil
}
