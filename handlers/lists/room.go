package lists

import (
	"math"
	"sync"

	"pwpipe/provider"
)

// Places counts the browser contexts that are open, or being opened, in a
// browser and in those that were launched beside it.
type Places struct {
	mu   sync.Mutex
	open map[any]int // by the run of a browser
	left Callbacks[struct{}]
}

// OnLeave has fn called when there may be one less.
func (p *Places) OnLeave(fn func()) { p.left.Add(func(struct{}) { fn() }) }

// Take counts one more in a run of a browser, until gone is closed; most is how
// many there may be, 0 for any number.
func (p *Places) Take(e any, gone <-chan struct{}, most int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.full(most); err != nil {
		return err
	}
	if p.open == nil {
		p.open = map[any]int{}
	}
	if _, known := p.open[e]; !known {
		go func() { <-gone; p.drop(e) }()
	}
	p.open[e]++
	return nil
}

// Count is how many there are.
func (p *Places) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all()
}

// MayTake is the error of one too many, nil if there is room.
func (p *Places) MayTake(most int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.full(most)
}

// full is MayTake with the lock held.
func (p *Places) full(most int) error {
	if most == 0 || p.all() < most {
		return nil
	}
	return NoPlace(most)
}

// NoPlace is the error of one too many.
func NoPlace(most int) *provider.Error {
	return provider.Errorf(provider.KindLimit, "over a limit: all %d browser contexts are in use", most).
		WithHint("close one (close-ctx, session.close), or wait until an idle session is closed")
}

// Leave gives a place back.
func (p *Places) Leave(e any) {
	defer p.left.Call(struct{}{})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[e] > 0 {
		p.open[e]--
	}
}

// drop forgets the contexts of a browser that is gone.
func (p *Places) drop(e any) {
	defer p.left.Call(struct{}{})
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, e)
}

// all is Count with the lock held.
func (p *Places) all() (n int) {
	for _, k := range p.open {
		n += k
	}
	return n
}

// Room is for the pages of a session, those of browsers that it launched among
// them. What a page is counted by differs from browser to browser.
type Room struct {
	mu   sync.Mutex
	most int // 0 for any number
	in   map[any]bool
}

// NewRoom makes a room for so many pages, 0 for any number.
func NewRoom(most int) *Room { return &Room{most: most, in: map[any]bool{}} }

// Enter counts a page. It reports false where there is no room.
func (r *Room) Enter(page any) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.most > 0 && len(r.in) >= r.most && !r.in[page] {
		return false
	}
	r.in[page] = true
	return true
}

// Leave gives a place back.
func (r *Room) Leave(page any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.in, page)
}

// Left is how many places are free.
func (r *Room) Left() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.most == 0 {
		return math.MaxInt
	}
	return max(0, r.most-len(r.in))
}

// Full reports whether there is no room.
func (r *Room) Full() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most > 0 && len(r.in) >= r.most
}

// OverLimit words that there is no room; what went before is part of it.
func (r *Room) OverLimit(before string) *provider.Error {
	return provider.Errorf(provider.KindLimit, "over a limit: %sthe session has %d pages, as many as it may", before, r.most).
		WithHint("close some with close-page (pages lists them); --max-pages allows more")
}
