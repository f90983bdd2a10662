// Package cdpview filters one browser's DevTools connection into a browser that
// holds one session only. The methods that a client may call are listed in
// table.txt. Clients are taken for hostile.
package cdpview

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/internal/browser/cdp"
)

// Client is the connection of a client, a message each way.
type Client interface {
	Read() ([]byte, error)
	Write([]byte) error
	Close() error
}

// Codes of errors, as Chromium answers them.
const (
	codeRefused  = -32000
	codeNoParams = -32602
	codeNoMethod = -32601
	codeInvalid  = -32600
	codeSession  = -32001
)

// leaveTime is how long the browser may take to release what a client had.
const leaveTime = 10 * time.Second

// browser is what one client takes for its browser. Every message passes through it: those
// of the client through take, those of Chromium through event. What it knows is kept by
// owners, each with its own lock: targets, worlds, visibility, downloads, queue, refusals,
// and sets. None of them calls another with its lock held, except that worlds asks
// visibility where a page is. Any of them may use the outbox and the budget.
type browser struct {
	o        Options
	root     *cdp.Session
	devtools *cdp.Session // ours: the client does not know it
	out      *outbox

	targets    targets
	worlds     worlds
	visibility visibility
	downloads  downloads
	queue      queue
	refusals   refusals

	made    set[string]   // browser contexts that the client made; closed when the client leaves
	windows set[int64]    // windows of the client's targets
	streams set[string]   // streams that the client opened
	parsed  set[[32]byte] // sums of texts that are known to be scripts
	tracing atomic.Int64  // sessions that the browser ever had when its trace began
}

func newBrowser(root, devtools *cdp.Session, client Client, o Options) *browser {
	b := &browser{o: o, root: root, devtools: devtools, out: newOutbox(client, &o.Budget.unread)}
	b.targets = targets{budget: o.Budget, sessions: map[string]*session{}}
	b.visibility = newVisibility(o.Shared, b)
	b.worlds = worlds{driver: o.World, shared: o.Shared, url: b.visibility.url, say: b.say, names: map[string]bool{}}
	for _, name := range o.Worlds {
		b.worlds.names[name] = true
	}
	b.downloads = downloads{files: o.Downloads, made: b.made.contains, say: b.say,
		wishes: map[subscription]wish{}, loading: map[string]loading{}}
	b.queue.held, b.refusals.judge = &o.Budget.held, o.Refused
	return b
}

// Serve lets a client use a virtual browser, until it leaves, the browser goes,
// or ctx ends. devtools is a session with the browser. It returns an error only
// if the client could not be served at all.
func Serve(ctx context.Context, devtools *cdp.Session, client Client, o Options) error {
	root, err := devtools.Browser(ctx)
	if err != nil {
		_ = client.Close()
		return err
	}
	b := newBrowser(root, devtools, client, o)
	if err := b.visibility.start(ctx, devtools); err != nil {
		b.leave()
		return err
	}
	b.enter(&session{Session: root, client: b, root: true})
	go func() {
		select {
		case <-ctx.Done():
		case <-root.Gone():
		case <-b.out.ctx.Done():
		case <-b.out.ended:
		}
		if c, can := client.(*socket); can && b.out.reason() != nil {
			c.Refuse(b.out.reason())
		}
		_ = client.Close()
	}()
	for stays := b.joinPage(ctx); stays; {
		m, err := client.Read()
		stays = err == nil && b.take(m)
	}
	b.out.finish()
	if c, can := client.(*socket); can {
		c.handled() // the last long message
	}
	b.leave()
	return nil
}

