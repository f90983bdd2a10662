package targetlist

import (
	"time"

	"pwpipe/handlers/quota"
)

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

// unseen counts the pages that have loaded nothing yet.
func (t *List) unseen(r *quota.Pages) (n int) {
	for id, p := range t.pages {
		if p.room == r && t.by[id] == nil {
			n++
		}
	}
	return n
}
