package handlers

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// targets are the pages that a Chromium has, by its own word. Playwright tells
// of a pop-up once something of it has come, which is never where its server
// does not answer; and what is closed at once should cost nothing before.
type targets struct {
	joining sync.Mutex // held while cdp changes

	mu    sync.Mutex
	cdp   playwright.CDPSession // what tells and closes: the browser's own, or a page's where there is none
	round int                   // how often the browser was asked for all it has
	last  int
	pages map[string]*listed    // by Chromium's id
	of    map[string]*pageOwner // whose pages are counted, by Chromium's id of a context
	by    map[string]any        // those that have handles
}

// listed is a page of Chromium's.
type listed struct {
	id, context, opener string
	number              int // in the order in which they came
	came                time.Time
	round               int   // in which it was last told of
	room                *room // that it is counted in, nil for none
	refused             bool
}

// pageOwner is whose pages are counted.
type pageOwner struct {
	room *room
	// surplus is told that a page which opener (nil: it is not known which)
	// opened was one too many. It must not wait for the browser.
	surplus func(opener any)
}

func newTargets() *targets {
	return &targets{pages: map[string]*listed{}, of: map[string]*pageOwner{}, by: map[string]any{}}
}

// listen has a DevTools session tell of all pages, those that are there first.
func (t *targets) listen(cdp playwright.CDPSession) error {
	t.mu.Lock()
	t.cdp = cdp
	t.round++
	t.mu.Unlock()
	cdp.On("Target.targetCreated", t.created)
	cdp.On("Target.targetDestroyed", t.destroyed)
	_, err := cdp.Send("Target.setDiscoverTargets", map[string]any{"discover": true,
		"filter": []any{map[string]any{"type": "page"}, map[string]any{"exclude": true}}})
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, p := range t.pages { // those that went while nobody listened
		if p.round != t.round {
			t.remove(id)
		}
	}
	return err
}

// join listens through a page, where the browser itself can't be asked; open
// opens its DevTools session. next is called when the page is gone, to join
// another.
func (t *targets) join(open func() (playwright.CDPSession, error), gone <-chan struct{}, next func()) {
	t.joining.Lock()
	defer t.joining.Unlock()
	t.mu.Lock()
	there := t.cdp != nil
	t.mu.Unlock()
	if there {
		return
	}
	cdp, err := open()
	if err != nil || t.listen(cdp) != nil {
		t.leave()
		return
	}
	go func() {
		<-gone
		t.leave()
		next()
	}()
}

// leave ends the listening.
func (t *targets) leave() {
	t.mu.Lock()
	t.cdp = nil
	t.mu.Unlock()
}

// errDeaf: there is no DevTools session that tells of the pages now.
var errDeaf = errors.New("the browser does not tell of its pages now")

// send sends a command to the browser.
func (t *targets) send(method string, p *listed) error {
	t.mu.Lock()
	cdp := t.cdp
	t.mu.Unlock()
	if cdp == nil {
		return errDeaf
	}
	_, err := cdp.Send(method, map[string]any{"targetId": p.id})
	return err
}

// created takes a new page. It is an event callback, as destroyed is, and must
// not wait for the browser.
func (t *targets) created(event map[string]any) {
	info, _ := event["targetInfo"].(map[string]any)
	p := &listed{}
	p.id, _ = info["targetId"].(string)
	p.context, _ = info["browserContextId"].(string)
	p.opener, _ = info["openerId"].(string)
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.pages[p.id]; known != nil {
		known.round = t.round
		return
	}
	if p.id == "" || info["type"] != "page" {
		return
	}
	p.round = t.round
	t.last++
	p.number, p.came = t.last, time.Now()
	t.pages[p.id] = p
	t.admit(p)
}

// admit counts a page, or has it closed where there is no room for it. The lock
// is held.
func (t *targets) admit(p *listed) {
	s := t.of[p.context]
	if s == nil || p.room != nil || p.refused {
		return
	}
	if s.room.enter(p) || t.makeRoom(s.room) && s.room.enter(p) {
		p.room = s.room
		return
	}
	p.refused = true
	s.surplus(t.by[p.opener])
	go t.close(p)
}

// settleTime is what the renderer of a page that has just come needs to be past
// its very first step.
const settleTime = 100 * time.Millisecond

// close closes a page. Playwright has new pages wait for it, and one that is
// closed meanwhile leaves its opener, which waits with it, hanging for ever. So
// Playwright is first given the time to let it go on: what it sends then goes
// before what is sent after a reply.
func (t *targets) close(p *listed) {
	for range 3 {
		if t.send("Target.getTargetInfo", p) != nil {
			return
		}
	}
	time.Sleep(settleTime)
	_ = t.send("Target.closeTarget", p)
}

// silence is how long a pop-up may keep its place although nothing of it has
// come.
const silence = 5 * time.Second

// makeRoom closes the pop-up that has been silent longest: nobody has seen it.
// The lock is held.
func (t *targets) makeRoom(r *room) bool {
	var oldest *listed
	for id, p := range t.pages {
		if p.room == r && t.by[id] == nil && time.Since(p.came) > silence && (oldest == nil || p.number < oldest.number) {
			oldest = p
		}
	}
	if oldest == nil {
		return false
	}
	oldest.room, oldest.refused = nil, true
	r.leave(oldest)
	go t.close(oldest)
	return true
}

// unseen counts the pages of which nothing has come yet.
func (t *targets) unseen(r *room) (n int) {
	for id, p := range t.pages {
		if p.room == r && t.by[id] == nil {
			n++
		}
	}
	return n
}

func (t *targets) destroyed(event map[string]any) {
	id, _ := event["targetId"].(string)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(id)
}

// remove forgets a page. The lock is held.
func (t *targets) remove(id string) {
	if p := t.pages[id]; p != nil && p.room != nil {
		p.room.leave(p)
	}
	delete(t.pages, id)
	delete(t.by, id)
}

// drop forgets the pages of a browser that is gone.
func (t *targets) drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.pages {
		t.remove(id)
	}
	clear(t.of)
}

// know learns which of Chromium's pages p is, and with that whose its context
// is (nil: nobody's): its pages count from now on, those too that came before.
// It reports whether p may stay.
func (t *targets) know(p any, id, context string, owner *pageOwner) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.pages[id]
	if own == nil { // gone already
		return true
	}
	t.by[id] = p
	if owner != nil && t.of[context] == nil {
		t.of[context] = owner
		var list []*listed
		for _, other := range t.pages {
			if other.context == context {
				list = append(list, other)
			}
		}
		slices.SortFunc(list, func(a, b *listed) int { return a.number - b.number })
		for _, other := range list {
			t.admit(other)
		}
	}
	return !own.refused
}

// forget ends the counting of a context's pages.
func (t *targets) forget(context string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, context)
}

// fullFor is the error of one more page in a room for which there is none, nil
// if there is.
func (t *targets) fullFor(r *room) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.makeRoom(r) {
		return nil
	}
	err := r.overLimit("")
	if n := t.unseen(r); n > 0 {
		err.Hint = fmt.Sprintf("%d of them are pop-ups of which nothing has come yet; %s", n, err.Hint)
	}
	return err
}