// leave takes back what the client had: its sessions, and the contexts that it
// made.
func (b *browser) leave() {
	b.out.close()
	_ = b.out.client.Close()
	b.o.Choosers.forgetClient(b)
	b.targets.clear()
	b.queue.close()
	folder := b.downloads.close()
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	var gone sync.WaitGroup
	for _, id := range b.made.close() {
		gone.Go(func() { // its place is free once it has gone, not before
			_ = b.root.Call(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": id}, nil)
			b.o.Closed(id)
		})
	}
	gone.Wait()
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	if b.visibility.watch != nil {
		_ = b.visibility.watch.Detach(ctx)
	}
	_ = b.root.Detach(ctx)
	b.targets.clear() // sessions that came while the client left
}

func (b *browser) enter(s *session) {
	shared := b.o.Shared
	s.lent = !s.root && !s.tab && shared.hidesOwnPages() &&
		(s.context == shared.Home || s.context == "" || shared.Home == "")
	s.realms.list, s.realms.scripts = map[int64]*realm{}, map[string]bool{}
	trusts := b.targets.add(s)
	s.OnAll(func(method string, params json.RawMessage) { b.event(s, method, params) })
	if trusts {
		s.trusts(true)
	}
}

// owns reports whether a context is the session's, or was made by this client.
func (b *browser) owns(context string) bool {
	return b.made.contains(context) || context != "" && (context == b.o.Context || b.o.Owns(context))
}

// hearsOf notes a target that is the client's and may be seen.
func (b *browser) hearsOf(info Target) bool { return b.visibility.shows(info) && b.has(info) }

// has notes a target that is the client's, wherever it is.
func (b *browser) has(info Target) bool {
	if ofWindow(info) || !b.owns(info.Context) {
		return false
	}
	b.targets.known.add(info.TargetID)
	return true
}

func (b *browser) lose(id string) {
	with, known := b.targets.lose(id)
	for _, s := range with {
		s.Drop() // the browser tells the client
	}
	if known {
		b.tellDiscovering("Target.targetDestroyed", map[string]any{"targetId": id})
	}
}

func (b *browser) relocated(target string) {
	for _, s := range b.targets.where(func(s *session) bool { return s.lent && s.of == target }) {
		b.worlds.reviewRealms(s)
	}
}

func (b *browser) appears(info Target, params json.RawMessage) {
	if !b.has(info) {
		return
	}
	b.tellDiscovering("Target.targetCreated", params)
	if info.Type != "page" {
		return
	}
	for _, s := range b.targets.where(func(s *session) bool { return s.attaches.Load() }) {
		s.Send("Target.attachToTarget", map[string]any{"targetId": info.TargetID, "flatten": true}, nil)
	}
}

// tellDiscovering sends an event about a target to the sessions that asked for them.
func (b *browser) tellDiscovering(method string, params any) {
	text := encoded(params)
	for _, s := range b.targets.where(func(s *session) bool { return s.discovers.Load() }) {
		b.say(message{Method: method, Params: text, Session: s.id})
	}
}

// attached takes a session that the browser has opened for the client. A session with
// somebody else's target, which comes with Target.setAutoAttach, ends at once: the target
// goes on as if nobody had come. The parts of a page that is seen, its frames and workers,
// are seen wherever in the web they are from.
func (b *browser) attached(s *session, id string, info Target) bool {
	child := s.Adopt(id)
	whole := info.Type == "browser" // the client asked for it
	of := info.TargetID
	if whole {
		of = ""
	}
	if (whole || b.mayAttach(s, info)) && !s.lost.Load() && b.targets.full(of) == nil {
		page := s.page
		if page == "" || info.Type == "page" {
			page = info.TargetID
		}
		b.enter(&session{Session: child, client: b, id: id, of: of, page: page,
			context: cmp.Or(info.Context, s.context), root: whole, tab: info.Type == "tab"})
		if info.Type == "page" {
			b.visibility.follow(info.TargetID)
			b.o.Attached(info.TargetID, child)
		}
		return true
	}
	child.Send("Runtime.runIfWaitingForDebugger", nil, nil)
	s.Send("Target.detachFromTarget", map[string]any{"sessionId": id}, nil)
	if s.tab && ofWindow(info) { // the client heard of the tab before it said where it is
		b.lose(s.of)
	}
	return false
}

// mayAttach reports whether the client may have a session with a target, which belongs to
// the target of s.
func (b *browser) mayAttach(s *session, info Target) bool {
	if part[info.Type] && !b.visibility.showsPart(info) {
		return false
	}
	return b.hearsOf(info) || !s.root && (info.Context == "" && offered[info.Type] || part[info.Type] && b.has(info))
}

// detached forgets a session that has ended. It reports whether it was the client's.
func (b *browser) detached(id string) bool {
	gone := b.targets.remove(id)
	if gone == nil {
		return false
	}
	b.downloads.detached(gone)
	b.o.Choosers.forget(func(l *listener) bool { return l.session == gone })
	return id != ""
}
