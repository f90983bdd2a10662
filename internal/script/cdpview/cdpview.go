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
	hidden   map[string]bool         // targets that are where the client may not see them
	leaving  map[string]string       // those of them that are on their way there; and by which document they may be elsewhere
	there    map[string]string       // where pages of the browser are, where not all may be seen
	worlds   map[string]bool         // names of isolated worlds that the client has made, as they are in the browser
	foreign  map[string]bool         // frames that are on their way to what is not of the web
	barred   map[string]bool         // frames that are not to have the file that they are about to
	escorts  map[string]*cdp.Session // ours with pages of the client's, which tell where those go
	trusting bool                    // whether its pages take certificates that are not valid
	ownWorld string                  // what its isolated world is called, that it calls as the driver calls its own
	watch    *cdp.Session            // tells where targets are, nil where all may be seen

	queue     queue
	downloads downloads
	refusals  refusals
	made      set[string]   // browser contexts that the client made; closed when the client leaves
	windows   set[int64]    // windows of the client's targets
	streams   set[string]   // streams that the client opened
	parsed    set[[32]byte] // sums of texts that are known to be scripts
	tracing   atomic.Int64  // how many sessions the browser had had when its trace began
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

	held    set[string]  // requests that wait for the client
	fetches atomic.Int64 // how many sessions the browser had had when it began to hold requests
	lost    atomic.Bool  // its target is where the client may not see it: nothing passes any more

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
		hidden: map[string]bool{}, leaving: map[string]string{}, there: map[string]string{}, worlds: map[string]bool{}, foreign: map[string]bool{}, barred: map[string]bool{}, escorts: map[string]*cdp.Session{}}
	b.queue.budget, b.refusals.judge = o.Budget, o.Refused
	b.downloads = downloads{files: o.Downloads, made: b.made.contains, say: b.say}
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
	b.mu.Unlock()
	b.queue.close()
	files := b.downloads.close()
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
	return b.made.contains(context) || context != "" && (context == b.o.Context || b.o.Owns(context))
}
