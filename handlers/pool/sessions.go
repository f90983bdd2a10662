package pool

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/handles"
	"pwpipe/provider"
)

// pooled is a session and who uses it. The lock of its sessions guards all but the
// session and its home.
type pooled struct {
	*browser.Session
	home    *lived
	team    string // whose it is: other teams don't find it
	number  int    // of the sessions that were ever opened
	users   int
	used    time.Time
	closing chan struct{} // not nil once it is being closed; closed when it is
}

// sessions are the sessions of a pool by their ids, and what became of those that
// are gone.
type sessions struct {
	mu     sync.Mutex
	byID   map[string]*pooled
	last   int               // number of the newest
	fate   map[string]string // of sessions that are gone or being closed, by their team and id
	opens  map[string]int    // sessions that are being opened, by their team
	closed bool
}

// add makes a session known, unless the pool is closed.
func (t *sessions) add(id string, s *pooled) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.last++
	s.number, s.used = t.last, time.Now()
	t.byID[id] = s
	return true
}

// count counts the sessions that are open or being closed.
func (t *sessions) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.byID)
}

// enter reports whether a team may have one more session, and counts it until entered.
func (t *sessions) enter(team provider.Team) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.opens[team.Name]
	for _, s := range t.byID {
		if s.team == team.Name {
			n++
		}
	}
	if team.MaxSessions > 0 && n >= team.MaxSessions {
		return false
	}
	t.opens[team.Name]++
	return true
}

// entered ends what enter began: the session is there, or will not be.
func (t *sessions) entered(team provider.Team) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opens[team.Name]--; t.opens[team.Name] <= 0 {
		delete(t.opens, team.Name)
	}
}

// fateOf is the key of what became of a session: another team does not hear it.
func fateOf(team, id string) string { return team + " " + id }

// open is the team's open session of an id, after mark; otherwise nil, and what became of it.
func (t *sessions) open(team, id string, mark func(*pooled)) (s *pooled, fate string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.byID[id]; s != nil && s.closing == nil && s.team == team {
		mark(s)
		return s, ""
	}
	return nil, t.fate[fateOf(team, id)]
}

// find is the open session of an id, of whichever team.
func (t *sessions) find(id string) *browser.Session {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.byID[id]; s != nil && s.closing == nil {
		return s.Session
	}
	return nil
}

// use is open, and marks the session as in use until leave.
func (t *sessions) use(team, id string) (s *pooled, fate string) {
	return t.open(team, id, func(s *pooled) { s.users++ })
}

// hold marks a session as in use until release.
func (t *sessions) hold(s *pooled) (release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.users++
	return func() { t.leave(s) }
}

// leave notes that somebody uses a session no more.
func (t *sessions) leave(s *pooled) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.users--
	s.used = time.Now()
}

// claim is open, and marks the session as closing; why is the reason. Whoever claims it must forget it.
func (t *sessions) claim(team, id, why string) (s *pooled, fate string) {
	return t.open(team, id, func(s *pooled) { t.ends(s, why) })
}

// ends marks a session as closing, and keeps why: a call that comes meanwhile gets the reason. The lock is held.
func (t *sessions) ends(s *pooled, why string) {
	s.closing = make(chan struct{})
	if len(t.fate) >= handles.MaxFates {
		clear(t.fate)
	}
	t.fate[fateOf(s.team, s.Options.ID)] = why
}

// claimIdle claims the sessions not used since a time; never one in use.
func (t *sessions) claimIdle(since time.Time, why string) (idle []*pooled) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.byID {
		if s.users == 0 && s.closing == nil && s.used.Before(since) {
			t.ends(s, why)
			idle = append(idle, s)
		}
	}
	return idle
}

// claimAll claims every open session, and lets no more be added. closing has those that
// are closed elsewhere, too.
func (t *sessions) claimAll(why string) (own []*pooled, closing []chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, s := range t.byID {
		if s.closing == nil {
			t.ends(s, why)
			own = append(own, s)
		}
		closing = append(closing, s.closing)
	}
	return own, closing
}

// forget takes out a session that was claimed.
func (t *sessions) forget(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.byID[id].closing)
	delete(t.byID, id)
}

// gone reports whether a session was there and is closed. One that is being closed is
// waited for.
func (t *sessions) gone(ctx context.Context, team, id string) bool {
	t.mu.Lock()
	past := t.fate[fateOf(team, id)] != ""
	var closing chan struct{}
	if s := t.byID[id]; s != nil && s.team == team {
		closing = s.closing
	}
	t.mu.Unlock()
	if closing == nil {
		return past
	}
	select {
	case <-closing:
		return true
	case <-ctx.Done():
		return false
	}
}

// soonest is when the session that was idle for longest will have been so for ttl.
func (t *sessions) soonest(ttl time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	wait := ttl
	for _, s := range t.byID {
		wait = min(wait, ttl-time.Since(s.used))
	}
	return wait
}

// Lives is an open session and when it was used last.
type Lives struct {
	*browser.Session
	Used time.Time
}

// living are the open sessions, the oldest first.
func (t *sessions) living() (list []Lives) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.byID {
		if s.closing == nil {
			list = append(list, Lives{s.Session, s.used})
		}
	}
	slices.SortFunc(list, func(a, b Lives) int {
		return cmp.Compare(t.byID[a.Options.ID].number, t.byID[b.Options.ID].number)
	})
	return list
}
