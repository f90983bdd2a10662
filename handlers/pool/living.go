package pool

import (
	"cmp"
	"slices"
	"time"

	"pwpipe/handlers/browser"
)

// Lives is an open session and when it was used last.
type Lives struct {
	*browser.Session
	Used time.Time
}

// Living are the open sessions, the oldest first.
func (p *Pool) Living() (list []Lives) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sessions {
		if s.closing == nil {
			list = append(list, Lives{s.Session, s.used})
		}
	}
	slices.SortFunc(list, func(a, b Lives) int {
		return cmp.Compare(p.sessions[a.Options.ID].number, p.sessions[b.Options.ID].number)
	})
	return list
}

// Find is the open session of an id, nil for none.
func (p *Pool) Find(id string) *browser.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.sessions[id]; s != nil && s.closing == nil {
		return s.Session
	}
	return nil
}
