package targetlist

import (
	"time"

	"pwpipe/handlers/quota"
)

// settleTime is what the renderer of a page that has just come needs to be past
// its very first step.
const settleTime = 100 * time.Millisecond

// close closes a page. Playwright has new pages wait for it, and one that is
// closed meanwhile leaves its opener, which waits with it, hanging for ever. So
// Playwright is first given the time to let it go on: what it sends then goes
// before what is sent after a reply.
func (t *List) close(p *listed) {
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

// unseen counts the pages of which nothing has come yet.
func (t *List) unseen(r *quota.Pages) (n int) {
	for id, p := range t.pages {
		if p.room == r && t.by[id] == nil {
			n++
		}
	}
	return n
}
