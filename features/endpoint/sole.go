package endpoint

import (
	"sync"

	"pwpipe/handlers/browser"
)

// rosters count the sessions of a browser.
var rosters browser.State[*browser.Browser, roster]

type roster struct {
	mu   sync.Mutex
	came int64 // so far
	here map[*browser.Session]bool
}

// comes counts a session that opens a context, for its lifetime.
func (r *roster) comes(s *browser.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.here[s] {
		return
	}
	if r.here == nil {
		r.here = map[*browser.Session]bool{}
	}
	r.here[s] = true
	r.came++
	s.OnClosed(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.here, s)
	})
}

// sole reports whether a session is the only one in a browser of ours, and how many
// have been there so far.
func sole(s *browser.Session) (since int64, _ bool) {
	r := rosters.Of(s.Browser)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.came, len(r.here) == 1 && r.here[s] && !s.Browser.Config.Attached()
}
