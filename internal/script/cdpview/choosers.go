package cdpview

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"
)

// Choosers give each file chooser of a session's pages to one: the browser tells
// all who listen, and each of them would answer. A script has it before others, of
// those who began to listen last, and then a tool that waits for it. Some listen on
// when they want no more: who is told and does not ask for the element has none.
type Choosers struct {
	mu        sync.Mutex
	listeners []*listener
	last      map[string]*chooser // by page
	tools     map[string]int      // by page, how many wait for one
}

// listener is a session in which a client has choosers told.
type listener struct {
	*session
	sure bool // the browser has said that it does
	deaf bool // it did not want the last
}

// chooser is one that has opened.
type chooser struct {
	of    string // target
	node  int64
	told  map[*session]json.RawMessage // what the browser told each who listens, nil where it told nothing
	asked map[*browser]bool            // clients that it was offered to: each has one turn
	owner *listener                    // who was told in turn; nil for no client
	whose chan struct{}                // closed once it is known whose it is
}

const (
	takeTime = 2 * time.Second // how long who is told of a chooser has to ask for its element
	tellTime = 2 * time.Second // how long a page may take to have told all
	maxLast  = 1000            // pages whose last chooser is known
)

// intercepts notes who listens.
func intercepts(c *command) error {
	on, err := param[bool](c, "enabled")
	if err != nil {
		return err
	}
	own := func(l *listener) bool { return l.session == c.session }
	if on {
		c.o.Choosers.listens(c.session, false)
	}
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		switch {
		case on && err == nil:
			c.o.Choosers.listens(c.session, true)
		case on:
			c.o.Choosers.forget(func(l *listener) bool { return own(l) && !l.sure })
		case err == nil:
			c.o.Choosers.forget(own)
		}
		return result
	}
	return nil
}

// pageOff: a session whose Page is off is told of none.
func pageOff(c *command) error {
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		if err == nil {
			c.o.Choosers.forget(func(l *listener) bool { return l.session == c.session })
		}
		return result
	}
	return nil
}

// node: who asks for the element of a chooser takes it.
func node(c *command) error {
	one, err := param[int64](c, "backendNodeId")
	if err != nil {
		return err
	}
	some, err := param[[]int64](c, "backendNodeIds")
	if err == nil {
		c.o.Choosers.take(c.browser, c.session.page, append(some, one))
	}
	return err
}

func (c *Choosers) listens(s *session, sure bool) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &listener{session: s}
	c.listeners = slices.DeleteFunc(c.listeners, func(old *listener) bool {
		if old.session == s {
			l = old
		}
		return old.session == s
	})
	c.listeners, l.deaf, l.sure = append(c.listeners, l), false, l.sure || sure
	if k := c.last[s.page]; k != nil && k.told[s] == nil && sure { // that was before it listened
		k.told[s] = nil
	}
}

func (c *Choosers) forget(which func(*listener) bool) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = slices.DeleteFunc(c.listeners, which)
}

// left forgets a client.
func (c *Choosers) left(b *browser) {
	if c == nil {
		return
	}
	c.forget(func(l *listener) bool { return l.client == b })
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.last, func(_ string, k *chooser) bool { return k.isKnown() && k.had(b) })
}

// had says whether a client was told of it.
func (k *chooser) had(b *browser) bool {
	for s := range k.told {
		if s.client == b {
			return true
		}
	}
	return false
}

// opened takes what a session was told. It says whether it is its client's now; it
// may be later.
func (c *Choosers) opened(s *session, params json.RawMessage) bool {
	var e struct {
		Node int64 `json:"backendNodeId"`
	}
	if c == nil || json.Unmarshal(params, &e) != nil || e.Node == 0 { // of none there is nothing to answer
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.last[s.page]
	known := false
	if k != nil {
		_, known = k.told[s]
	}
	if k == nil || known || k.of != s.of || k.node != e.Node {
		k = &chooser{of: s.of, node: e.Node, told: map[*session]json.RawMessage{}, asked: map[*browser]bool{}, whose: make(chan struct{})}
		if len(c.last) >= maxLast || c.last == nil {
			c.last = map[string]*chooser{}
		}
		c.last[s.page] = k
		c.offer(k, s.page)
	}
	k.told[s] = params
	return k.owner != nil && k.owner.session == s
}

// offer gives a chooser to the next, for as long as it may take to take it. The
// lock is held.
func (c *Choosers) offer(k *chooser, page string) {
	k.owner = nil
	for _, l := range c.listeners {
		if l.of == k.of && l.sure && !l.deaf && !k.asked[l.client] && (k.owner == nil || l.client.o.First || !k.owner.client.o.First) {
			k.owner = l
		}
	}
	if k.owner == nil && c.tools[page] == 0 { // nobody else wants it
		for _, l := range c.listeners {
			if _, told := k.told[l.session]; l.of == k.of && l.sure && !told && !k.asked[l.client] {
				k.owner = l
			}
		}
	}
	if k.owner == nil {
		k.known()
		return
	}
	l := k.owner
	k.asked[l.client] = true
	if told := k.told[l.session]; told != nil {
		l.client.say(message{Method: "Page.fileChooserOpened", Params: told, Session: l.id})
	}
	time.AfterFunc(takeTime, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if k.owner == l && !k.isKnown() {
			l.deaf = true
			c.offer(k, page)
		}
	})
}

func (k *chooser) known() {
	if !k.isKnown() {
		close(k.whose)
	}
}

func (k *chooser) isKnown() bool {
	select {
	case <-k.whose:
		return true
	default:
		return false
	}
}

// take notes that a client asked for elements of a page.
func (c *Choosers) take(b *browser, page string, nodes []int64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.last[page]; k != nil && k.owner != nil && k.owner.client == b && slices.Contains(nodes, k.node) {
		k.owner.deaf = false
		k.known()
	}
}

// Expect is for a tool that is about to open a chooser of a page. taken is called
// when it has, and says whether that is a client's; then done.
func (c *Choosers) Expect(page string) (taken func(context.Context) bool, done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tools == nil {
		c.tools = map[string]int{}
	}
	c.tools[page]++
	before := c.last[page]
	return func(ctx context.Context) bool { return c.taken(ctx, page, before) }, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.tools[page]--; c.tools[page] == 0 {
			delete(c.tools, page)
		}
	}
}

func (c *Choosers) taken(ctx context.Context, page string, before *chooser) bool {
	c.mu.Lock()
	k, told := c.last[page], []*listener{}
	for _, l := range c.listeners {
		if l.page == page {
			told = append(told, l)
		}
	}
	c.mu.Unlock()
	if k == before {
		ctx, cancel := context.WithTimeout(ctx, tellTime)
		defer cancel()
		for _, l := range told {
			_ = l.Call(ctx, "Runtime.getIsolateId", nil, nil) // it comes after what the renderer has said before
		}
		c.mu.Lock()
		k = c.last[page]
		c.mu.Unlock()
	}
	if k == before || k == nil {
		return false
	}
	select {
	case <-k.whose:
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.owner != nil
}
