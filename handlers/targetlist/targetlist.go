// Package targetlist tracks pages from Target events, and closes pages beyond the
// limit.
package targetlist

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/quota"
)

// List tracks the pages of a Chromium from Target events. Playwright reports a pop-up
// only once it has loaded something, which never happens if its server does not answer;
// and a page that is closed at once should cost nothing before.
type List struct {
	changed func(page any)
	joining sync.Mutex // held while another session starts to report

	mu      sync.Mutex
	tellers []teller // the browser itself, or pages if the browser can't report
	round   int      // number of complete lists that the browser was asked for
	last    int
	pages   map[string]*listed // by Chromium's id
	of      map[string]*Owner  // the owner of the pages, by Chromium's id of a context
	by      map[string]any     // pages with handles
}

// teller is a DevTools session that reports all pages, and closes the surplus.
type teller struct {
	who any // a page, nil for the browser
	cdp playwright.CDPSession
}

// maxTellers is the number of pages that report: when one is closed, nothing must be
// missed until another takes its place.
const maxTellers = 2

// listed is a page of Chromium.
type listed struct {
	id, context, opener string
	number              int // in the order in which they came
	came                time.Time
	round               int          // the order of its last report
	room                *quota.Pages // the room that counts it, nil for none
	refused             bool
}

// Owner is the owner of counted pages.
type Owner struct {
	Room *quota.Pages
	// Surplus reports that a page exceeded the limit, with its opener (nil: unknown).
	// It must not wait for the browser.
	Surplus func(opener any)
}

// New makes an empty list. changed gets the page about which the browser has reported
// something new, such as another document. It must not wait for the browser.
func New(changed func(page any)) *List {
	return &List{changed: changed, pages: map[string]*listed{}, of: map[string]*Owner{}, by: map[string]any{}}
}

// Listen makes a DevTools session report all pages, existing ones first: the browser's
// (who is nil) or a page's.
func (t *List) Listen(who any, cdp playwright.CDPSession) error {
	t.mu.Lock()
	t.tellers = append(t.tellers, teller{who, cdp})
	t.round++
	t.mu.Unlock()
	cdp.On("Target.targetCreated", t.created)
	cdp.On("Target.targetInfoChanged", t.infoChanged)
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

// Join listens through a page, if the browser itself can't report and too few pages do.
// open opens its DevTools session. next is called when the page is gone, to join
// another.
func (t *List) Join(page any, open func() (playwright.CDPSession, error), gone <-chan struct{}, next func()) {
	t.joining.Lock()
	defer t.joining.Unlock()
	t.mu.Lock()
	enough := len(t.tellers) >= maxTellers || slices.ContainsFunc(t.tellers, func(o teller) bool { return o.who == page })
	t.mu.Unlock()
	if enough {
		return
	}
	cdp, err := open()
	if err != nil || t.Listen(page, cdp) != nil {
		t.leave(page)
		return
	}
	go func() {
		<-gone
		t.leave(page)
		next()
	}()
}

// leave stops listening through a page.
func (t *List) leave(page any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tellers = slices.DeleteFunc(t.tellers, func(o teller) bool { return o.who == page })
}

// errDeaf: no DevTools session reports the pages now.
var errDeaf = errors.New("the browser does not report its pages now")

func (t *List) send(method string, p *listed) error {
	t.mu.Lock()
	list := slices.Clone(t.tellers)
	t.mu.Unlock()
	err := errDeaf
	for _, o := range list {
		if _, err = o.cdp.Send(method, map[string]any{"targetId": p.id}); err == nil {
			return nil
		}
	}
	return err
}

// created adds a new page. It is an event callback, as destroyed is, and must not wait
// for the browser.
func (t *List) created(event map[string]any) {
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

// admit counts a page, or closes it if there is no room for it. The lock is held.
func (t *List) admit(p *listed) {
	s := t.of[p.context]
	if s == nil || p.room != nil || p.refused {
		return
	}
	if s.Room.Enter(p) || t.makeRoom(s.Room) && s.Room.Enter(p) {
		p.room = s.Room
		return
	}
	p.refused = true
	s.Surplus(t.by[p.opener])
	go t.close(p)
}

func (t *List) infoChanged(event map[string]any) {
	info, _ := event["targetInfo"].(map[string]any)
	id, _ := info["targetId"].(string)
	t.mu.Lock()
	p := t.by[id]
	t.mu.Unlock()
	if p != nil {
		t.changed(p)
	}
}

func (t *List) destroyed(event map[string]any) {
	id, _ := event["targetId"].(string)
	t.Closed(id)
}

// Closed frees the place of a page that Playwright says is closed: the browser itself says so later.
func (t *List) Closed(id string) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.remove(id)
	}
}

// remove forgets a page. The lock is held.
func (t *List) remove(id string) {
	if p := t.pages[id]; p != nil && p.room != nil {
		p.room.Leave(p)
	}
	delete(t.pages, id)
	delete(t.by, id)
}

// Page is the page with a handle that has an id of Chromium's, nil if there is none.
func (t *List) Page(id string) any {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.by[id]
}

// Drop forgets the pages of a browser that is gone.
func (t *List) Drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.pages {
		t.remove(id)
	}
	clear(t.of)
}

// Know sets which of Chromium's pages p is, and the owner of its context (nil: nobody).
// Its pages count from now on, earlier ones included. It reports whether p may stay.
func (t *List) Know(p any, id, context string, owner *Owner) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.pages[id]
	if own == nil { // gone already
		return true
	}
	t.by[id] = p
	if owner != nil && t.of[context] == nil {
		t.count(context, owner)
	}
	return !own.refused
}

// Count counts a context's pages with an owner's.
func (t *List) Count(context string, owner *Owner) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count(context, owner)
}

// count is Count with the lock held.
func (t *List) count(context string, owner *Owner) {
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

// Forget ends the counting of a context's pages.
func (t *List) Forget(context string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, context)
}

// FullFor is the error for one more page in a full room, nil if there is room.
func (t *List) FullFor(r *quota.Pages) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.makeRoom(r) {
		return nil
	}
	err := r.OverLimit("")
	n := 0 // pages that have loaded nothing yet
	for id, p := range t.pages {
		if p.room == r && t.by[id] == nil {
			n++
		}
	}
	if n > 0 {
		err.Hint = fmt.Sprintf("%d of them are pop-ups of which nothing has come yet; %s", n, err.Hint)
	}
	return err
}

// settleTime is how long the renderer of a new page needs for its very first step.
const settleTime = 100 * time.Millisecond

// close closes a page. Playwright makes new pages wait for it. If a page is closed
// meanwhile, its opener, which also waits, hangs for ever. So Playwright first gets
// time to let it continue: what it sends then arrives before what is sent after a
// reply.
func (t *List) close(p *listed) {
	for range 3 {
		if t.send("Target.getTargetInfo", p) != nil {
			return
		}
	}
	time.Sleep(settleTime)
	_ = t.send("Target.closeTarget", p)
}

// silence is how long a pop-up that has loaded nothing keeps its place.
const silence = 5 * time.Second

// makeRoom closes the pop-up that has been silent longest: nobody has seen it. The lock
// is held.
func (t *List) makeRoom(r *quota.Pages) bool {
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
	r.Leave(oldest)
	go t.close(oldest)
	return true
}
