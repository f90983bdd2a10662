// Package cdpview filters one browser's DevTools connection into a browser that
// holds one session only. The methods that a client may call are listed in
// table.txt. Clients are taken for hostile.
package cdpview

import (
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

// refuser is a client that can be told why it is let go.
type refuser interface{ Refuse(why error) }

// Codes of errors, as Chromium answers them.
const (
	codeRefused  = -32000
	codeNoParams = -32602
	codeNoMethod = -32601
	codeInvalid  = -32600
	codeSession  = -32001
)

// leaveTime is how long the browser may take to let a client's session go.
const leaveTime = 10 * time.Second

// browser is one client's.
type browser struct {
	o      Options
	client Client
	root   *cdp.Session
	out    *outbox

	devtools *cdp.Session // ours, of which the client knows nothing

	mu       sync.Mutex
	sessions map[string]*session     // the client's, by id; "" is the root
	targets  map[string]bool         // those that it has heard of, and are its own
	made     map[string]bool         // contexts that it made
	windows  map[int64]bool          // those of its targets
	streams  map[string]bool         // that it opened
	hears    map[heard]wish          // of downloads, and what it wants of them
	loads    map[string]loading      // downloads that are under way, by their ids
	files    string                  // its folder for them, "" as long as there is none
	hidden   map[string]bool         // targets that are where the client may not see them
	leaving  map[string]string       // those of them that are on their way there; and by which document they may be elsewhere
	there    map[string]string       // where pages of the browser are, where not all may be seen
	worlds   map[string]bool         // names of isolated worlds that the client has made, as they are in the browser
	foreign  map[string]bool         // frames that are on their way to what is not of the web
	barred   map[string]bool         // frames that are not to have the file that they are about to
	escorts  map[string]*cdp.Session // ours with pages of the client's, which tell where those go
	refused  map[string]string       // why requests were, by their ids
	tracing  int64                   // how many sessions the browser had had when its trace began
	trusting bool                    // whether its pages take certificates that are not valid
	ownWorld string                  // what its isolated world is called, that it calls as the driver calls its own
	watch    *cdp.Session            // tells where targets are, nil where all may be seen
	bounds
}

// session is one of the client's.
type session struct {
	*cdp.Session
	client  *browser
	id      string   // as the client knows it
	of      string   // its target
	page    string   // that this is, or belongs to
	context string   // the browser context where that is
	root    bool     // with the browser, not with a target
	tab     bool     // with a tab, which has its page for a child
	film    cdp.Film // while what it asks waits for frames

	attaches, discovers bool // what comes up, by itself

	held    map[string]bool // requests that it was told of, and has not let go
	fetches int64           // how many sessions the browser had had when it began to hold requests
	lost    atomic.Bool     // its target is where the client may not see it: nothing passes any more

	lent   bool // of a tab of somebody's browser, or a part of one
	realms realms
}

// Serve lets a client use a virtual browser, until it leaves, the browser goes,
// or ctx ends. devtools is a session with the browser. It returns an error only
// where the client could not be served at all.
func Serve(ctx context.Context, devtools *cdp.Session, client Client, o Options) error {
	root, err := devtools.Browser(ctx)
	if err != nil {
		_ = client.Close()
		return err
	}
	b := &browser{o: o, client: client, root: root, devtools: devtools, out: newOutbox(client, o.Budget), sessions: map[string]*session{}, targets: map[string]bool{},
		made: map[string]bool{}, windows: map[int64]bool{}, streams: map[string]bool{}, hidden: map[string]bool{}, leaving: map[string]string{}, there: map[string]string{}, worlds: map[string]bool{}, foreign: map[string]bool{}, barred: map[string]bool{}, escorts: map[string]*cdp.Session{}, hears: map[heard]wish{}, loads: map[string]loading{}}
	b.parsed = map[[32]byte]bool{} // by their sums, scripts that are some
	for _, name := range o.Worlds {
		b.worlds[name] = true
	}
	if err := b.watchTargets(ctx, devtools); err != nil {
		b.leave()
		return err
	}
	b.enter(&session{Session: root, client: b, root: true})
	ended := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-root.Gone():
		case <-b.out.failed:
			if c, can := client.(refuser); can && b.out.reason() != nil {
				c.Refuse(b.out.reason())
			}
		case <-ended:
		}
		_ = client.Close()
	}()
	for {
		m, err := client.Read()
		if err != nil {
			break
		}
		if !b.take(m) {
			break
		}
	}
	b.out.finish()
	close(ended)
	if c, can := client.(interface{ handled() }); can {
		c.handled() // the last long message
	}
	b.leave()
	return nil
}

// leave takes back what the client had: its sessions, and the contexts that it
// made.
func (b *browser) leave() {
	b.out.close()
	_ = b.client.Close()
	b.o.Choosers.left(b)
	b.mu.Lock()
	for _, s := range b.sessions {
		b.o.Budget.detached(s)
	}
	clear(b.sessions)
	made, never := b.made, b.waiting
	b.made, b.waiting = nil, nil
	b.mu.Unlock()
	for _, w := range never {
		b.o.Budget.release(w.q.held)
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	var gone sync.WaitGroup
	for id := range made {
		gone.Go(func() { // its place is free once it has gone, not before
			_ = b.root.Call(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": id}, nil)
			b.o.Closed(id)
		})
	}
	gone.Wait()
	b.mu.Lock()
	files := b.files
	b.mu.Unlock()
	if files != "" {
		_ = os.RemoveAll(files)
	}
	if b.watch != nil {
		_ = b.watch.Detach(ctx)
	}
	_ = b.root.Detach(ctx)
}

// enter notes a session and listens to it.
func (b *browser) enter(s *session) {
	s.lent = !s.root && !s.tab && b.o.Theirs.hides() && (s.context == b.o.Theirs.Home || s.context == "" || b.o.Theirs.Home == "")
	b.mu.Lock()
	b.sessions[s.id] = s
	b.o.Budget.attached(s)
	b.mu.Unlock()
	s.OnAll(func(method string, params json.RawMessage) { b.event(s, method, params) })
}

// owns says whether a context is the session's, or was made by this client.
func (b *browser) owns(context string) bool {
	b.mu.Lock()
	made := b.made[context]
	b.mu.Unlock()
	return made || context != "" && (context == b.o.Context || b.o.Owns(context))
}
